//! What an atomic has beside its value: an identity, and the lock under which an
//! operation happens and gets its number.

use std::hint;
use std::panic::Location;
use std::sync::atomic::{
    AtomicBool,
    Ordering::{Acquire, Relaxed, Release},
};
use std::thread;

use commute_explore::models;
use commute_explore::runtime::{
    Arg, Call, First, Object, is_trying, learn_pointer, note_weak, surprise, visit,
};
use commute_record::{Kind, Method, Order, Raw, Tag, Value, action, is_on};
use smallvec::SmallVec;

use crate::explored;
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

    /// What was found is an address, and the model says what that is called.
    fn learn(&self, model: &Value) {
        match (*self, model) {
            (Done::Exchange(_, (ok, found)), Value::Tuple(parts)) => match &**parts {
                [is_current, name] if *is_current == Value::Bool(ok) => {
                    learn_pointer(found as usize, name);
                }
                _ => surprise(model.to_string(), format!("{self:?}")),
            },
            (Done::Load(found) | Done::Swap(_, found), name) => {
                learn_pointer(found as usize, name);
            }
            _ => {}
        }
    }

    /// Whether the model says the same.
    fn is(&self, method: &str, model: &Value) -> bool {
        match (*self, model) {
            (Done::Store(_), Value::Tuple(parts)) => parts.is_empty(),
            (Done::Exchange(_, (ok, found)), model) if method == "compare_exchange" => {
                let parts = match model {
                    Value::Tuple(parts) => &parts[..],
                    _ => &[],
                };
                parts == [Value::Bool(ok), Value::Int(found)]
            }
            (Done::Exchange(_, (_, found)), model)
            | (Done::Load(found), model)
            | (
                Done::Swap(_, found)
                | Done::Add(_, found)
                | Done::Sub(_, found)
                | Done::Max(_, found),
                model,
            ) => *model == Value::Int(found),
            _ => false,
        }
    }
}

/// What can be done with an address of which only a name is known.
const POINTING: &[&str] = &["load", "store", "swap", "compare_exchange"];

/// An operation that is to be done.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'a> {
    pub(super) method: &'static str,
    pub(super) args: &'a [i128],
    /// Whether an ordering is weaker than sequential consistency.
    pub(super) weak: bool,
}

/// What an atomic is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Width {
    pub(super) bits: u32,
    pub(super) signed: bool,
    /// Whether it is an address.
    pub(super) points: bool,
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

    /// What it is, in a test that is explored.
    pub(super) fn first(&self, width: Width, found: i128) -> First {
        let Width {
            bits,
            signed,
            points,
        } = width;
        if points {
            let first = explored::first(&self.tag, models::Pointer, Value::Int(0));
            return first.pointing(found as usize);
        }
        let model = models::Atomic { bits, signed };
        explored::first(&self.tag, model, Value::Int(found))
    }

    /// Does an operation as a step of a test that is explored. `first` is what it
    /// is; `again` says what comes of an operation that only looks, if it is not to be
    /// done but to give what its model says.
    #[inline(never)]
    pub(super) fn explored<R>(
        &self,
        at: &'static Location<'static>,
        (asked, width): (Asked<'_>, Width),
        first: &dyn Fn() -> First,
        operation: impl FnOnce() -> R,
        done: impl Fn(&R) -> Done,
        again: impl FnOnce(&Value) -> Option<R>,
    ) -> R {
        if asked.weak {
            note_weak();
        }
        let mark = self.tag.mark();
        let objects = [Object { mark, first }];
        if width.points && !POINTING.contains(&asked.method) {
            explored::unseen("a calculation with an `AtomicPtr`");
            return operation();
        }
        let arg = |arg: &i128| match width.points {
            true => Arg::Pointer(*arg as usize),
            false => Arg::Int(*arg),
        };
        let args: SmallVec<[Arg; 2]> = asked.args.iter().map(arg).collect();
        let call = Call::new(&objects, asked.method, &args, at);
        let mut operation = Some(operation);
        let result = visit(&call, |model| {
            if is_trying()
                && let Some(result) = again(model)
            {
                return Some(result);
            }
            let result = operation.take()?();
            if width.points {
                done(&result).learn(model);
            } else if !done(&result).is(asked.method, model) {
                surprise(model.to_string(), format!("{:?}", done(&result)));
            }
            Some(result)
        });
        match (result.flatten(), operation) {
            (Some(result), _) => result,
            (None, Some(operation)) => operation(),
            (None, None) => unreachable!("it is done at most once"),
        }
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
