//! Certification: from a candidate to a run in which it happens.
//!
//! First the events that the two need are put together, with as little else as
//! possible: sections of locks that would be in the way are closed (`SP`, then
//! every choice), and the set is put into an order. If that fails, all orders of
//! the window are searched. Whatever is found is checked again by somebody else.

use rustc_hash::FxHashSet;

use super::argument::{self, Argument};
use super::facts::{LockOp, LockUse, No, Touch};
use super::permits::PermitChange;
use super::saturate::{Before, saturate};
use super::search::{Found, Goal, in_trace_order, search};
use super::state::State;
use super::window::Window;

/// What is to be shown of two events.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// Both can come next.
    Race,
    /// The later one can come before the earlier one.
    Order,
}

/// How a certification ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Certified {
    /// The events that come before the pair, in order.
    Yes(Vec<No>),
    /// There is no such order of the events of the window.
    No,
    /// The search was given up.
    Budget,
    /// A section of a lock would have to end that does not end in the trace.
    Open,
}

/// In a window of so many events all orders are searched.
const SMALL: usize = 24;

/// At most so many ways of closing sections are tried.
const MOST_CHOICES: usize = 64;

struct Certify<'a, 'w> {
    window: &'a Window<'w>,
    kind: Kind,
    earlier: No,
    later: No,
    /// How many events of each thread may happen.
    frozen: Vec<u32>,
    /// Whether a section was in the way that does not end in the trace.
    open: bool,
}

/// A section of a lock that has begun, and not ended.
#[derive(Clone, Copy, Debug)]
struct Section {
    thread: u32,
    lock: u32,
    shared: bool,
    /// Where it began; `None` before the window.
    began: Option<No>,
    /// The place in its thread after its end, if it ends.
    end: Option<u32>,
}

/// Looks for a run in which what is to be shown happens.
pub(super) fn certify(
    window: &Window<'_>,
    kind: Kind,
    (earlier, later): (No, No),
    budget: &mut usize,
) -> Certified {
    let mut certify = Certify::new(window, kind, (earlier, later));
    let Some(least) = certify.least() else {
        return Certified::No;
    };
    let mut last = Found::Nothing;
    for preserve in [true, false] {
        if !preserve {
            match certify.may_be_part(&least, budget) {
                Some(true) => {}
                Some(false) => return Certified::No,
                None => return Certified::Budget,
            }
        }
        last = certify.choose(least.clone(), preserve, budget);
        if let Found::Order(order) = last {
            return Certified::Yes(order);
        }
    }
    // What a model accepts may need events that nothing else needs.
    if window.events.len() <= SMALL || !window.replayed.is_empty() {
        last = search(window, &Anything(&certify), budget);
    }
    match last {
        Found::Order(order) => Certified::Yes(order),
        Found::Nothing if certify.open => Certified::Open,
        Found::Nothing => Certified::No,
        Found::Budget => Certified::Budget,
    }
}

/// The argument of a pair, by what is known without a search.
pub(super) fn argument(window: &Window<'_>, kind: Kind, pair: (No, No)) -> Argument {
    let mut certify = Certify::new(window, kind, pair);
    let least = certify.least();
    let is_possible = least.is_some();
    let least = least.or_else(|| {
        // The pair would have to come before itself: what leads to that is the argument.
        certify.frozen.fill(u32::MAX);
        certify.least()
    });
    let least = least.unwrap_or_else(|| vec![u32::MAX; window.threads.len()]);
    argument::argument(window, (&least, is_possible), pair)
}

impl<'a, 'w> Certify<'a, 'w> {
    fn new(window: &'a Window<'w>, kind: Kind, (earlier, later): (No, No)) -> Certify<'a, 'w> {
        let place = |no: No| {
            let facts = &window.facts[no as usize];
            (facts.thread as usize, facts.place)
        };
        let mut frozen: Vec<u32> = { window.threads.iter() }
            .map(|events| events.len() as u32)
            .collect();
        frozen[place(earlier).0] = place(earlier).1;
        if kind == Kind::Race {
            frozen[place(later).0] = place(later).1;
        }
        Certify {
            window,
            kind,
            earlier,
            later,
            frozen,
            open: false,
        }
    }

    /// The events that must happen in any case, as how many of each thread.
    fn least(&self) -> Option<Vec<u32>> {
        let mut least = vec![0; self.window.threads.len()];
        let facts = |no: No| &self.window.facts[no as usize];
        let (earlier, later) = (facts(self.earlier), facts(self.later));
        let mut wanted = vec![(earlier.thread, earlier.place)];
        wanted.extend(earlier.after.iter().map(|&no| self.through(no)));
        match self.kind {
            Kind::Race => {
                wanted.push((later.thread, later.place));
                wanted.extend(later.after.iter().map(|&no| self.through(no)));
            }
            Kind::Order => wanted.push(self.through(self.later)),
        }
        self.close(&mut least, wanted).then_some(least)
    }

    /// How many events of which thread there are up to this one.
    fn through(&self, no: No) -> (u32, u32) {
        let facts = &self.window.facts[no as usize];
        (facts.thread, facts.place + 1)
    }

    /// Adds events and all that they need; whether that is possible.
    fn close(&self, least: &mut [u32], mut wanted: Vec<(u32, u32)>) -> bool {
        while let Some((thread, count)) = wanted.pop() {
            let thread = thread as usize;
            let from = least[thread];
            if count <= from {
                continue;
            }
            if count > self.frozen[thread] {
                return false;
            }
            least[thread] = count;
            for &no in &self.window.threads[thread][from as usize..count as usize] {
                let facts = &self.window.facts[no as usize];
                let needs = facts.after.iter().chain(&facts.sees);
                wanted.extend(needs.map(|&no| self.through(no)));
            }
        }
        true
    }

    /// Tries ways to make a set of events complete, and to put it into an order.
    /// `preserve`: sections are closed so that they can stay in the order of the
    /// trace.
    fn choose(&mut self, least: Vec<u32>, preserve: bool, budget: &mut usize) -> Found {
        let mut choices = vec![least];
        let mut tried: FxHashSet<Vec<u32>> = FxHashSet::default();
        let mut given_up = false;
        while let Some(mut set) = choices.pop() {
            if !tried.insert(set.clone()) {
                continue;
            }
            if tried.len() > MOST_CHOICES {
                return Found::Budget;
            }
            if let Some(causes) = self.unexplained(&set) {
                for cause in causes {
                    let mut more = set.clone();
                    if self.close(&mut more, vec![self.through(cause)]) {
                        choices.push(more);
                    }
                }
                continue;
            }
            let sections = self.sections(&set);
            if let Some(section) = self.waited_for(&sections) {
                match section.end {
                    Some(end) if self.close(&mut set, vec![(section.thread, end)]) => {
                        choices.push(set);
                    }
                    Some(_) => {}
                    None => self.open = true,
                }
                continue;
            }
            if preserve {
                match self.in_the_way(&set, &sections) {
                    Some(Some(end)) => {
                        if self.close(&mut set, vec![end]) {
                            choices.push(set);
                        }
                        continue;
                    }
                    Some(None) => continue,
                    None => {}
                }
            }
            if let Some((a, b)) = incompatible(&sections) {
                for section in [a, b] {
                    let mut more = set.clone();
                    match section.end {
                        Some(end) if self.close(&mut more, vec![(section.thread, end)]) => {
                            choices.push(more);
                        }
                        Some(_) => {}
                        None => self.open = true,
                    }
                }
                continue;
            }
            if let Some(order) = preserve
                .then(|| in_trace_order(self.window, &set))
                .flatten()
            {
                return Found::Order(order);
            }
            if !pay(&set, budget) {
                return Found::Budget;
            }
            let found = match saturate(self.window, &set, |_| false) {
                Some(before) => {
                    let goal = Exactly {
                        set: &set,
                        before: &before,
                    };
                    search(self.window, &goal, budget)
                }
                None => Found::Nothing,
            };
            match found {
                Found::Nothing if !preserve => match self.may_be_part(&set, budget) {
                    Some(true) => choices.extend(self.more(&set, &sections)),
                    Some(false) => {}
                    None => return Found::Budget,
                },
                Found::Nothing => {}
                Found::Budget => given_up = true,
                found => return found,
            }
        }
        match given_up {
            true => Found::Budget,
            false => Found::Nothing,
        }
    }

    /// Whether the set may be part of a witness: more events only add to what must
    /// come before what, except that sections may end. `None` if finding out costs
    /// too much.
    fn may_be_part(&self, set: &[u32], budget: &mut usize) -> Option<bool> {
        let may_go_on = |thread| !self.is_of_pair(thread);
        pay(set, budget).then(|| saturate(self.window, set, may_go_on).is_some())
    }

    /// Sets with a little more than one that cannot be put into an order: with a
    /// section closed that others may be waiting for, or with another cause of
    /// what was seen. Other events would not help: what is not needed, and ends
    /// no section, can be left out of any witness.
    fn more(&mut self, set: &[u32], sections: &[Section]) -> Vec<Vec<u32>> {
        let mut wanted: Vec<(u32, u32)> = Vec::new();
        for section in sections {
            let waits = |(thread, events): (usize, &Vec<No>)| {
                let on = |no: &No| {
                    let lock = self.window.facts[*no as usize].lock;
                    lock.is_some_and(|used| used.lock == section.lock)
                };
                thread as u32 != section.thread && events[..set[thread] as usize].iter().any(on)
            };
            if !self.is_of_pair(section.thread) && self.window.threads.iter().enumerate().any(waits)
            {
                match section.end {
                    Some(end) => wanted.push((section.thread, end)),
                    None => self.open = true,
                }
            }
        }
        let (_, causes) = self.causes(set);
        wanted.extend(causes.iter().map(|&cause| self.through(cause)));
        let more = wanted.into_iter().filter_map(|end| {
            let mut more = set.to_vec();
            let larger = self.close(&mut more, vec![end]) && more != set;
            larger.then_some(more)
        });
        more.collect()
    }

    /// The events of which one must be in the set, because an event of the set
    /// saw what it did; `None` if nothing is missing.
    fn unexplained(&self, set: &[u32]) -> Option<Vec<No>> {
        self.causes(set).0
    }

    /// The same, and all causes of anything that was seen.
    fn causes(&self, set: &[u32]) -> (Option<Vec<No>>, Vec<No>) {
        let within = |no: &No| {
            let facts = &self.window.facts[*no as usize];
            facts.place < set[facts.thread as usize]
        };
        let mut all = Vec::new();
        let mut free = self.window.permits.clone();
        for (thread, events) in self.window.threads.iter().enumerate() {
            for &no in &events[..set[thread] as usize] {
                let facts = &self.window.facts[no as usize];
                match facts.permit {
                    Some((permit, PermitChange::Acquire)) => free[permit as usize] -= 1,
                    Some((permit, PermitChange::Release)) => free[permit as usize] += 1,
                    _ => {}
                }
                let variables = { facts.lives() }
                    .filter(|&(_, freed)| freed)
                    .map(|(x, _)| &self.window.variables[x as usize])
                    .filter(|variable| !variable.freed);
                let notifies = match facts.touch {
                    Touch::Wake(condvar, true) if !self.window.waiting[thread].1 => {
                        Some(&self.window.notifies[condvar as usize])
                    }
                    _ => None,
                };
                for causes in variables.map(|variable| &variable.frees).chain(notifies) {
                    let others = causes.iter().copied().filter(|&cause| cause != no);
                    let others: Vec<No> = others.collect();
                    if !others.iter().any(within) {
                        return (Some(others), all);
                    }
                    all.extend(others);
                }
            }
        }
        // More permits must be released, or may have to be released earlier. An event of
        // the pair that comes next finds one, too.
        for (permit, free) in free.into_iter().enumerate() {
            let acquires = |no: No| {
                let acquired = Some((permit as u32, PermitChange::Acquire));
                self.window.facts[no as usize].permit == acquired
            };
            let is_next = self.kind == Kind::Race && acquires(self.later);
            let wanted = i64::from(acquires(self.earlier) || is_next);
            let more = self.window.releases[permit].iter().copied();
            let more: Vec<No> = more.filter(|no| !within(no)).collect();
            if free < wanted {
                return (Some(more), all);
            }
            all.extend(more);
        }
        (None, all)
    }

    /// The sections that are open when exactly this set has happened.
    fn sections(&self, set: &[u32]) -> Vec<Section> {
        let mut open: Vec<Section> = Vec::new();
        for (thread, events) in self.window.threads.iter().enumerate() {
            let first = open.len();
            let held = &self.window.held[thread];
            open.extend(held.iter().map(|&(lock, shared)| Section {
                thread: thread as u32,
                lock,
                shared,
                began: None,
                end: None,
            }));
            for (place, &no) in events.iter().enumerate() {
                let Some(LockUse { lock, op, levels }) = self.window.facts[no as usize].lock else {
                    continue;
                };
                let inside = place < set[thread] as usize;
                let shared = matches!(op, LockOp::ReadAcquire | LockOp::ReadRelease);
                for _ in 0..levels {
                    match op {
                        LockOp::Acquire | LockOp::ReadAcquire if inside => open.push(Section {
                            thread: thread as u32,
                            lock,
                            shared,
                            began: Some(no),
                            end: None,
                        }),
                        LockOp::Release | LockOp::ReadRelease => {
                            let mine = |s: &Section| s.lock == lock && s.shared == shared;
                            let mine = |s: &Section| mine(s) && s.end.is_none();
                            let Some(last) = open[first..].iter().rposition(mine) else {
                                continue;
                            };
                            if inside {
                                open.remove(first + last);
                            } else {
                                open[first + last].end = Some(place as u32 + 1);
                            }
                        }
                        _ => {}
                    }
                }
            }
        }
        // Only the outermost of nested holds says when the lock is free again.
        let outermost = |s: &Section, others: &[Section]| {
            others.iter().all(|o| {
                (o.thread, o.lock) != (s.thread, s.lock) || o.end.is_none() || o.end <= s.end
            }) || s.end.is_none()
        };
        let all = open.clone();
        open.retain(|section| outermost(section, &all));
        open
    }

    /// An open section of a lock that an event of the pair acquires: the section has to
    /// end before the event can execute.
    fn waited_for(&self, sections: &[Section]) -> Option<Section> {
        let last = [
            Some(self.earlier),
            (self.kind == Kind::Race).then_some(self.later),
        ];
        let is_waited_for = |section: &&Section| {
            last.iter().flatten().any(|&no| {
                let facts = &self.window.facts[no as usize];
                facts.thread != section.thread
                    && facts.lock.is_some_and(|used| {
                        used.lock == section.lock
                            && match used.op {
                                LockOp::Acquire => true,
                                LockOp::ReadAcquire => !section.shared,
                                LockOp::Release | LockOp::ReadRelease => false,
                            }
                    })
            })
        };
        sections.iter().find(is_waited_for).copied()
    }

    /// A section that must be closed so that a later one of the set can follow:
    /// its end, or `Some(None)` if it has none or may not end.
    fn in_the_way(&mut self, set: &[u32], sections: &[Section]) -> Option<Option<(u32, u32)>> {
        for section in sections {
            if self.is_of_pair(section.thread) {
                continue;
            }
            let blocks = |no: &No| {
                let facts = &self.window.facts[*no as usize];
                let later = section.began.is_none_or(|began| began < *no);
                let same = |LockUse { lock, op, .. }| {
                    let shared = op == LockOp::ReadAcquire;
                    let acquires = shared || op == LockOp::Acquire;
                    lock == section.lock && acquires && !(shared && section.shared)
                };
                facts.thread != section.thread && later && facts.lock.is_some_and(same)
            };
            let inside = |(thread, events): (usize, &Vec<No>)| {
                events[..set[thread] as usize].iter().any(blocks)
            };
            let by_frozen = sections.iter().any(|other| {
                other.thread != section.thread
                    && other.lock == section.lock
                    && !(other.shared && section.shared)
                    && self.is_of_pair(other.thread)
            });
            if by_frozen || self.window.threads.iter().enumerate().any(inside) {
                if section.end.is_none() {
                    self.open = true;
                }
                return Some(section.end.map(|end| (section.thread, end)));
            }
        }
        None
    }

    /// Whether the thread stops before an event of the pair.
    fn is_of_pair(&self, thread: u32) -> bool {
        let of = |no: No| self.window.facts[no as usize].thread == thread;
        of(self.earlier) || (self.kind == Kind::Race && of(self.later))
    }
}

/// Takes the cost of looking at a whole set out of the budget; whether there is
/// enough. What has few events is always looked at.
fn pay(set: &[u32], budget: &mut usize) -> bool {
    let cost: usize = set.iter().map(|&count| count as usize).sum();
    let enough = *budget >= cost || cost <= SMALL;
    *budget = budget.saturating_sub(cost);
    enough
}

/// Two open sections that cannot both be open.
fn incompatible(sections: &[Section]) -> Option<(Section, Section)> {
    for (i, a) in sections.iter().enumerate() {
        for b in &sections[i + 1..] {
            if a.thread != b.thread && a.lock == b.lock && !(a.shared && b.shared) {
                return Some((*a, *b));
            }
        }
    }
    None
}

/// Exactly these events.
struct Exactly<'a> {
    set: &'a [u32],
    before: &'a Before,
}

impl Goal for Exactly<'_> {
    fn most(&self) -> &[u32] {
        self.set
    }

    /// The locks of the pair are free whatever the order: [`Certify::waited_for`] closed
    /// the sections in which they are held.
    fn is_reached(&self, state: &State) -> bool {
        state.at == self.set
    }

    fn before(&self, no: No) -> Option<&[No]> {
        Some(&self.before[no as usize])
    }
}

/// Any events after which it happens.
struct Anything<'a, 'c, 'w>(&'a Certify<'c, 'w>);

impl Goal for Anything<'_, '_, '_> {
    fn most(&self) -> &[u32] {
        &self.0.frozen
    }

    fn is_reached(&self, state: &State) -> bool {
        let facts = |no: No| &self.0.window.facts[no as usize];
        let done = |no: &No| state.is_done(facts(*no));
        let next = |no: No| {
            state.at[facts(no).thread as usize] == facts(no).place
                && facts(no).after.iter().all(done)
                && state.is_lock_free(facts(no))
                && state.has_permit(facts(no))
        };
        next(self.0.earlier)
            && match self.0.kind {
                Kind::Race => next(self.0.later),
                Kind::Order => done(&self.0.later),
            }
    }

    fn before(&self, _no: No) -> Option<&[No]> {
        None
    }
}
