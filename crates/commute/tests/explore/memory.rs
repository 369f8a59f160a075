//! Thousands of runs leave nothing behind.
#![expect(unsafe_code, reason = "allocators are")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use commute::sync::mpsc::channel;
use commute::sync::{Arc, Condvar, Mutex};
use commute::thread;

use crate::seen::seen;

/// Counts what this thread has.
struct Counting;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
}

// SAFETY: the system's does everything; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = HELD.try_with(|held| held.set(held.get() + layout.size() as isize));
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        let _ = HELD.try_with(|held| held.set(held.get() - layout.size() as isize));
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Deadlocks, panics and good ends, with something on every stack.
fn runs() -> u64 {
    let seen = seen(|| {
        let pair = Arc::new((Mutex::new(vec![0; 100]), Condvar::new()));
        let (sender, receiver) = channel::<Vec<u8>>();
        let threads: Vec<_> = (0..2)
            .map(|i| {
                let (pair, sender) = (Arc::clone(&pair), sender.clone());
                thread::spawn(move || {
                    let mut list = pair.0.lock().unwrap();
                    list.push(i);
                    sender.send(vec![0; 1_000]).unwrap();
                    if i == 1 && list.len() == 101 {
                        panic!("it was the first: {list:?}");
                    }
                    drop(pair.1.wait(list));
                })
            })
            .collect();
        pair.1.notify_all();
        drop(receiver.recv());
        for thread in threads {
            let _ = thread.join();
        }
    });
    assert!(seen.deadlocks > 0 && seen.executions > 100, "{seen:?}");
    assert_eq!(seen.leaks, 0);
    seen.executions
}

#[test]
fn nothing_is_left_behind() {
    // What is made once: tables of types, the hook.
    runs();
    let before = HELD.get();
    let executions = runs();
    let left = HELD.get() - before;
    // The threads that watch over a test free what was made for them here.
    assert!(left < 8_192, "{executions} runs have left {left} bytes");
}
