//! Condition variables: who waited, and who notified.

use commute_model::{CondvarId, Id};

use super::access::{Access, Candidate, Subject, WAIT};
use super::certify::Kind;
use super::cone::Cones;
use super::held::Held;
use super::kept::{each, like, record};
use super::options::Options;

/// All condition variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Condvars(Vec<Vec<Access>>);

impl Condvars {
    /// The races of the current event, which waits for or notifies a condition variable.
    pub(super) fn races(
        &self,
        c: CondvarId,
        new: Access,
        options: &Options,
        (cones, held): (&Cones, &mut Held),
        out: &mut Vec<Candidate>,
    ) {
        let may_race = |old: &&Access| old.may_race(&new, cones, held);
        let races = self.against(c, &new).filter(may_race);
        let races = races.filter(|old| !self.is_outdated(c, old, &new, options));
        out.extend(races.map(|old| candidate(Kind::Race, c, old, new)));
    }

    /// The order violations of the current event, which is recorded.
    pub(super) fn access(
        &mut self,
        c: CondvarId,
        new: Access,
        options: &Options,
        cones: &Cones,
        out: &mut Vec<Candidate>,
    ) {
        let may_follow = |old: &&Access| old.may_follow(&new, cones);
        let orders = self.against(c, &new).filter(may_follow);
        let orders = orders.filter(|old| !self.is_outdated(c, old, &new, options));
        out.extend(orders.map(|old| candidate(Kind::Order, c, old, new)));
        if c.index() >= self.0.len() {
            self.0.resize_with(c.index() + 1, Vec::new);
        }
        record(&mut self.0[c.index()], new, options);
    }

    fn of(&self, c: CondvarId) -> &[Access] {
        self.0.get(c.index()).map_or(&[], |accesses| accesses)
    }

    /// The notifications before a wait, or the waits before a notification.
    fn against(&self, c: CondvarId, new: &Access) -> impl Iterator<Item = &Access> {
        let is_wait = new.kind() == WAIT;
        each(self.of(c)).filter(move |old| (old.kind() == WAIT) != is_wait)
    }

    fn is_outdated(&self, c: CondvarId, old: &Access, new: &Access, options: &Options) -> bool {
        old.is_outdated(new, options, || like(self.of(c), old))
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

fn candidate(kind: Kind, c: CondvarId, earlier: &Access, later: Access) -> Candidate {
    Candidate {
        kind,
        subject: Subject::Condvar(c),
        earlier: *earlier,
        later,
        order_only: true,
    }
}
