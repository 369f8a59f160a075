//! What an event of a window requires, to have the outcome that it had.

use smallvec::SmallVec;

use super::permits::PermitChange;

/// The place of an event in a window.
pub(super) type No = u32;

/// No event of the window.
pub(super) const NONE: No = No::MAX;

/// What a lock operation does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LockOp {
    Acquire,
    Release,
    ReadAcquire,
    ReadRelease,
}

/// What an event does to a lock of the window.
#[derive(Clone, Copy, Debug)]
pub(super) struct LockUse {
    pub(super) lock: u32,
    pub(super) op: LockOp,
    /// How often: a wait gives back all holds at once, and a wake takes them.
    pub(super) levels: u32,
}

/// What is required of the order around an event.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// Its thread, among those of the window, and its place in it.
    pub(super) thread: u32,
    pub(super) place: u32,
    /// Events that must come before it, wherever it is in the witness.
    pub(super) after: SmallVec<[No; 1]>,
    /// Events that must come before it so that it has its outcome.
    pub(super) sees: SmallVec<[No; 2]>,
    /// Earlier events with which it does not commute.
    pub(super) conflicts: SmallVec<[No; 2]>,
    /// Later events with which it does not commute.
    pub(super) later: SmallVec<[No; 2]>,
    pub(super) lock: Option<LockUse>,
    /// Of the lock and the condition variable that it uses, if they are ever freed:
    /// the life, as that of a variable, and whether it was freed.
    pub(super) uses: SmallVec<[(u32, bool); 1]>,
    pub(super) touch: Touch,
    /// The permits of the window that it changes, and how.
    pub(super) permit: Option<(u32, PermitChange)>,
}

/// What an event does to the state that is not a matter of places alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Touch {
    #[default]
    Nothing,
    /// A read of a variable: the write it sees, and whether it was freed.
    Read(u32, No, bool),
    Write(u32, bool),
    Free(u32, bool),
    Wait(u32),
    /// Whether it was notified.
    Wake(u32, bool),
    Notify(u32),
    /// An action that is replayed on the model of this object of the window.
    Replay(u32),
}

impl Facts {
    /// Lives of variables, with whether they were freed when the event came.
    pub(super) fn lives(&self) -> impl Iterator<Item = (u32, bool)> {
        let own = match self.touch {
            Touch::Read(x, _, freed) | Touch::Write(x, freed) | Touch::Free(x, freed) => {
                Some((x, freed))
            }
            _ => None,
        };
        own.into_iter().chain(self.uses.iter().copied())
    }
}

/// What is known of a variable, from its allocation to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Variable {
    /// Whether it was freed before the window.
    pub(super) freed: bool,
    pub(super) writes: SmallVec<[No; 2]>,
    pub(super) reads: SmallVec<[No; 2]>,
    pub(super) frees: Vec<No>,
    /// Uses of the lock and of the condition variable of the same name.
    pub(super) uses: Vec<No>,
}

impl Variable {
    /// Everything that notices whether it was freed.
    pub(super) fn notice(&self) -> impl Iterator<Item = No> {
        let accesses = self.reads.iter().chain(&self.writes).chain(&self.frees);
        accesses.chain(&self.uses).copied()
    }
}
