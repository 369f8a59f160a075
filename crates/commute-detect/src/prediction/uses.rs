//! Who used locks and condition variables, for when one of them is freed.
//!
//! Locks are acquired all the time and hardly ever freed, so nothing is written
//! down when one is used. When one is freed, the events that came since the last
//! time are looked at, as far as they are still kept. A use further back than a
//! witness may begin is not paired at all: it could not be certified, and of a
//! lock that lives long an unconfirmed finding would say little.

use commute_model::{Event, Op, ThreadId};
use rustc_hash::FxHashMap;

use super::access::{self, Access, Candidate};
use super::certify::Kind;
use super::cone::Cones;
use super::held::Held;
use super::kept::{each, like, record};
use super::namesakes::{Namesakes, Used, used};
use super::options::Options;
use super::recent::Recent;
use super::threads::Threads;

/// The uses of locks and condition variables that were looked at.
#[derive(Clone, Debug, Default)]
pub(super) struct Uses {
    /// How many events were looked at, or are not kept any more.
    seen: u64,
    threads: Threads,
    /// How many events each slot had up to there.
    counts: Vec<u32>,
    accesses: FxHashMap<Used, Vec<Access>>,
    /// If there are more, old ones are forgotten.
    most: usize,
}

/// What an event does, as far as it is no access to a variable.
pub(super) fn kind(op: &Op) -> u32 {
    match op {
        Op::Acquire(_) => access::ACQUIRE,
        Op::Release(_) => access::RELEASE,
        Op::ReadAcquire(_) => access::READ_ACQUIRE,
        Op::ReadRelease(_) => access::READ_RELEASE,
        Op::Wait(..) => access::WAIT,
        Op::Wake(..) => access::WAKE,
        Op::Notify(_) => access::NOTIFY,
        _ => access::NOTIFY_ALL,
    }
}

impl Uses {
    /// Looks at the events up to the current one, which is not kept yet.
    pub(super) fn catch_up(
        &mut self,
        recent: &Recent,
        namesakes: &Namesakes,
        (cones, held): (&mut Cones, &mut Held),
        options: &Options,
    ) {
        if self.seen < recent.gone() {
            self.start(recent, cones, held);
        }
        let first = self.seen + 1;
        for (index, event) in (first..).zip(recent.after(self.seen)) {
            let t = ThreadId(cones.slot(event.thread));
            self.event((t, event), index, namesakes, held, options);
            self.seen = index;
        }
        self.forget(recent.gone());
    }

    /// Begins with the first event that is kept.
    fn start(&mut self, recent: &Recent, cones: &mut Cones, held: &mut Held) {
        *self = Uses {
            seen: recent.gone(),
            ..Uses::default()
        };
        for event in recent.after(self.seen) {
            *self.count(ThreadId(cones.slot(event.thread))) += 1;
        }
        for (t, count) in self.counts.iter_mut().enumerate() {
            // Without the current event, and those that are still to come here.
            *count = cones.count(t as u32) - 1 - *count;
        }
        let (holds, _, given_back) = recent.held(self.seen);
        for (t, lock, shared) in holds {
            // How long it has been held is not known: for too long.
            let t = ThreadId(cones.slot(t));
            self.threads.acquire(t, lock, shared, self.seen, held);
        }
        for ((t, lock), levels) in given_back {
            let t = ThreadId(cones.slot(t));
            self.threads.give_back(t, lock, levels);
        }
    }

    /// If there is much, forgets what was used only by events that are gone.
    fn forget(&mut self, gone: u64) {
        let count = self.accesses.len();
        if count <= self.most {
            return;
        }
        let recent = |list: &Vec<Access>| list.iter().any(|access| access.index() > gone);
        // order: what is kept does not depend on it.
        self.accesses.retain(|_, list| recent(list));
        self.most = 2 * self.accesses.len() + 1000;
    }

    fn count(&mut self, t: ThreadId) -> &mut u32 {
        let place = t.0 as usize;
        if place >= self.counts.len() {
            self.counts.resize(place + 1, 0);
        }
        &mut self.counts[place]
    }

    fn event(
        &mut self,
        (t, event): (ThreadId, &Event),
        index: u64,
        namesakes: &Namesakes,
        held: &mut Held,
        options: &Options,
    ) {
        *self.count(t) += 1;
        let count = *self.count(t);
        for used in used(&event.op) {
            let access = { &mut self.threads }.access(t, (event, count), index, kind(&event.op));
            record(self.accesses.entry(used).or_default(), access, options);
        }
        match event.op {
            Op::Acquire(l) => self.threads.acquire(t, l, false, index, held),
            Op::ReadAcquire(l) => self.threads.acquire(t, l, true, index, held),
            Op::Release(l) => self.threads.release(t, l, false, held),
            Op::ReadRelease(l) => self.threads.release(t, l, true, held),
            Op::Wait(_, l) => self.threads.wait(t, l, held),
            Op::Wake(_, l) => self.threads.wake(t, l, index, held),
            Op::Notify(_) | Op::NotifyAll(_) => self.threads.synchronise(t),
            Op::Alloc(x) => {
                for used in namesakes.of(x) {
                    self.accesses.remove(&used);
                }
            }
            _ => {}
        }
    }

    /// Something is freed: pairs that with its uses in the window.
    pub(super) fn pair(
        &self,
        used: Used,
        free: Access,
        (cones, held): (&Cones, &mut Held),
        options: &Options,
        out: &mut Vec<Candidate>,
    ) {
        let list = self.accesses.get(&used).map_or(&[][..], |list| list);
        let first = free.index().saturating_sub(options.window as u64);
        let is_near = |old: &&Access| old.index() > first;
        for old in each(list).filter(is_near) {
            let mut pair = |kind| {
                out.push(Candidate {
                    kind,
                    subject: used.into(),
                    earlier: *old,
                    later: free,
                    order_only: true,
                });
            };
            if !old.may_follow(&free, cones) || old.is_outdated(&free, options, || like(list, old))
            {
                continue;
            }
            if old.may_race(&free, cones, held) {
                pair(Kind::Race);
            }
            pair(Kind::Order);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use commute_spec::Library;
    use commute_testkit::traces::Family;

    use super::*;
    use crate::objects::Objects;

    /// Whoever looks for the first time when most events are gone sees the same in
    /// those that are left as who looked at all of them.
    #[test]
    fn it_does_not_matter_when_one_begins_to_look() {
        let library = Arc::new(Library::shipped());
        let family = Family {
            events: 80,
            threads: 4,
            locking: 60,
            nested: 60,
            read_locks: 20,
            condvars: 20,
            ..Family::default()
        };
        let (mut compared, mut others) = (0, 0);
        for seed in 0..50 {
            let trace = family.trace(seed, &library);
            let objects = Objects::new(library.clone());
            let (mut recent, options) = (Recent::new(20, false), Options::default());
            let (mut cones, mut held) = (Cones::default(), Held::default());
            let (namesakes, mut always) = (Namesakes::default(), Uses::default());
            for (index, event) in (1..).zip(&trace.events) {
                always.catch_up(&recent, &namesakes, (&mut cones, &mut held), &options);
                cones.tick(event.thread.0);
                recent.push(event, index, &objects, &trace.names);
            }
            let mut late = Uses::default();
            for uses in [&mut always, &mut late] {
                uses.catch_up(&recent, &namesakes, (&mut cones, &mut held), &options);
            }
            // order: each is compared on its own.
            for (used, accesses) in &late.accesses {
                for access in accesses {
                    let same = |other: &&Access| other.index() == access.index();
                    let Some(other) = always.accesses[used].iter().find(same) else {
                        // It has seen uses under other locks, and kept those.
                        others += 1;
                        continue;
                    };
                    assert_eq!(access.count, other.count, "{seed}, {access:?}");
                    assert_eq!(access.held, other.held, "{seed}, {access:?}");
                    assert!(access.inside <= other.inside, "{seed}, {access:?}");
                    compared += 1;
                }
            }
        }
        assert!(compared > 20 * others && compared > 500, "only {compared}");
    }
}
