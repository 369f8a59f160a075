//! Candidates on their way to being certified.
//!
//! A candidate waits until its thread holds no lock, and a little longer:
//! closing a section may take events that come later. Of many candidates between
//! the same places in the source code a few are tried.

use std::collections::{BTreeSet, VecDeque};

use commute_model::{Event, LocationId, Names, Op, Value};
use rustc_hash::FxHashMap;

use super::access::{Candidate, Subject};
use super::certify::{Certified, Kind, certify};
use super::facts::Touch;
use super::options::Options;
use super::recent::{Born, Recent};
use super::validate::{self, Claim};
use super::window::{Context, Window};

/// How many events more a candidate waits for.
const LAG: u64 = 100;
/// How many candidates of a group are tried.
const MOST_TRIES: u32 = 8;
/// How many groups there are at most.
const MOST_GROUPS: usize = 10_000;
/// How many events are kept of a witness, to be shown.
const MOST_SHOWN: usize = 400;

/// Why a candidate is neither shown nor refuted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// A section of a lock does not end in the trace.
    OpenSection,
    /// The search took too long.
    Budget,
    /// The two events are too far apart.
    Window,
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
    predicted: Option<usize>,
    unconfirmed: Option<(Reason, Candidate)>,
}

#[derive(Clone, Debug)]
struct Pending {
    key: Key,
    candidate: Candidate,
    due: Option<u64>,
}

/// All candidates.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidates {
    pending: VecDeque<Pending>,
    groups: FxHashMap<Key, Group>,
    /// Keys in the order in which they were first seen.
    order: Vec<Key>,
    predicted: Vec<Predicted>,
    dropped: u64,
}

impl Candidates {
    pub(super) fn is_idle(&self) -> bool {
        self.pending.is_empty()
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
            if group.tries < MOST_TRIES && group.predicted.is_none() {
                group.tries += 1;
                self.pending.push_back(Pending {
                    key,
                    candidate,
                    due: None,
                });
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
        let mut waiting = std::mem::take(&mut self.pending);
        waiting.retain_mut(|pending| {
            let candidate = &pending.candidate;
            if pending.due.is_none() && depth(candidate.later.thread) == 0 {
                pending.due = Some(now + LAG);
            }
            let start = start(candidate);
            let leaves = start.saturating_sub(1) < recent.gone() + 2 * LAG && recent.gone() > 0;
            if !all && !leaves && pending.due.is_none_or(|due| now < due) {
                return true;
            }
            self.decide(pending, recent, context, options, now);
            false
        });
        self.pending = waiting;
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
        match attempt(&candidate, recent, context, options, now) {
            Ok(Some(predicted)) => {
                let place = self.predicted.len();
                self.predicted.push(predicted);
                self.groups.entry(pending.key).or_default().predicted = Some(place);
            }
            Ok(None) => {}
            Err(reason) => {
                let group = self.groups.entry(pending.key).or_default();
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

/// The event before which a witness begins to differ from the trace.
fn start(candidate: &Candidate) -> u64 {
    let outermost = |index: u64, inside: u32| index - u64::from(inside);
    let (earlier, later) = (&candidate.earlier, &candidate.later);
    outermost(earlier.index(), earlier.inside).min(outermost(later.index(), later.inside))
}

/// Looks for a witness, in larger and larger windows.
fn attempt(
    candidate: &Candidate,
    recent: &Recent,
    context: &Context<'_>,
    options: &Options,
    now: u64,
) -> Result<Option<Predicted>, Reason> {
    let first = start(candidate) - 1;
    let least = recent.gone().max(now.saturating_sub(options.window as u64));
    if first < least {
        return Err(Reason::Window);
    }
    let mut budget = options.budget;
    let mut reason = None;
    let mut last = None;
    for back in [0, 64, 512, options.window as u64] {
        let prefix = first.saturating_sub(back).max(least);
        // Hundreds of events more will hardly show what is refuted already.
        let refuted = back > 512 && reason.is_none();
        if last.replace(prefix) == Some(prefix) || refuted {
            continue;
        }
        let before = recent.before(prefix, context.objects, context.names);
        let window = Window::new(prefix, recent.after(prefix), &before, context);
        let no = |index: u64| (index - prefix - 1) as u32;
        let pair = (no(candidate.earlier.index()), no(candidate.later.index()));
        match certify(&window, candidate.kind, pair, &mut budget) {
            Certified::Yes(order) => {
                let claim = Claim {
                    events: &window.events,
                    order: &order,
                    kind: candidate.kind,
                    pair,
                };
                if validate::holds(&claim, &before, context) {
                    return Ok(Some(predicted(candidate, &window, &order, options)));
                }
                // Of what is opaque, the points may be more certain than the formula.
                let is_opaque = || window.events.iter().any(|event| has_opaque(event));
                debug_assert!(is_opaque(), "a witness that does not hold: {order:?}");
            }
            Certified::No => {}
            Certified::Open => reason = Some(Reason::OpenSection),
            Certified::Budget => {
                reason = Some(Reason::Budget);
                if budget == 0 {
                    break;
                }
            }
        }
    }
    reason.map_or(Ok(None), Err)
}

fn predicted(
    candidate: &Candidate,
    window: &Window<'_>,
    order: &[u32],
    options: &Options,
) -> Predicted {
    let (earlier, later) = (candidate.earlier.index(), candidate.later.index());
    let mut steps: Vec<u64> = order.iter().map(|&no| window.index(no)).collect();
    let event = |no: u32| window.events[no as usize].clone();
    let shown = order.iter().skip(order.len().saturating_sub(MOST_SHOWN));
    let shown = shown.map(|&no| (window.index(no), event(no))).collect();
    let replayed = order
        .iter()
        .filter_map(|&no| match window.facts[no as usize].touch {
            Touch::Replay(o) => Some(window.born[o as usize]),
            _ => None,
        });
    let replayed: BTreeSet<Born> = replayed.collect();
    let replayed = replayed.into_iter().collect();
    steps.push(earlier);
    if candidate.kind == Kind::Race {
        steps.push(later);
    }
    let no = |index: u64| (index - window.prefix - 1) as u32;
    Predicted {
        kind: candidate.kind,
        earlier,
        later,
        order_only: candidate.order_only,
        unconfirmed: options.lax.then_some(Reason::Lax),
        prefix: window.prefix,
        steps,
        candidate: *candidate,
        pair: Some((event(no(earlier)), event(no(later)))),
        replayed,
        shown,
        count: 1,
    }
}

/// Whether something about an action is opaque.
fn has_opaque(event: &Event) -> bool {
    match &event.op {
        Op::Action(action) => {
            let mut values = action.args.iter().chain(&action.result);
            values.any(Value::has_opaque)
        }
        _ => false,
    }
}
