//! Breadth-first search through all configurations of a trace.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use commute_model::{CondvarId, Id, LockId, Op, ThreadId, Value};
use commute_spec::models::Model;

use super::Witnesses;
use super::observed::{Life, Observed};
use super::reordering::{Outcome, Seen, outcome};

/// Everything on which the future depends. Which locks are held, which
/// variables were freed and which events have happened follow from `done`.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Configuration {
    /// How many events of each thread have happened.
    done: Vec<usize>,
    /// The last write of each life of a variable.
    writers: BTreeMap<Life, usize>,
    /// For each thread that began to wait: whether there was a notification
    /// since.
    notified: BTreeMap<(ThreadId, CondvarId), bool>,
    /// The states that each object's model can be in, where it is replayed.
    states: BTreeMap<Life, BTreeSet<Value>>,
}

/// What the search asks again and again.
struct Search<'a> {
    observed: &'a Observed<'a>,
    /// The events of each thread.
    threads: Vec<Vec<usize>>,
    /// The place of each event in its thread.
    rank: Vec<usize>,
    outcome: Vec<Outcome>,
    model: Vec<Option<&'static dyn Model>>,
    /// What has to have happened before each event, reordered actions apart.
    needs: Vec<Vec<usize>>,
    /// What each action happens only after.
    depends: Vec<Vec<usize>>,
    /// What each action does not happen after.
    overtaken: Vec<Vec<usize>>,
    frees: BTreeMap<Life, Vec<usize>>,
    /// How often each lock is held exclusively and shared by each thread after
    /// so many of its events.
    held: Vec<Vec<BTreeMap<LockId, (usize, usize)>>>,
    conflicts: BTreeSet<(usize, usize)>,
}

/// All predicted pairs with shortest witnesses; `None` if there are more than
/// `most` configurations.
pub(super) fn all(observed: &Observed<'_>, most: usize) -> Option<Witnesses> {
    let search = Search::new(observed);
    let start = Configuration {
        done: vec![0; search.threads.len()],
        writers: BTreeMap::new(),
        notified: BTreeMap::new(),
        states: BTreeMap::new(),
    };
    let mut seen = HashSet::from([start.clone()]);
    // Each configuration, and from which one and by which event it was reached.
    let mut reached = vec![(start, None)];
    let mut found = Witnesses::default();
    let mut current = 0;
    while current < reached.len() {
        if reached.len() > most {
            return None;
        }
        let now = reached[current].0.clone();
        let path = || {
            let from = |&(number, _): &(usize, usize)| reached[number].1;
            let steps = std::iter::successors(reached[current].1, from);
            let mut path: Vec<usize> = steps.map(|(_, e)| e).collect();
            path.reverse();
            path
        };
        for &(e1, e2) in &search.conflicts {
            if search.can_execute(&now, e1) && search.can_execute(&now, e2) {
                found.races.entry((e1, e2)).or_insert_with(path);
            }
            if search.can_execute(&now, e1) && search.happened(&now, e2) {
                found.orders.entry((e1, e2)).or_insert_with(path);
            }
        }
        for (t, events) in search.threads.iter().enumerate() {
            let Some(&e) = events.get(now.done[t]) else {
                continue;
            };
            if let Some(after) = search.step(&now, e)
                && seen.insert(after.clone())
            {
                reached.push((after, Some((current, e))));
            }
        }
        current += 1;
    }
    Some(found)
}

impl<'a> Search<'a> {
    fn new(observed: &'a Observed<'a>) -> Search<'a> {
        let events = observed.events;
        let n = events.len();
        let count = events.iter().map(|e| e.thread.index() + 1).max();
        let mut threads = vec![Vec::new(); count.unwrap_or(0)];
        let mut rank = Vec::new();
        for (e, event) in events.iter().enumerate() {
            let own: &mut Vec<usize> = &mut threads[event.thread.index()];
            rank.push(own.len());
            own.push(e);
        }
        let mut frees: BTreeMap<Life, Vec<usize>> = BTreeMap::new();
        for (e, event) in events.iter().enumerate() {
            if let (Op::Free(_), [life]) = (&event.op, observed.lives(e)) {
                frees.entry(*life).or_default().push(e);
            }
        }
        let sigma: Vec<usize> = (0..n).collect();
        let pick = |range: std::ops::Range<usize>, keep: &dyn Fn(usize) -> bool| {
            range.filter(|&other| keep(other)).collect::<Vec<_>>()
        };
        let held = threads.iter().map(|own| held(observed, own)).collect();
        Search {
            observed,
            threads,
            rank,
            outcome: (0..n).map(|e| outcome(observed, &sigma[..e], e)).collect(),
            model: (0..n).map(|e| observed.model(e)).collect(),
            needs: (0..n)
                .map(|e| pick(0..e, &|b| observed.needs(e, b)))
                .collect(),
            depends: (0..n)
                .map(|e| pick(0..e, &|b| observed.depends(b, e)))
                .collect(),
            overtaken: (0..n)
                .map(|e| pick(e + 1..n, &|a| observed.keeps_order(e, a)))
                .collect(),
            frees,
            held,
            conflicts: observed.conflicts(),
        }
    }

    fn happened(&self, now: &Configuration, e: usize) -> bool {
        self.rank[e] < now.done[self.observed.events[e].thread.index()]
    }

    /// Whether event `e` is the next of its thread, which runs, and is about
    /// something that exists. Its outcome may differ.
    fn is_next(&self, now: &Configuration, e: usize) -> bool {
        self.rank[e] == now.done[self.observed.events[e].thread.index()]
            && self.needs[e].iter().all(|&b| self.happened(now, b))
    }

    /// Whether event `e` is next and the lock that it acquires, if it acquires one, is
    /// free. Its outcome may differ.
    fn can_execute(&self, now: &Configuration, e: usize) -> bool {
        self.is_next(now, e) && self.lock_is_free(now, e) && self.has_permit(now, e)
    }

    /// The configuration after event `e`, which is the next of its thread, if it
    /// can happen with its outcome.
    fn step(&self, now: &Configuration, e: usize) -> Option<Configuration> {
        let legal = self.can_execute(now, e)
            && self.outcome_now(now, e) == self.outcome[e]
            && self.depends[e].iter().all(|&b| self.happened(now, b))
            && !self.overtaken[e].iter().any(|&a| self.happened(now, a));
        if !legal {
            return None;
        }
        let mut after = now.clone();
        let event = &self.observed.events[e];
        after.done[event.thread.index()] += 1;
        match (&event.op, self.observed.lives(e)) {
            (Op::Write(_), [life]) => {
                after.writers.insert(*life, e);
            }
            (Op::Wait(c, _), _) => {
                after.notified.insert((event.thread, *c), false);
            }
            (Op::Notify(c) | Op::NotifyAll(c), _) => {
                for ((_, condvar), notified) in &mut after.notified {
                    *notified |= condvar == c;
                }
            }
            (Op::Action(_), [life]) => {
                if let Some(model) = self.model[e] {
                    let first = BTreeSet::from([model.initial()]);
                    let states = now.states.get(life).unwrap_or(&first);
                    let next: BTreeSet<Value> = self.observed.replay(e, model, states).collect();
                    if next.is_empty() {
                        return None;
                    }
                    after.states.insert(*life, next);
                }
            }
            _ => {}
        }
        Some(after)
    }

    /// Whether event `e` finds a permit, if it takes one.
    fn has_permit(&self, now: &Configuration, e: usize) -> bool {
        let events = 0..self.observed.events.len();
        self.observed
            .has_permit(events.filter(|&b| self.happened(now, b)), e)
    }

    /// Whether no other thread is in the way of what event `e` acquires.
    fn lock_is_free(&self, now: &Configuration, e: usize) -> bool {
        let (lock, exclusive) = match self.observed.events[e].op {
            Op::Acquire(l) | Op::Wake(_, l) => (l, true),
            Op::ReadAcquire(l) => (l, false),
            _ => return true,
        };
        let own = self.observed.events[e].thread.index();
        let in_the_way = |t: usize| {
            let holds = self.held[t][now.done[t]].get(&lock);
            let (exclusively, shared) = holds.copied().unwrap_or_default();
            exclusively > 0 || exclusive && shared > 0
        };
        !(0..now.done.len()).any(|t| t != own && in_the_way(t))
    }

    /// The outcome event `e` would have.
    fn outcome_now(&self, now: &Configuration, e: usize) -> Outcome {
        let event = &self.observed.events[e];
        let lives = self.observed.lives(e);
        let seen = match event.op {
            Op::Read(_) => {
                Seen::Write(lives.iter().find_map(|life| now.writers.get(life).copied()))
            }
            Op::Wake(c, _) => Seen::Notified(now.notified.get(&(event.thread, c)) == Some(&true)),
            _ => Seen::Nothing,
        };
        let freed = |life| {
            let frees = self.frees.get(life);
            frees.is_some_and(|frees| frees.iter().any(|&f| self.happened(now, f)))
        };
        Outcome {
            seen,
            freed: lives.iter().map(freed).collect(),
        }
    }
}

/// How often each lock is held exclusively and shared after 0, 1, … of these
/// events of one thread.
fn held(observed: &Observed<'_>, own: &[usize]) -> Vec<BTreeMap<LockId, (usize, usize)>> {
    let mut now: BTreeMap<LockId, (usize, usize)> = BTreeMap::new();
    let mut all = vec![now.clone()];
    // How often each lock was held that was given back to wait.
    let mut given_back: BTreeMap<LockId, usize> = BTreeMap::new();
    for &e in own {
        match observed.events[e].op {
            Op::Acquire(l) => now.entry(l).or_default().0 += 1,
            Op::ReadAcquire(l) => now.entry(l).or_default().1 += 1,
            Op::Wait(_, l) => {
                let levels = std::mem::take(&mut now.entry(l).or_default().0);
                given_back.insert(l, levels.max(1));
            }
            Op::Wake(_, l) => {
                let levels = given_back.remove(&l).unwrap_or(1);
                now.entry(l).or_default().0 += levels;
            }
            Op::Release(l) => {
                let count = &mut now.entry(l).or_default().0;
                *count = count.saturating_sub(1);
            }
            Op::ReadRelease(l) => {
                let count = &mut now.entry(l).or_default().1;
                *count = count.saturating_sub(1);
            }
            _ => {}
        }
        all.push(now.clone());
    }
    all
}
