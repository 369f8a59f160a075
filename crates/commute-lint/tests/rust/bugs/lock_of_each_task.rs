//! A task takes its last value out, computes without the lock, and puts the new
//! one back. If all tasks of a call share the lock, one may find nothing, and
//! the last one wins. With a lock of its own for each, nobody else is there.
//@ finding: start::{closure#0}::{closure#0}
use std::sync::{Arc, Mutex};
use std::thread;

pub fn run(task: impl FnOnce() + Send + 'static) {
    thread::spawn(task);
}

pub fn start(names: Vec<String>, step: fn(Option<u32>, &str) -> u32) {
    #[cfg(not(fixed))]
    let last = Arc::new(Mutex::new(None::<u32>));
    names.into_iter().for_each(|name| {
        #[cfg(fixed)]
        let last = Arc::new(Mutex::new(None::<u32>));
        let last = Arc::clone(&last);
        run(move || {
            loop {
                let old = last.lock().unwrap().take();
                let new = step(old, &name);
                *last.lock().unwrap() = Some(new);
            }
        });
    });
}
