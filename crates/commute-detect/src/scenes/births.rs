//! Where the threads of a finding begin: scenes have that, however far away it is.

use commute_model::{Event, Finding, Names, Op, ThreadId};
use rustc_hash::FxHashMap;

/// Who wants to see which thread begin.
#[derive(Clone, Debug, Default)]
pub(super) struct Births {
    /// The scenes that want a thread of this name.
    wanted: FxHashMap<String, Vec<usize>>,
    /// The threads that were forked and have done nothing yet.
    unborn: FxHashMap<ThreadId, Vec<usize>>,
}

impl Births {
    /// The scene number `shot` is about this finding.
    pub(super) fn watch(&mut self, finding: &Finding, shot: usize) {
        for event in &finding.events {
            let shots = self.wanted.entry(event.thread.clone()).or_default();
            if shots.last() != Some(&shot) {
                shots.push(shot);
            }
        }
    }

    /// The scenes that this event belongs to because a thread is forked, or begins.
    pub(super) fn step(&mut self, event: &Event, names: &Names) -> Vec<usize> {
        let mut shots = match self.unborn.is_empty() {
            true => Vec::new(),
            false => self.unborn.remove(&event.thread).unwrap_or_default(),
        };
        if let Op::Fork(child) = event.op
            && !self.wanted.is_empty()
            // Once: a scene must not grow with what a trace says again and again.
            && let Some(wanted) = self.wanted.remove(&names.threads.name(child).to_string())
        {
            shots.extend(&wanted);
            self.unborn.insert(child, wanted);
        }
        shots.sort_unstable();
        shots.dedup();
        shots
    }
}
