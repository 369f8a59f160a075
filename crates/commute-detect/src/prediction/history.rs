//! Which recorded events the check of a witness has to look at.
//!
//! To [check](super::validate) a witness, its events are compared with what happened in the
//! trace. Of a window of thousands of events few tell what that was: those of the witness
//! and those of their threads before them, the write that each read saw, forks and the ends
//! of joined threads, and notifications before a wake. The [`History`] finds these. It is no
//! part of the search for a witness, and the search does not use it.

use std::collections::VecDeque;

use commute_model::{CondvarId, Event, Op, ThreadId, VariableId};
use rustc_hash::FxHashMap;

use super::certify::Kind;
use super::indices::Indices;
use super::recent::{Before, Recent};
use super::validate;
use super::window::Context;

/// Events that are claimed to be a witness: after the first `prefix` ones of the trace and
/// those of `order`, `kind` holds of the pair. All are indices in the trace.
#[derive(Debug)]
pub(super) struct Claim {
    pub(super) prefix: u64,
    pub(super) order: Vec<u64>,
    pub(super) kind: Kind,
    pub(super) pair: (u64, u64),
}

/// What happened, of the last events of the trace. An index of 0 is none.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    /// The index of the first event that is covered.
    first: u64,
    /// For each event that is covered the write or the event of another thread before it
    /// that tells its outcome.
    sources: VecDeque<u64>,
    threads: FxHashMap<ThreadId, Vec<u64>>,
    forks: FxHashMap<ThreadId, Vec<u64>>,
    notifies: FxHashMap<CondvarId, Vec<u64>>,
    writes: FxHashMap<VariableId, u64>,
    /// The last event about the life of memory or an object: then all events count.
    life: u64,
}

impl History {
    /// Whether a claim is true.
    pub(super) fn holds(
        &mut self,
        claim: &Claim,
        recent: &Recent,
        before: &Before<'_>,
        context: &Context<'_>,
    ) -> bool {
        self.cover(claim.prefix, recent);
        let mut indices = Indices::new(claim.prefix, recent.last());
        match self.life > claim.prefix {
            true => (claim.prefix + 1..=recent.last()).for_each(|index| indices.insert(index)),
            false => self.add_relevant(claim, recent, &mut indices),
        }
        let events = indices.sorted();
        let events = events.iter().filter_map(|&index| recent.get(index));
        let events: Vec<&Event> = events.collect();
        let place = |index: u64| indices.place(index);
        let order: Option<Vec<u32>> = claim.order.iter().map(|&index| place(index)).collect();
        let pair = place(claim.pair.0).zip(place(claim.pair.1));
        order.zip(pair).is_some_and(|(order, pair)| {
            let claim = validate::Claim {
                events: &events,
                order: &order,
                kind: claim.kind,
                pair,
            };
            validate::holds(&claim, before, context)
        })
    }

    /// Covers the events after the first `prefix` ones up to the last one so far.
    fn cover(&mut self, prefix: u64, recent: &Recent) {
        let next = self.first + self.sources.len() as u64;
        let is_long = self.sources.len() > recent.most().saturating_mul(2);
        if self.first == 0 || prefix + 1 < self.first || next <= prefix || is_long {
            let more = (recent.last() - prefix).max(512);
            let start = prefix.saturating_sub(more).max(recent.gone());
            *self = History {
                first: start + 1,
                ..History::default()
            };
        }
        let next = self.first + self.sources.len() as u64;
        for (index, event) in (next..).zip(recent.after(next - 1)) {
            self.add(index, event);
        }
    }

    fn add(&mut self, index: u64, event: &Event) {
        self.threads.entry(event.thread).or_default().push(index);
        let mut source = 0;
        match &event.op {
            Op::Read(x) => source = self.writes.get(x).copied().unwrap_or(0),
            Op::Write(x) => {
                self.writes.insert(*x, index);
            }
            Op::Notify(c) | Op::NotifyAll(c) => self.notifies.entry(*c).or_default().push(index),
            Op::Fork(u) => self.forks.entry(*u).or_default().push(index),
            Op::Join(u) => {
                let last = self.threads.get(u).and_then(|events| events.last());
                source = last.copied().unwrap_or(0);
            }
            Op::Alloc(_) | Op::Free(_) | Op::New(..) | Op::Drop(_) | Op::Action(_) => {
                self.life = index;
            }
            _ => {}
        }
        self.sources.push_back(source);
    }

    /// Adds the events after the prefix that tell whether a claim is true.
    fn add_relevant(&self, claim: &Claim, recent: &Recent, relevant: &mut Indices) {
        let mut last: FxHashMap<ThreadId, u64> = FxHashMap::default();
        let mut add = |events: &[u64]| events.iter().for_each(|&index| relevant.insert(index));
        for &index in claim.order.iter().chain([&claim.pair.0, &claim.pair.1]) {
            let Some(event) = recent.get(index) else {
                continue;
            };
            let own = last.entry(event.thread).or_default();
            *own = index.max(*own);
            add(&[self.sources[(index - self.first) as usize]]);
            match &event.op {
                Op::Join(u) => add(between(&self.forks, u, claim.prefix, index)),
                Op::Wake(c, _) => add(between(&self.notifies, c, claim.prefix, index)),
                _ => {}
            }
        }
        // order: a set.
        for (t, last) in &last {
            add(between(&self.threads, t, claim.prefix, *last));
            add(between(&self.forks, t, claim.prefix, *last));
        }
    }
}

/// The events with this key after the first `prefix` ones up to `last`.
fn between<'a, K: Eq + std::hash::Hash>(
    all: &'a FxHashMap<K, Vec<u64>>,
    key: &K,
    prefix: u64,
    last: u64,
) -> &'a [u64] {
    let Some(events) = all.get(key) else {
        return &[];
    };
    let start = events.partition_point(|&event| event <= prefix);
    let len = events[start..].partition_point(|&event| event <= last);
    &events[start..start + len]
}
