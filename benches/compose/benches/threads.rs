//! The naive test: the method in one thread, random operations in another one, again and
//! again.
//!
//! There is one other thread, so that the order of its operations is known, and a history
//! is explained by a gap between them. Both threads are there all the time and spin, so
//! that a round takes as little as it can.
//!
//! Where they share a processor, because somebody else has the others, nobody is ever
//! interrupted. That would say nothing of such tests, so this time does not count.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::described::Described;
use crate::history::{Plan, Told};
use crate::random::Random;
use crate::rivals::{Found, Search};

/// How long a thread waits before it begins, at most: about as long as a method takes.
const DELAY: usize = 32;

/// After so many rounds it is asked whether both threads have a processor: then they overlap
/// in one round of so many, at least.
const SLICE: u64 = 500;
const SELDOM: u64 = 20;

/// What the other thread is to do, and what came of it.
struct Round<T> {
    object: Arc<T>,
    plan: Arc<Plan>,
    delay: usize,
    others: Vec<String>,
    in_time: usize,
    /// Whether one of its operations was made while the method ran.
    overlaps: bool,
}

struct Arena<T> {
    round: Mutex<Option<Round<T>>>,
    /// The round that there is, that the other thread is ready for, that has begun, and
    /// that it is done with.
    offered: AtomicU64,
    taken: AtomicU64,
    begun: AtomicU64,
    done: AtomicU64,
    is_called: AtomicBool,
    has_returned: AtomicBool,
}

/// The number of a round after which there is none.
const LAST: u64 = u64::MAX;

pub(crate) fn search<T>(described: &Described<T>, search: &Search) -> Found
where
    T: Default + Send + Sync,
{
    let arena = Arena {
        round: Mutex::new(None),
        offered: AtomicU64::new(0),
        taken: AtomicU64::new(0),
        begun: AtomicU64::new(0),
        done: AtomicU64::new(0),
        is_called: AtomicBool::new(false),
        has_returned: AtomicBool::new(false),
    };
    std::thread::scope(|scope| {
        scope.spawn(|| arena.others(described));
        let mut random = Random(1);
        let mut found = Found::default();
        let started = Instant::now();
        let (mut slice, mut overlaps) = (started, 0);
        for number in 1.. {
            if !search.goes_on(&mut found, started) {
                break;
            }
            found.runs += 1;
            let round = arena.round(described, &mut random, search.keys, number);
            found.violations += u64::from(!round.is_explained);
            overlaps += u64::from(round.overlaps);
            if number % SLICE == 0 {
                if overlaps * SELDOM < SLICE {
                    // Who wakes up gets a processor that nobody uses, if there is one.
                    std::thread::sleep(Duration::from_millis(1));
                    found.runs -= SLICE;
                    found.lost += slice.elapsed();
                }
                (slice, overlaps) = (Instant::now(), 0);
            }
        }
        arena.offered.store(LAST, SeqCst);
        found
    })
}

/// What came of a round.
struct Seen {
    is_explained: bool,
    overlaps: bool,
}

impl<T: Default> Arena<T> {
    fn round(
        &self,
        described: &Described<T>,
        random: &mut Random,
        keys: usize,
        number: u64,
    ) -> Seen {
        let plan = Arc::new(Plan::new(described, random, keys));
        let object = Arc::new(plan.begin(described));
        let round = Round {
            object: Arc::clone(&object),
            plan: Arc::clone(&plan),
            delay: random.below(DELAY),
            others: Vec::new(),
            in_time: 0,
            overlaps: false,
        };
        *self.round.lock().unwrap() = Some(round);
        self.is_called.store(false, SeqCst);
        self.has_returned.store(false, SeqCst);
        self.offered.store(number, SeqCst);
        wait_for(&self.taken, number);
        let delay = random.below(DELAY);
        self.begun.store(number, SeqCst);
        pause(delay);
        self.is_called.store(true, SeqCst);
        let method = described.its_method().call(&object, plan.method);
        self.has_returned.store(true, SeqCst);
        wait_for(&self.done, number);
        let round = self.round.lock().unwrap().take().expect("it was put back");
        let told = Told {
            method,
            others: round.others,
            in_time: round.in_time,
        };
        let seen = plan.seen(described, &object);
        Seen {
            is_explained: plan.explains(described, &told, &seen),
            overlaps: round.overlaps,
        }
    }

    /// The other thread.
    fn others(&self, described: &Described<T>) {
        for number in 1.. {
            if wait_for(&self.offered, number) == LAST {
                return;
            }
            let round = self.round.lock().unwrap().take();
            let mut round = round.expect("a round was offered");
            self.taken.store(number, SeqCst);
            wait_for(&self.begun, number);
            pause(round.delay);
            for call in &round.plan.others {
                let is_in_time = !self.has_returned.load(SeqCst);
                round.in_time += usize::from(is_in_time);
                let other = described.other(call.of);
                round.others.push(other.call(&round.object, call.drawn));
                round.overlaps |= is_in_time && self.is_called.load(SeqCst);
            }
            *self.round.lock().unwrap() = Some(round);
            self.done.store(number, SeqCst);
        }
    }
}

/// Until it is that, or more.
fn wait_for(counter: &AtomicU64, number: u64) -> u64 {
    for spins in 0_u64.. {
        let now = counter.load(SeqCst);
        if now >= number {
            return now;
        }
        // The other one may have no processor.
        match spins < 200 {
            true => std::hint::spin_loop(),
            false => std::thread::yield_now(),
        }
    }
    unreachable!("it waits for ever")
}

fn pause(delay: usize) {
    for _ in 0..delay {
        std::hint::spin_loop();
    }
}
