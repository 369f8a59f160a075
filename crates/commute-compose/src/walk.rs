//! Steps of a program in the models, as far as its code is known.

use commute_explore::{Knowledge, Next, NodeId, OpId, Places, ResultId, ThreadId, World};
use commute_model::Value;
use smallvec::SmallVec;

/// A moment of a run.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct At {
    /// Where each thread is that has a number in its [`Cast`], if it has begun.
    pub(crate) places: Places,
    pub(crate) world: World,
}

/// A step that was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Made {
    /// Who made it, by the number in the cast.
    pub(crate) by: u32,
    pub(crate) op: OpId,
    pub(crate) result: ResultId,
}

/// What comes of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stepped {
    /// It was made.
    Done(Made),
    /// It was a look in vain: the thread is where it was when it began to look.
    Vain(Made),
    /// It has to wait.
    Blocked,
    /// Nobody knows where it leads.
    Unknown,
}

/// The threads of a case, by small numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cast {
    pub(crate) threads: Vec<ThreadId>,
    /// So many of them are ours; the others were started by these.
    pub(crate) ours: usize,
}

/// What a choice is, for the program.
pub(crate) fn chosen(choice: u32) -> Value {
    Value::Int(choice.into())
}

/// What a thread is about to do at a place.
pub(crate) fn op(place: NodeId, known: &Knowledge) -> Option<OpId> {
    match known.next(place) {
        Some(Next::Op(op)) => Some(*op),
        _ => None,
    }
}

/// Whether a thread is about to leave something to us.
pub(crate) fn chooses(place: NodeId, known: &Knowledge) -> bool {
    op(place, known).is_some_and(|op| known.operation(op).method == "choose")
}

/// Whether a thread that we have started has done all that it does.
pub(crate) fn is_over(place: NodeId, known: &Knowledge) -> bool {
    op(place, known).is_none_or(|op| known.operation(op).method == "exit")
}

impl Cast {
    /// The number of a thread, which may be new.
    fn number(&mut self, thread: ThreadId) -> usize {
        let found = self.threads.iter().position(|other| *other == thread);
        found.unwrap_or_else(|| {
            self.threads.push(thread);
            self.threads.len() - 1
        })
    }

    /// Where a thread is, which may be its beginning.
    pub(crate) fn place(&self, at: &At, by: u32, known: &mut Knowledge) -> NodeId {
        let place = at.places.get(by as usize).copied().flatten();
        place.unwrap_or_else(|| known.root(self.threads[by as usize], None))
    }

    /// Lets a thread make a step.
    pub(crate) fn step(&mut self, at: &mut At, by: u32, known: &mut Knowledge) -> Stepped {
        let place = self.place(at, by, known);
        let Some(op) = op(place, known) else {
            return Stepped::Unknown;
        };
        let Some(result) = known.peek(&at.world, op) else {
            return Stepped::Blocked;
        };
        let made = Made { by, op, result };
        let Some(after) = known.known_after(place, result) else {
            return Stepped::Unknown;
        };
        match known.next(after) {
            None => return Stepped::Unknown,
            Some(Next::Spins(back)) => {
                put(&mut at.places, by as usize, *back);
                return Stepped::Vain(made);
            }
            Some(_) => {}
        }
        if let Some(child) = known.operation(op).spawns {
            let root = known.root(child, Some(place));
            if known.next(root).is_none() {
                return Stepped::Unknown;
            }
            let child = self.number(child);
            put(&mut at.places, child, root);
        }
        known.step(&mut at.world, op);
        put(&mut at.places, by as usize, after);
        Stepped::Done(made)
    }

    /// A thread, and all that it has started that have something to do.
    pub(crate) fn family(&self, at: &At, of: u32, known: &Knowledge) -> SmallVec<[u32; 4]> {
        if self.threads.len() == self.ours {
            return SmallVec::from_slice(&[of]);
        }
        let first = self.threads[of as usize];
        let is_child = |by: &u32| {
            let parent = |thread: &ThreadId| Some(known.parent(*thread)?.0);
            let thread = self.threads[*by as usize];
            *by != of && std::iter::successors(Some(thread), parent).any(|other| other == first)
        };
        let has_work = |by: &u32| {
            let place = at.places.get(*by as usize).copied().flatten();
            place.is_some_and(|place| op(place, known).is_some())
        };
        let others = (0..self.threads.len() as u32).filter(is_child);
        [of].into_iter().chain(others.filter(has_work)).collect()
    }
}

fn put(places: &mut Places, index: usize, place: NodeId) {
    if places.len() <= index {
        places.resize(index + 1, None);
    }
    places[index] = Some(place);
}
