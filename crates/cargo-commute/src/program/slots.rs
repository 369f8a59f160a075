//! Back pressure: how many connections may be open at once.
//!
//! A connection takes descriptors and threads. If all slots are taken, the next process
//! waits in the queue of the socket, its bytes in the buffer of its connection, until an
//! earlier process has ended: it is slower, and nothing of it is lost.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The slots for connections: a counting semaphore.
#[derive(Debug)]
pub(super) struct Slots {
    most: usize,
    taken: Mutex<usize>,
    freed: Condvar,
}

impl Slots {
    /// So many slots, at least one.
    pub(super) fn new(most: usize) -> Arc<Slots> {
        Arc::new(Slots {
            most: most.max(1),
            taken: Mutex::default(),
            freed: Condvar::new(),
        })
    }

    /// Takes a slot; waits until there is one.
    pub(super) fn take(self: &Arc<Slots>) -> Slot {
        let mut taken = self.taken();
        while *taken >= self.most {
            let waited = self.freed.wait(taken);
            taken = waited.unwrap_or_else(PoisonError::into_inner);
        }
        *taken += 1;
        Slot(self.clone())
    }

    /// How many are taken.
    pub(super) fn how_many_are_taken(&self) -> usize {
        *self.taken()
    }

    fn taken(&self) -> MutexGuard<'_, usize> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A slot that is taken, until this is dropped.
#[derive(Debug)]
pub(super) struct Slot(Arc<Slots>);

impl Drop for Slot {
    fn drop(&mut self) {
        *self.0.taken() -= 1;
        self.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_free_again_when_it_is_dropped() {
        let slots = Slots::new(2);
        let (first, _second) = (slots.take(), slots.take());
        let waiting = slots.clone();
        let third = std::thread::spawn(move || drop(waiting.take()));
        drop(first);
        third.join().expect("it gets the slot of the first");
        assert_eq!(slots.how_many_are_taken(), 1);
    }

    #[test]
    fn there_is_a_slot_at_least() {
        drop(Slots::new(0).take());
    }
}
