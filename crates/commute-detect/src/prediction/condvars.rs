//! Condition variables: who waited, and who notified.

use commute_model::{CondvarId, Id};

use super::access::{Access, Candidate, Subject, WAIT, each, record};
use super::certify::Kind;
use super::cone::Cones;
use super::held::Held;

/// All condition variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Condvars(Vec<Vec<Access>>);

impl Condvars {
    /// The current event waits for or notifies a condition variable.
    pub(super) fn access(
        &mut self,
        c: CondvarId,
        new: Access,
        cones: &Cones,
        held: &mut Held,
        out: &mut Vec<Candidate>,
    ) {
        if c.index() >= self.0.len() {
            self.0.resize_with(c.index() + 1, Vec::new);
        }
        let accesses = &mut self.0[c.index()];
        for old in each(accesses).filter(|old| (old.kind() == WAIT) != (new.kind() == WAIT)) {
            let mut pair = |kind| {
                out.push(Candidate {
                    kind,
                    subject: Subject::Condvar(c),
                    earlier: *old,
                    later: new,
                    order_only: true,
                });
            };
            if old.may_race(&new, cones, held) {
                pair(Kind::Race);
            }
            if old.may_follow(&new, cones) {
                pair(Kind::Order);
            }
        }
        record(accesses, new);
    }

    /// The wait at `index`, if it is one, and the last notification of another
    /// thread.
    pub(super) fn too_late(&self, c: CondvarId, index: u64) -> Option<(Access, Access)> {
        let accesses = self.0.get(c.index())?;
        let wait = accesses.iter().find(|access| access.index() == index)?;
        let others = accesses.iter().filter(|other| other.thread != wait.thread);
        let notify = others.filter(|other| other.kind() != WAIT);
        Some((*notify.max_by_key(|notify| notify.index())?, *wait))
    }
}
