//! What an atomic has beside its value: an identity, and the lock under which an
//! operation happens and gets its number.

use std::hint;
use std::panic::Location;
use std::sync::atomic::{
    AtomicBool,
    Ordering::{Acquire, Relaxed, Release},
};
use std::thread;

use commute_record::{Kind, Method, Order, Raw, Tag, action, is_on};

use crate::this_thread;

static ATOMIC: Kind = Kind::ATOMIC;

static LOAD: Method = Method::new("load");
static STORE: Method = Method::new("store");
static SWAP: Method = Method::new("swap");
static FETCH_ADD: Method = Method::new("fetch_add");
static FETCH_SUB: Method = Method::new("fetch_sub");
static FETCH_MAX: Method = Method::new("fetch_max");
static CAS_CUR: Method = Method::new("cas_cur");

/// How often to look again before letting others run.
const LOOKS: u32 = 40;

/// An operation that was done.
#[derive(Clone, Copy, Debug)]
pub(super) enum Done {
    /// With what was found.
    Load(i128),
    Store(i128),
    /// The new value, and what was found, as in all that follow.
    Swap(i128, i128),
    Add(i128, i128),
    Sub(i128, i128),
    Max(i128, i128),
    /// What was expected and the new value; whether it was, and what was found.
    Exchange([i128; 2], (bool, i128)),
}

impl Done {
    /// Something that changed what it found to `new`.
    pub(super) fn change(found: i128, new: i128) -> Done {
        Done::Exchange([found, new], (true, found))
    }
}

/// All zeros are a tag that nobody used, and nobody who is busy: as for std's,
/// memory of zeros is an atomic.
#[derive(Debug)]
pub(crate) struct Observed {
    pub(crate) tag: Tag,
    busy: AtomicBool,
}

/// Nobody else is in an operation of this atomic.
struct Turn<'a>(&'a AtomicBool);

impl Drop for Turn<'_> {
    #[inline]
    fn drop(&mut self) {
        self.0.store(false, Release);
    }
}

impl Observed {
    #[track_caller]
    pub(super) const fn new() -> Observed {
        Observed {
            tag: Tag::new(&ATOMIC),
            busy: AtomicBool::new(false),
        }
    }

    /// Does an operation, and records it if there is somebody to read.
    #[inline]
    pub(super) fn does<R>(
        &self,
        at: &'static Location<'static>,
        operation: impl FnOnce() -> R,
        done: impl FnOnce(&R) -> Done,
    ) -> R {
        if !is_on() {
            return operation();
        }
        // A signal handler that interrupted an operation must not wait for its end.
        let Some(_inside) = this_thread::enter() else {
            return operation();
        };
        let _turn = self.turn();
        let result = operation();
        self.record(done(&result), at);
        result
    }

    #[inline]
    fn turn(&self) -> Turn<'_> {
        while self.busy.swap(true, Acquire) {
            let mut looks = 0;
            while self.busy.load(Relaxed) {
                match looks {
                    LOOKS => thread::yield_now(),
                    _ => {
                        looks += 1;
                        hint::spin_loop();
                    }
                }
            }
        }
        Turn(&self.busy)
    }

    fn record(&self, done: Done, at: &'static Location<'static>) {
        let act = |method: &Method, args: &[Raw<'_>], results: &[Raw<'_>]| {
            action(&self.tag, method, Order::Alone, at, args, results);
        };
        let change = |method, [value, found]: [i128; 2]| {
            act(method, &[Raw::Int(value)], &[Raw::Int(found)]);
        };
        match done {
            Done::Load(found) => act(&LOAD, &[], &[Raw::Int(found)]),
            Done::Store(value) => act(&STORE, &[Raw::Int(value)], &[]),
            Done::Swap(value, found) => change(&SWAP, [value, found]),
            Done::Add(value, found) => change(&FETCH_ADD, [value, found]),
            Done::Sub(value, found) => change(&FETCH_SUB, [value, found]),
            Done::Max(value, found) => change(&FETCH_MAX, [value, found]),
            Done::Exchange(values, (ok, found)) => {
                let results = [Raw::Bool(ok), Raw::Int(found)];
                act(&CAS_CUR, &values.map(Raw::Int), &results);
            }
        }
    }
}
