//! A bound on how often a thread that could go on is interrupted.

use crate::run::Moment;
use crate::words::ThreadId;

/// How often a run may interrupt a thread that could go on, and how often it did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Preemptions {
    /// As often as it likes, if there is none.
    bound: Option<usize>,
    count: usize,
}

impl Preemptions {
    pub(crate) fn new(bound: Option<usize>) -> Preemptions {
        Preemptions { bound, count: 0 }
    }

    /// Why not everything is seen, if that is so.
    pub(crate) fn reason(bound: Option<usize>) -> Option<String> {
        bound.map(|bound| format!("bounded: at most {bound} preemptions in a run"))
    }

    /// Whoever may go on now.
    pub(crate) fn allowed(&self, moment: &Moment<'_>) -> Vec<ThreadId> {
        match interrupted(moment) {
            Some(last) if self.bound.is_some_and(|bound| self.count >= bound) => vec![last],
            _ => moment.enabled.to_vec(),
        }
    }

    /// This one goes on.
    pub(crate) fn count(&mut self, moment: &Moment<'_>, chosen: ThreadId) {
        self.count += usize::from(interrupted(moment).is_some_and(|last| last != chosen));
    }
}

/// Who is interrupted if somebody else goes on.
fn interrupted(moment: &Moment<'_>) -> Option<ThreadId> {
    let last = moment.steps.last()?.thread;
    moment.enabled.contains(&last).then_some(last)
}
