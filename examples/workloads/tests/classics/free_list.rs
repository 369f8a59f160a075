//! A list of free places, from which threads take and to which they give back, without a
//! lock. A place that was taken and given back is at the top again: whoever compares the
//! top only does not notice (ABA).

use commute::sync::Arc;
use commute::sync::atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst};
use commute::thread;

const PLACES: usize = 3;
/// After the last.
const NONE: u64 = PLACES as u64;

struct FreeList {
    /// The first free place; above 32 bits a number that changes with it, if `counts`.
    top: AtomicU64,
    next: [AtomicU64; PLACES],
    users: [AtomicUsize; PLACES],
    counts: bool,
}

impl FreeList {
    fn new(counts: bool) -> FreeList {
        FreeList {
            top: AtomicU64::new(0),
            next: std::array::from_fn(|place| AtomicU64::new(place as u64 + 1)),
            users: std::array::from_fn(|_| AtomicUsize::new(0)),
            counts,
        }
    }

    fn with(&self, old: u64, place: u64) -> u64 {
        let count = (old >> 32) + u64::from(self.counts);
        (count << 32) | place
    }

    fn take(&self) -> Option<usize> {
        loop {
            let top = self.top.load(SeqCst);
            let place = top & 0xffff_ffff;
            if place == NONE {
                return None;
            }
            let next = self.next[place as usize].load(SeqCst);
            let new = self.with(top, next);
            if self.top.compare_exchange(top, new, SeqCst, SeqCst).is_ok() {
                let before = self.users[place as usize].fetch_add(1, SeqCst);
                assert_eq!(before, 0, "two have the same place");
                return Some(place as usize);
            }
        }
    }

    fn give_back(&self, place: usize) {
        self.users[place].fetch_sub(1, SeqCst);
        loop {
            let top = self.top.load(SeqCst);
            self.next[place].store(top & 0xffff_ffff, SeqCst);
            let new = self.with(top, place as u64);
            if self.top.compare_exchange(top, new, SeqCst, SeqCst).is_ok() {
                return;
            }
        }
    }
}

/// One takes a place while the other takes two and gives the first back.
fn take_and_give_back(counts: bool) {
    let list = Arc::new(FreeList::new(counts));
    let other = Arc::clone(&list);
    let thread = thread::spawn(move || {
        let first = other.take().unwrap();
        let _second = other.take();
        other.give_back(first);
    });
    let _place = list.take();
    let _another = list.take();
    thread.join().unwrap();
}

#[commute::test]
fn free_list_counts() {
    take_and_give_back(true);
}

#[commute::test(explored_only)]
fn free_list_aba() {
    take_and_give_back(false);
}
