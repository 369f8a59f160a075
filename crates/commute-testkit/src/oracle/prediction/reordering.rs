//! What a correct reordering is.

use std::collections::{BTreeMap, BTreeSet};

use commute_model::{LockId, Op, ThreadId, Value};

use super::observed::{Life, Observed, notifies};

/// Whether `rho` is a correct reordering; if not, why not.
pub(super) fn check(observed: &Observed<'_>, rho: &[usize]) -> Result<(), String> {
    threads_are_prefixes(observed, rho)?;
    needs_are_met(observed, rho)?;
    locks_are_well_used(observed, rho)?;
    outcomes_are_kept(observed, rho)?;
    permits_are_there(observed, rho)?;
    objects_are_consistent(observed, rho)?;
    objects_replay(observed, rho)
}

/// Whether event `e` can execute after `rho`, perhaps with another outcome; if not, why not.
pub(super) fn can_execute(observed: &Observed<'_>, rho: &[usize], e: usize) -> Result<(), String> {
    let with = [rho, &[e]].concat();
    threads_are_prefixes(observed, &with)?;
    needs_are_met(observed, &with)?;
    locks_are_well_used(observed, &with)?;
    permits_are_there(observed, &with)
}

fn ensure(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

fn threads_are_prefixes(observed: &Observed<'_>, rho: &[usize]) -> Result<(), String> {
    let threads: BTreeSet<ThreadId> = observed.events.iter().map(|e| e.thread).collect();
    for thread in threads {
        let of_thread = |e: &usize| observed.events[*e].thread == thread;
        let all: Vec<usize> = (0..observed.events.len()).filter(of_thread).collect();
        let kept: Vec<usize> = rho.iter().copied().filter(of_thread).collect();
        ensure(all.starts_with(&kept), || {
            format!("{thread:?} does {kept:?}, which is no prefix of {all:?}")
        })?;
    }
    Ok(())
}

fn needs_are_met(observed: &Observed<'_>, rho: &[usize]) -> Result<(), String> {
    for (at, &e) in rho.iter().enumerate() {
        for b in (0..e).filter(|&b| observed.needs(e, b)) {
            ensure(rho[..at].contains(&b), || format!("{e} needs {b}"))?;
        }
    }
    Ok(())
}

/// A hold of a lock: by whom, and whether it is exclusive.
type Hold = (ThreadId, LockId, bool);

fn locks_are_well_used(observed: &Observed<'_>, rho: &[usize]) -> Result<(), String> {
    // One entry per acquisition that was not released.
    let mut holds: Vec<Hold> = Vec::new();
    // How often those who wait held what they gave back.
    let mut given_back: BTreeMap<(ThreadId, LockId), usize> = BTreeMap::new();
    for &e in rho {
        let thread = observed.events[e].thread;
        match observed.events[e].op {
            Op::Acquire(l) | Op::Wake(_, l) => {
                let free = |&(t, m, _): &Hold| t == thread || m != l;
                ensure(holds.iter().all(free), || format!("{e}: lock is held"))?;
                let levels = match observed.events[e].op {
                    Op::Wake(..) => given_back.remove(&(thread, l)),
                    _ => None,
                };
                let levels = levels.unwrap_or(1);
                holds.extend(std::iter::repeat_n((thread, l, true), levels));
            }
            Op::ReadAcquire(l) => {
                let free = |&(t, m, exclusive): &Hold| t == thread || m != l || !exclusive;
                ensure(holds.iter().all(free), || format!("{e}: lock is held"))?;
                holds.push((thread, l, false));
            }
            Op::Wait(_, l) => {
                let before = holds.len();
                holds.retain(|hold| *hold != (thread, l, true));
                let levels = before - holds.len();
                given_back.insert((thread, l), levels.max(1));
            }
            Op::Release(l) => let_go(&mut holds, (thread, l, true)),
            Op::ReadRelease(l) => let_go(&mut holds, (thread, l, false)),
            _ => {}
        }
    }
    Ok(())
}

fn let_go(holds: &mut Vec<Hold>, hold: Hold) {
    if let Some(place) = holds.iter().position(|h| *h == hold) {
        holds.remove(place);
    }
}

fn outcomes_are_kept(observed: &Observed<'_>, rho: &[usize]) -> Result<(), String> {
    let sigma: Vec<usize> = (0..observed.events.len()).collect();
    for (at, &e) in rho.iter().enumerate() {
        let (was, is) = (
            outcome(observed, &sigma[..e], e),
            outcome(observed, &rho[..at], e),
        );
        ensure(was == is, || format!("{e}: {was:?} became {is:?}"))?;
    }
    Ok(())
}

/// What its thread can learn from an event, actions apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Outcome {
    pub(super) seen: Seen,
    /// Of each life that it belongs to, whether it was freed before.
    pub(super) freed: Vec<bool>,
}

/// What an event sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Seen {
    Nothing,
    /// Which write was read.
    Write(Option<usize>),
    /// Whether there was a notification since the wait.
    Notified(bool),
}

/// The outcome of event `e` when it comes right after the events `before`.
pub(super) fn outcome(observed: &Observed<'_>, before: &[usize], e: usize) -> Outcome {
    let op = |b: usize| &observed.events[b].op;
    let seen = match op(e) {
        Op::Read(_) => {
            let mut same = { before.iter().copied() }.filter(|&b| observed.share_life(b, e));
            Seen::Write(same.rfind(|&b| matches!(op(b), Op::Write(_))))
        }
        Op::Wake(condvar, _) => {
            let own_wait = |b: &usize| {
                let own = observed.events[*b].thread == observed.events[e].thread;
                own && matches!(op(*b), Op::Wait(c, _) if c == condvar)
            };
            let wait = before.iter().rposition(own_wait);
            let since = wait.map_or(&[][..], |wait| &before[wait..]);
            Seen::Notified(since.iter().any(|&b| notifies(op(b), *condvar)))
        }
        _ => Seen::Nothing,
    };
    let freed = |life: &Life| {
        let frees = |b: &usize| matches!(op(*b), Op::Free(_)) && observed.lives(*b).contains(life);
        before.iter().any(frees)
    };
    Outcome {
        seen,
        freed: observed.lives(e).iter().map(freed).collect(),
    }
}

fn objects_are_consistent(observed: &Observed<'_>, rho: &[usize]) -> Result<(), String> {
    let place = |e: usize| rho.iter().position(|&r| r == e);
    for a in 0..observed.events.len() {
        for b in 0..a {
            if let (Some(first), Some(second)) = (place(b), place(a)) {
                ensure(first < second || !observed.keeps_order(b, a), || {
                    format!("{b} and {a} are swapped")
                })?;
            }
            if place(a).is_some() && place(b).is_none() {
                ensure(!observed.depends(b, a), || format!("{a} without {b}"))?;
            }
        }
    }
    Ok(())
}

fn objects_replay(observed: &Observed<'_>, rho: &[usize]) -> Result<(), String> {
    let lives: BTreeSet<_> = rho.iter().flat_map(|&e| observed.lives(e)).collect();
    for life in lives {
        let mut states: Option<BTreeSet<Value>> = None;
        for &e in rho.iter().filter(|&&e| observed.lives(e).contains(life)) {
            if let Some(model) = observed.model(e) {
                let now = states.unwrap_or_else(|| BTreeSet::from([model.initial()]));
                let next: BTreeSet<Value> = observed.replay(e, model, &now).collect();
                ensure(!next.is_empty(), || format!("{e} returns something else"))?;
                states = Some(next);
            }
        }
    }
    Ok(())
}

fn permits_are_there(observed: &Observed<'_>, rho: &[usize]) -> Result<(), String> {
    for (at, &e) in rho.iter().enumerate() {
        let found = observed.has_permit(rho[..at].iter().copied(), e);
        ensure(found, || format!("{e} finds no permit"))?;
    }
    Ok(())
}
