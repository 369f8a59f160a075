//! How far a reordering has got.

use std::hash::{Hash, Hasher};

use commute_spec::states::States;
use rustc_hash::FxHasher;

use super::facts::{Facts, LockOp, LockUse, NONE, No, Touch};
use super::permits::PermitChange;
use super::window::Window;

/// What the events so far leave behind.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// How many events of each thread have happened.
    pub(super) at: Vec<u32>,
    locks: Vec<Lock>,
    /// The last write of each variable.
    writers: Vec<No>,
    /// How often each variable was freed.
    frees: Vec<u32>,
    /// Which condition variable each thread waits for, and whether it was
    /// notified since.
    waits: Vec<(Option<u32>, bool)>,
    /// How many permits are free.
    permits: Vec<i64>,
    /// The states each object may be in.
    models: Vec<States>,
    /// A number for the places, the writers and the models, kept up to date.
    hash: u64,
}

#[derive(Clone, Debug, Default)]
struct Lock {
    owner: Option<(u32, u32)>,
    /// Threads that hold it shared, and how often.
    readers: Vec<(u32, u32)>,
}

/// What must be put back to undo an event.
#[derive(Clone, Debug)]
pub(super) enum Undo {
    Nothing,
    Writer(u32, No),
    Free(u32),
    Waits(Vec<(Option<u32>, bool)>),
    Model(u32, States),
}

impl State {
    /// Before the first event of the window.
    pub(super) fn new(window: &Window<'_>) -> State {
        let mut state = State {
            at: vec![0; window.threads.len()],
            locks: vec![Lock::default(); window.locks],
            writers: vec![NONE; window.variables.len()],
            frees: window
                .variables
                .iter()
                .map(|x| u32::from(x.freed))
                .collect(),
            waits: window.waiting.clone(),
            permits: window.permits.clone(),
            models: window.replayed.clone(),
            hash: 0,
        };
        for (thread, held) in window.held.iter().enumerate() {
            for &(lock, shared) in held {
                let op = if shared {
                    LockOp::ReadAcquire
                } else {
                    LockOp::Acquire
                };
                state.locks[lock as usize].apply(op, thread as u32, 1);
            }
        }
        state
    }

    pub(super) fn is_done(&self, facts: &Facts) -> bool {
        self.at[facts.thread as usize] > facts.place
    }

    /// Whether the event, which is the next of its thread, can come now with the
    /// outcome that it had.
    pub(super) fn allows(&self, no: No, window: &Window<'_>) -> bool {
        let facts = &window.facts[no as usize];
        let done = |no: &No| self.is_done(&window.facts[*no as usize]);
        if !facts.after.iter().chain(&facts.sees).all(done) || facts.later.iter().any(done) {
            return false;
        }
        if !self.is_lock_free(facts) || !self.has_permit(facts) {
            return false;
        }
        if { facts.lives() }.any(|(x, freed)| (self.frees[x as usize] > 0) != freed) {
            return false;
        }
        match facts.touch {
            Touch::Read(x, writer, _) => self.writers[x as usize] == writer,
            Touch::Wake(_, notified) => self.waits[facts.thread as usize].1 == notified,
            Touch::Replay(o) => !self.replay(o, no, window).is_empty(),
            Touch::Nothing
            | Touch::Write(..)
            | Touch::Free(..)
            | Touch::Wait(_)
            | Touch::Notify(_) => true,
        }
    }

    /// Whether no other thread holds the lock that the event acquires, if it acquires one.
    pub(super) fn is_lock_free(&self, facts: &Facts) -> bool {
        let allows = |used: LockUse| self.locks[used.lock as usize].allows(used.op, facts.thread);
        facts.lock.is_none_or(allows)
    }

    /// Whether a permit is free, if the event acquires one.
    pub(super) fn has_permit(&self, facts: &Facts) -> bool {
        match facts.permit {
            Some((permit, PermitChange::Acquire)) => self.permits[permit as usize] > 0,
            _ => true,
        }
    }

    fn change_permit(&mut self, facts: &Facts, by: i64) {
        match facts.permit {
            Some((permit, PermitChange::Acquire)) => self.permits[permit as usize] -= by,
            Some((permit, PermitChange::Release)) => self.permits[permit as usize] += by,
            _ => {}
        }
    }

    /// The states after an action that returns what it returned.
    fn replay(&self, o: u32, no: No, window: &Window<'_>) -> States {
        window.calls[&no].replay(&self.models[o as usize])
    }

    /// The event happens.
    pub(super) fn apply(&mut self, no: No, window: &Window<'_>) -> Undo {
        let facts = &window.facts[no as usize];
        self.at[facts.thread as usize] += 1;
        self.hash ^= number(0, facts.thread, facts.place);
        if let Some(LockUse { lock, op, levels }) = facts.lock {
            self.locks[lock as usize].apply(op, facts.thread, levels);
        }
        self.change_permit(facts, 1);
        match facts.touch {
            Touch::Write(x, _) => Undo::Writer(x, self.set_writer(x, no)),
            Touch::Free(x, _) => {
                self.frees[x as usize] += 1;
                Undo::Free(x)
            }
            Touch::Wait(condvar) => {
                let before = self.waits.clone();
                self.waits[facts.thread as usize] = (Some(condvar), false);
                Undo::Waits(before)
            }
            Touch::Wake(..) => {
                let before = self.waits.clone();
                self.waits[facts.thread as usize] = (None, false);
                Undo::Waits(before)
            }
            Touch::Notify(condvar) => {
                let before = self.waits.clone();
                for wait in &mut self.waits {
                    wait.1 |= wait.0 == Some(condvar);
                }
                Undo::Waits(before)
            }
            Touch::Replay(o) => {
                let after = self.replay(o, no, window);
                Undo::Model(o, self.set_model(o, after))
            }
            Touch::Nothing | Touch::Read(..) => Undo::Nothing,
        }
    }

    /// The event, which was the last, did not happen.
    pub(super) fn undo(&mut self, no: No, undo: Undo, window: &Window<'_>) {
        let facts = &window.facts[no as usize];
        self.at[facts.thread as usize] -= 1;
        self.hash ^= number(0, facts.thread, facts.place);
        if let Some(LockUse { lock, op, levels }) = facts.lock {
            self.locks[lock as usize].apply(op.inverse(), facts.thread, levels);
        }
        self.change_permit(facts, -1);
        match undo {
            Undo::Nothing => {}
            Undo::Writer(x, before) => {
                self.set_writer(x, before);
            }
            Undo::Free(x) => self.frees[x as usize] -= 1,
            Undo::Waits(before) => self.waits = before,
            Undo::Model(o, before) => {
                self.set_model(o, before);
            }
        }
    }

    /// The last write of a variable.
    pub(super) fn writer(&self, x: u32) -> No {
        self.writers[x as usize]
    }

    fn set_writer(&mut self, x: u32, writer: No) -> No {
        let before = std::mem::replace(&mut self.writers[x as usize], writer);
        self.hash ^= number(1, x, before) ^ number(1, x, writer);
        before
    }

    fn set_model(&mut self, o: u32, states: States) -> States {
        let before = std::mem::replace(&mut self.models[o as usize], states);
        let number = |states: &States| mixed(states.fingerprint() ^ (u64::from(o) << 32));
        self.hash ^= number(&before) ^ number(&self.models[o as usize]);
        before
    }

    /// A number for everything that matters from here on.
    pub(super) fn fingerprint(&self) -> u64 {
        let mut hasher = FxHasher::default();
        (self.hash, &self.waits).hash(&mut hasher);
        hasher.finish()
    }
}

/// A number for three numbers, without a pattern that others could undo.
fn number(what: u64, a: u32, b: u32) -> u64 {
    mixed((what << 63) ^ (u64::from(a) << 32) ^ u64::from(b))
}

fn mixed(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl LockOp {
    fn inverse(self) -> LockOp {
        match self {
            LockOp::Acquire => LockOp::Release,
            LockOp::Release => LockOp::Acquire,
            LockOp::ReadAcquire => LockOp::ReadRelease,
            LockOp::ReadRelease => LockOp::ReadAcquire,
        }
    }
}

impl Lock {
    fn allows(&self, op: LockOp, thread: u32) -> bool {
        let owned = self.owner.is_some_and(|(owner, _)| owner != thread);
        let read = self.readers.iter().any(|&(reader, _)| reader != thread);
        match op {
            LockOp::Acquire => !owned && !read,
            LockOp::ReadAcquire => !owned,
            LockOp::Release | LockOp::ReadRelease => true,
        }
    }

    fn apply(&mut self, op: LockOp, thread: u32, levels: u32) {
        match op {
            // A wait for a lock that is not held.
            _ if levels == 0 => {}
            LockOp::Acquire => match &mut self.owner {
                Some((owner, depth)) if *owner == thread => *depth += levels,
                _ => self.owner = Some((thread, levels)),
            },
            LockOp::Release => {
                if let Some((owner, depth)) = &mut self.owner
                    && *owner == thread
                {
                    *depth = depth.saturating_sub(levels);
                    if *depth == 0 {
                        self.owner = None;
                    }
                }
            }
            LockOp::ReadAcquire => match self.readers.iter_mut().find(|r| r.0 == thread) {
                Some((_, depth)) => *depth += 1,
                None => self.readers.push((thread, 1)),
            },
            LockOp::ReadRelease => {
                if let Some(place) = self.readers.iter().position(|r| r.0 == thread) {
                    self.readers[place].1 -= 1;
                    if self.readers[place].1 == 0 {
                        self.readers.swap_remove(place);
                    }
                }
            }
        }
    }
}
