//! How far each thread is: whether it runs, and whether it was joined.

use commute_model::{Id, ThreadId};

use crate::ill_formed::Impossible;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// The thread was neither forked nor has it an event.
    Unseen,
    Running,
    Joined,
}

/// The stages of all threads.
#[derive(Clone, Debug, Default)]
pub(super) struct Stages(Vec<Stage>);

impl Stages {
    /// Whether an event of the thread changes nothing here.
    #[inline]
    pub(super) fn is_running(&self, t: ThreadId) -> bool {
        self.0.get(t.index()) == Some(&Stage::Running)
    }

    /// The next event is one of thread `t`; returns what is wrong with that.
    #[cold]
    pub(super) fn run(&mut self, t: ThreadId) -> Option<Impossible> {
        match self.of(t) {
            Stage::Joined => Some(Impossible::AfterJoin(t)),
            stage => {
                *stage = Stage::Running;
                None
            }
        }
    }

    /// Thread `u` is forked; returns what is wrong with that.
    pub(super) fn fork(&mut self, u: ThreadId) -> Option<Impossible> {
        let before = std::mem::replace(self.of(u), Stage::Running);
        (before == Stage::Running).then_some(Impossible::ForkOfRunning(u))
    }

    /// Thread `u` is joined.
    pub(super) fn join(&mut self, u: ThreadId) {
        *self.of(u) = Stage::Joined;
    }

    fn of(&mut self, t: ThreadId) -> &mut Stage {
        if t.index() >= self.0.len() {
            self.0.resize(t.index() + 1, Stage::Unseen);
        }
        &mut self.0[t.index()]
    }
}
