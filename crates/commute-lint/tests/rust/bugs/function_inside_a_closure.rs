//! A thread takes messages from a channel and subtracts how many they were. With
//! one thread the count that it reads is never more than there are; if several
//! may run the same, two rely on the same messages.
//@ finding: Batches::new::{closure#0}::export
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

pub struct Batches {
    waiting: Arc<AtomicUsize>,
}

impl Batches {
    pub fn new(take: fn(usize) -> usize) -> Batches {
        let waiting = Arc::new(AtomicUsize::new(0));
        #[cfg(not(fixed))]
        for _ in 0..4 {
            let mine = Arc::clone(&waiting);
            thread::spawn(move || {
                fn export(waiting: &AtomicUsize, take: fn(usize) -> usize) {
                    let most = waiting.load(Ordering::Acquire);
                    if most > 0 {
                        waiting.fetch_sub(take(most), Ordering::AcqRel);
                    }
                }
                export(&mine, take);
            });
        }
        #[cfg(fixed)]
        {
            let mine = Arc::clone(&waiting);
            thread::spawn(move || {
                fn export(waiting: &AtomicUsize, take: fn(usize) -> usize) {
                    let most = waiting.load(Ordering::Acquire);
                    if most > 0 {
                        waiting.fetch_sub(take(most), Ordering::AcqRel);
                    }
                }
                export(&mine, take);
            });
        }
        Batches { waiting }
    }

    pub fn add(&self) {
        self.waiting.fetch_add(1, Ordering::AcqRel);
    }
}
