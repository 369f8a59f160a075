//! Why candidates are impossible, as a number.
//!
//! A program that repeats what it does has many candidates that are refuted in the same
//! way. The argument of a candidate is the events that must happen before its pair, and the
//! pair, in the order of the trace: what each does, at which place in the source, and which
//! of the others it needs. Threads, variables, locks and objects count as they come, so
//! that another round of a loop, with objects of its own, has the same argument.

use std::hash::{Hash, Hasher};

use commute_model::{Id, Op};
use rustc_hash::{FxHashMap, FxHasher};

use super::facts::{Facts, No};
use super::window::Window;

/// Equal for candidates that are refuted in the same way.
pub(super) type Argument = u64;

/// The argument of a pair before which these events must happen, as how many of each
/// thread; whether they can is part of the argument.
pub(super) fn argument(
    window: &Window<'_>,
    (least, is_possible): (&[u32], bool),
    pair: (No, No),
) -> Argument {
    let mut hasher = FxHasher::default();
    is_possible.hash(&mut hasher);
    let mut numbers = Numbers::default();
    // The places of the events among those of the argument.
    let mut places: FxHashMap<No, usize> = FxHashMap::default();
    for (no, facts) in (0..).zip(&window.facts) {
        let is_needed = facts.place < least[facts.thread as usize];
        if is_needed || no == pair.0 || no == pair.1 {
            places.insert(no, places.len());
            (is_needed, window.events[no as usize].location).hash(&mut hasher);
            numbers.add(no, facts, window, &mut hasher);
            for needed in facts.after.iter().chain(&facts.sees) {
                places.get(needed).hash(&mut hasher);
            }
        }
    }
    hasher.finish()
}

/// What events are about, numbered as it comes.
#[derive(Default)]
struct Numbers(FxHashMap<(u8, usize), usize>);

impl Numbers {
    /// Adds the numbers of what an event is about.
    fn add(&mut self, no: No, facts: &Facts, window: &Window<'_>, hasher: &mut FxHasher) {
        let op = &window.events[no as usize].op;
        std::mem::discriminant(op).hash(hasher);
        self.number((0, facts.thread as usize), hasher);
        let about = match op {
            Op::Read(x) | Op::Write(x) | Op::Alloc(x) | Op::Free(x) => (1, x.index()),
            Op::Notify(c) | Op::NotifyAll(c) | Op::Wait(c, _) | Op::Wake(c, _) => (2, c.index()),
            Op::New(o, _) | Op::Drop(o) => (3, o.index()),
            Op::Action(action) => {
                action.method.hash(hasher);
                (3, action.object.index())
            }
            _ => (4, 0),
        };
        self.number(about, hasher);
        if let Some(used) = facts.lock {
            self.number((5, used.lock as usize), hasher);
        }
        // Locks that are held since before the window.
        for &(lock, shared) in &window.held[facts.thread as usize] {
            shared.hash(hasher);
            self.number((5, lock as usize), hasher);
        }
    }

    fn number(&mut self, about: (u8, usize), hasher: &mut FxHasher) {
        let next = self.0.len();
        self.0.entry(about).or_insert(next).hash(hasher);
    }
}
