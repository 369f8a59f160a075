//! Steps of a program in the models, as far as its code is known.

use commute_explore::{Knowledge, Next, NodeId, OpId, ThreadId};
use commute_model::Value;
use smallvec::SmallVec;

use crate::worlds::{WorldId, Worlds};

/// A step that was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Made {
    /// Who made it, by the number in the cast.
    pub(crate) by: u32,
    pub(crate) op: OpId,
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

/// Where threads are: one of ours comes first, then those that it has started, by number.
pub(crate) type Crew = SmallVec<[(u32, NodeId); 2]>;

/// All threads, by small numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cast {
    /// Ours, then those that they have started.
    pub(crate) threads: Vec<ThreadId>,
}

/// What a method does to say that it takes effect by its last step.
pub(crate) const TAKES_EFFECT: &str = "takes_effect";

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

/// Whether the first and all that it has started have nothing more to do.
pub(crate) fn has_ended(crew: &Crew, known: &Knowledge) -> bool {
    let (_, first) = crew[0];
    let mut others = crew[1..].iter();
    known.next(first).is_some()
        && is_over(first, known)
        && others.all(|(_, place)| op(*place, known).is_none())
}

impl Cast {
    /// The number of a thread, which may be new.
    fn number(&mut self, thread: ThreadId) -> u32 {
        let found = self.threads.iter().position(|other| *other == thread);
        let found = found.unwrap_or_else(|| {
            self.threads.push(thread);
            self.threads.len() - 1
        });
        found as u32
    }

    /// A thread of ours that has not begun.
    pub(crate) fn crew(&self, number: u32, known: &mut Knowledge) -> Crew {
        let root = known.root(self.threads[number as usize], None);
        Crew::from_slice(&[(number, root)])
    }

    /// Lets a thread of a crew make a step.
    pub(crate) fn step(
        &mut self,
        crew: &mut Crew,
        index: usize,
        world: &mut WorldId,
        worlds: &mut Worlds,
        known: &mut Knowledge,
    ) -> Stepped {
        let (by, place) = crew[index];
        let Some(op) = op(place, known) else {
            return Stepped::Unknown;
        };
        let Some((result, next)) = worlds.step(*world, op, known) else {
            return Stepped::Blocked;
        };
        let made = Made { by, op };
        let Some(after) = known.known_after(place, result) else {
            return Stepped::Unknown;
        };
        match known.next(after) {
            None => return Stepped::Unknown,
            Some(Next::Spins(back)) => {
                crew[index].1 = *back;
                return Stepped::Vain(made);
            }
            Some(_) => {}
        }
        let child = known.operation(op).spawns;
        let child = child.map(|child| (child, known.root(child, Some(place))));
        if child.is_some_and(|(_, root)| known.next(root).is_none()) {
            return Stepped::Unknown;
        }
        crew[index].1 = after;
        if let Some((child, root)) = child {
            let child = self.number(child);
            let at = crew[1..].iter().position(|(other, _)| *other > child);
            crew.insert(at.map_or(crew.len(), |at| at + 1), (child, root));
        }
        *world = next;
        Stepped::Done(made)
    }
}
