//! scoped threads claim.
//@ finding: process
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
#[cfg(not(fixed))]
pub fn process(items: &[u64]) -> u64 {
    let next = AtomicUsize::new(0);
    let sum = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                loop {
                    let index = next.load(Ordering::Relaxed);
                    if index >= items.len() {
                        break;
                    }
                    next.store(index + 1, Ordering::Relaxed);
                    sum.fetch_add(items[index] as usize, Ordering::Relaxed);
                }
            });
        }
    });
    sum.load(Ordering::Relaxed) as u64
}
#[cfg(fixed)]
pub fn process(items: &[u64]) -> u64 {
    let next = AtomicUsize::new(0);
    let sum = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= items.len() {
                        break;
                    }
                    sum.fetch_add(items[index] as usize, Ordering::Relaxed);
                }
            });
        }
    });
    sum.load(Ordering::Relaxed) as u64
}
