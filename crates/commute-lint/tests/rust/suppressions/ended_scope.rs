//! A scope ends when all its threads have.
//@ suppression: Ended
//@ finding: main

use std::sync::Mutex;
use std::thread;

fn main() {
    let list = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for number in 0..4 {
            let list = &list;
            scope.spawn(move || list.lock().unwrap().push(number));
        }
        #[cfg(not(fixed))]
        if list.lock().unwrap().is_empty() {
            list.lock().unwrap().push(4);
        }
    });
    #[cfg(fixed)]
    if list.lock().unwrap().is_empty() {
        list.lock().unwrap().push(4);
    }
}
