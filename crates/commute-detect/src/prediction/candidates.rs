//! Candidates on their way to being certified.
//!
//! A candidate waits until its thread holds no lock, and a little longer:
//! closing a section may take events that come later. Candidates between the same places
//! in the source code are tried until one of them is certified. What is refuted by an
//! argument that is known costs little; where trying all would take too long, the rest
//! is left, and the pair of places is unconfirmed.

use std::collections::{BTreeMap, VecDeque};

use commute_model::{Event, LocationId, Names};
use rustc_hash::FxHashMap;

use crate::locksets::LockSetId;

use super::access::{Access, Candidate, Subject};
use super::argument::Argument;
use super::attempt::{Attempt, Known, Work, attempt, start};
use super::certify::Kind;
use super::options::Options;
use super::recent::{Born, Recent};
use super::window::Context;

/// How many events more a candidate waits for.
const LAG: u64 = 100;
/// So many candidates of a group are tried in any case.
const LEAST_TRIES: u32 = 8;
/// What refuting the candidates of a group by different arguments may cost, in budgets
/// of one search.
const GROUP_BUDGETS: usize = 128;
/// What refuting all candidates may cost, in events that are looked at: so many at first,
/// and so many more for each event of the trace.
const WORK: u64 = 20_000_000;
const WORK_PER_EVENT: u64 = 32;
/// How many pairs of threads and lock sets of a group are told apart.
const MOST_EVIDENCE: usize = 64;
/// So many candidates of each are tried in any case: of an event with all accesses that
/// are kept of another thread, under the same locks.
const TRIES_OF_EVIDENCE: u32 = 4;
/// How many groups there are at most.
const MOST_GROUPS: usize = 10_000;
/// Why a candidate is neither shown nor refuted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// A section of a lock does not end in the trace.
    OpenSection,
    /// The search took too long.
    Budget,
    /// The two events are too far apart.
    Window,
    /// There were too many pairs of events at the same two places: those that were tried
    /// are impossible.
    Attempts,
    /// The witness replays an object that, as the trace shows later, was not new when it
    /// was made.
    Contents,
    /// It was found by a reading that does not promise anything.
    Lax,
}

/// A race or an order violation that can happen.
#[derive(Clone, Debug)]
pub struct Predicted {
    /// Which of the two.
    pub kind: Kind,
    /// The index of the event that came first.
    pub earlier: u64,
    /// The index of the other.
    pub later: u64,
    /// Whether no value flows between the two.
    pub order_only: bool,
    /// Why it is not certain, if it is not.
    pub unconfirmed: Option<Reason>,
    /// The first so many events come first, unchanged.
    pub prefix: u64,
    /// The events after that, in order, by index; then the pair.
    pub steps: Vec<u64>,
    pub(super) candidate: Candidate,
    pub(super) pair: Option<(Event, Event)>,
    /// The lives of objects that the witness replays.
    pub(super) replayed: Vec<Born>,
    /// The last of the steps, without the pair.
    pub(super) shown: Vec<(u64, Event)>,
    pub(super) count: u64,
}

/// Candidates between the same places.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Key {
    kind: Kind,
    locations: (LocationId, LocationId),
    /// Where the places are not known, the subject, the threads and what they do.
    otherwise: Option<Otherwise>,
}

impl Key {
    /// The group of the order violation of this candidate.
    fn order(&self, candidate: &Candidate) -> Key {
        let (a, b) = (&candidate.earlier, &candidate.later);
        Key {
            kind: Kind::Order,
            locations: (a.location, b.location),
            otherwise: self.otherwise,
        }
    }
}

/// What stands for places that are not known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Otherwise {
    subject: Subject,
    threads: (u32, u32),
    kinds: (u32, u32),
}

impl Key {
    /// Two that race do so whichever comes first.
    fn at(kind: Kind, a: LocationId, b: LocationId) -> Key {
        let locations = match kind {
            Kind::Race => (a.min(b), a.max(b)),
            Kind::Order => (a, b),
        };
        Key {
            kind,
            locations,
            otherwise: None,
        }
    }
}

#[derive(Clone, Debug, Default)]
struct Group {
    /// How many candidates there were.
    count: u64,
    tries: u32,
    /// How often candidates were refuted by each argument.
    refuted: FxHashMap<Argument, u32>,
    /// What the refutations by different arguments have cost.
    cost: usize,
    /// The threads and the lock sets of candidates, with how many of each there were.
    evidence: FxHashMap<Evidence, u32>,
    /// The last candidate that was left out.
    left_out: Option<Candidate>,
    predicted: Option<usize>,
    unconfirmed: Option<(Reason, Candidate)>,
}

/// The threads of two accesses, and the locks that these hold.
type Evidence = [(u32, LockSetId); 2];

#[derive(Clone, Copy, Debug)]
struct Pending {
    key: Key,
    candidate: Candidate,
}

/// All candidates.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidates {
    /// By thread: candidates whose later event is in a critical section that has not ended.
    inside: BTreeMap<u32, Vec<Pending>>,
    /// Candidates that are tried when the trace has got to an event, in order.
    due: VecDeque<(u64, Pending)>,
    /// What refuting candidates has cost so far, in events that were looked at.
    work: u64,
    groups: FxHashMap<Key, Group>,
    /// Keys in the order in which they were first seen.
    order: Vec<Key>,
    predicted: Vec<Predicted>,
    dropped: u64,
    known: Known,
}

impl Candidates {
    pub(super) fn is_idle(&self) -> bool {
        self.due.is_empty() && self.inside.is_empty()
    }

    pub(super) fn found(&self) -> bool {
        self.predicted.iter().any(|p| p.unconfirmed.is_none())
    }

    pub(super) fn dropped(&self) -> u64 {
        self.dropped
    }

    pub(super) fn predicted(&self) -> &[Predicted] {
        &self.predicted
    }

    /// Takes the candidates of an event.
    pub(super) fn add(&mut self, found: &mut Vec<Candidate>, names: &Names) {
        let nowhere = names.locations.lookup("");
        // An order violation says more than a race.
        found.sort_by_key(|candidate| candidate.kind == Kind::Race);
        for candidate in found.drain(..) {
            let (earlier, later) = (&candidate.earlier, &candidate.later);
            if earlier.is_forgotten() {
                self.dropped += 1;
                continue;
            }
            let unknown = |location| Some(location) == nowhere;
            let unknown = unknown(earlier.location) || unknown(later.location);
            let key = match unknown {
                true => Key {
                    kind: candidate.kind,
                    locations: (earlier.location, later.location),
                    otherwise: Some(Otherwise {
                        subject: candidate.subject,
                        threads: (earlier.thread, later.thread),
                        kinds: (earlier.kind(), later.kind()),
                    }),
                },
                false => Key::at(candidate.kind, earlier.location, later.location),
            };
            if !self.groups.contains_key(&key) {
                if self.groups.len() >= MOST_GROUPS {
                    self.dropped += 1;
                    continue;
                }
                self.order.push(key);
            }
            let group = self.groups.entry(key).or_default();
            group.count += 1;
            if group.predicted.is_none() {
                let inside = self.inside.entry(candidate.later.thread);
                inside.or_default().push(Pending { key, candidate });
            }
        }
    }

    /// Certifies the candidates that are due, or all.
    pub(super) fn certify(
        &mut self,
        recent: &Recent,
        context: &Context<'_>,
        options: &Options,
        (now, all): (u64, bool),
        depth: impl Fn(u32) -> u32,
    ) {
        let leaves = |pending: &Pending| {
            start(&pending.candidate).saturating_sub(1) < recent.gone() + 2 * LAG
                && recent.gone() > 0
        };
        for (thread, mut inside) in std::mem::take(&mut self.inside) {
            let is_over = depth(thread) == 0;
            let mut now_due = Vec::new();
            inside.retain(|pending| {
                let leaves = leaves(pending);
                if leaves {
                    now_due.push(*pending);
                } else if is_over {
                    self.due.push_back((now + LAG, *pending));
                }
                !leaves && !is_over
            });
            if !inside.is_empty() {
                self.inside.insert(thread, inside);
            }
            for pending in now_due {
                self.decide(&pending, recent, context, options, now);
            }
        }
        while let Some(&(due, pending)) = self.due.front()
            && (all || due <= now)
        {
            self.due.pop_front();
            self.decide(&pending, recent, context, options, now);
        }
        if all {
            for pending in std::mem::take(&mut self.inside).into_values().flatten() {
                self.decide(&pending, recent, context, options, now);
            }
            for key in self.order.clone() {
                self.try_left_out(key, recent, context, options, now);
            }
        }
        if all {
            let withdrawn =
                |p: &&mut Predicted| p.replayed.iter().any(|born| recent.is_filled(born));
            for predicted in self.predicted.iter_mut().filter(withdrawn) {
                predicted.unconfirmed = Some(Reason::Contents);
            }
            // order: each has its own place.
            for group in self.groups.values() {
                if let Some(place) = group.predicted {
                    self.predicted[place].count = group.count;
                }
            }
            self.report_unconfirmed(recent);
        }
    }

    fn decide(
        &mut self,
        pending: &Pending,
        recent: &Recent,
        context: &Context<'_>,
        options: &Options,
        now: u64,
    ) {
        let sibling = pending.key.order(&pending.candidate);
        let shown =
            |key| { self.groups.get(&key) }.is_some_and(|group: &Group| group.predicted.is_some());
        if shown(pending.key) || shown(sibling) {
            return;
        }
        let candidate = pending.candidate;
        let group = self.groups.entry(pending.key).or_default();
        let of = |access: &Access| (access.thread, access.held);
        let evidence = [of(&candidate.earlier), of(&candidate.later)];
        let is_known = group.evidence.len() >= MOST_EVIDENCE;
        let is_new = match group.evidence.get_mut(&evidence) {
            Some(tries) => {
                *tries += 1;
                *tries <= TRIES_OF_EVIDENCE
            }
            None if is_known => false,
            None => group.evidence.insert(evidence, 1).is_none(),
        };
        let may_cost = options.budget.saturating_mul(GROUP_BUDGETS);
        let may_work = WORK + WORK_PER_EVENT * now;
        let is_too_much = group.cost > may_cost || self.work > may_work;
        if is_too_much && group.tries >= LEAST_TRIES && !is_new {
            group.left_out = Some(candidate);
            group
                .unconfirmed
                .get_or_insert((Reason::Attempts, candidate));
            return;
        }
        self.attempt(pending.key, candidate, recent, context, options, now);
    }

    /// Tries the last candidate of a group that was left out: it is the one that is least
    /// like those that were tried.
    fn try_left_out(
        &mut self,
        key: Key,
        recent: &Recent,
        context: &Context<'_>,
        options: &Options,
        now: u64,
    ) {
        let group = self.groups.entry(key).or_default();
        if let Some(candidate) = group.left_out.take()
            && group.predicted.is_none()
        {
            self.attempt(key, candidate, recent, context, options, now);
        }
    }

    fn attempt(
        &mut self,
        key: Key,
        candidate: Candidate,
        recent: &Recent,
        context: &Context<'_>,
        options: &Options,
        now: u64,
    ) {
        let group = self.groups.entry(key).or_default();
        group.tries += 1;
        let mut work = Work::default();
        match attempt(
            &candidate,
            recent,
            context,
            options,
            (now, &group.refuted),
            (&mut self.known, &mut work),
        ) {
            Ok(Attempt::Shown(predicted)) => {
                group.predicted = Some(self.predicted.len());
                self.predicted.push(*predicted);
            }
            Ok(Attempt::Refuted(argument)) => {
                let times = group.refuted.entry(argument).or_default();
                if *times == 0 {
                    group.cost += work.events + work.states;
                }
                *times += 1;
                self.work += (work.events + work.states) as u64;
            }
            Err(reason) => {
                group.unconfirmed.get_or_insert((reason, candidate));
            }
        }
    }

    fn report_unconfirmed(&mut self, recent: &Recent) {
        for key in &self.order {
            let group = &self.groups[key];
            let Some((reason, candidate)) = group.unconfirmed else {
                continue;
            };
            let sibling = key.order(&candidate);
            let said = |group: &Group| group.predicted.is_some() || group.unconfirmed.is_some();
            let said = key.kind == Kind::Race && self.groups.get(&sibling).is_some_and(said);
            if group.predicted.is_none() && !said {
                let event = |index| recent.get(index).cloned();
                let pair = event(candidate.earlier.index()).zip(event(candidate.later.index()));
                self.predicted.push(Predicted {
                    kind: candidate.kind,
                    earlier: candidate.earlier.index(),
                    later: candidate.later.index(),
                    order_only: candidate.order_only,
                    unconfirmed: Some(reason),
                    prefix: 0,
                    steps: Vec::new(),
                    candidate,
                    pair,
                    replayed: Vec::new(),
                    shown: Vec::new(),
                    count: group.count,
                });
            }
        }
    }
}
