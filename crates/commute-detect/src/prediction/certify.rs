//! Certification: from a candidate to a run in which it happens.
//!
//! First the events that the two need are put together, with as little else as
//! possible: sections of locks that would be in the way are closed (`SP`, then
//! every choice), and the set is put into an order. If that fails, all orders of
//! the window are searched. Whatever is found is checked again by somebody else.

use std::cell::RefCell;

use rustc_hash::FxHashSet;

use super::argument::{self, Argument};
use super::facts::{No, Touch};
use super::permits::PermitChange;
use super::saturate::{Before, saturate};
use super::search::{Found, Goal, in_trace_order, search};
use super::sections::{OUTSIDE, Section, incompatible};
use super::slice::Lack;
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
#[derive(Clone, Debug)]
pub(super) enum Certified {
    /// The events that come before the pair, in order.
    Yes(Vec<No>),
    /// There is no such order of the events of the window.
    No,
    /// The search was given up.
    Budget,
    /// A section of a lock would have to end that does not end in the trace.
    Open,
    /// The slice was too small.
    Beyond(Lack),
}

/// In a window of so many events all orders are searched.
const SMALL: usize = 24;

/// At most so many ways of closing sections are tried.
const MOST_CHOICES: usize = 64;

pub(super) struct Certify<'a, 'w> {
    pub(super) window: &'a Window<'w>,
    pub(super) kind: Kind,
    pub(super) earlier: No,
    pub(super) later: No,
    /// How many events of each thread may happen.
    frozen: Vec<u32>,
    /// Whether a section was in the way that does not end in the trace.
    pub(super) open: bool,
    /// What was looked for outside of the slice.
    lack: RefCell<Option<Lack>>,
    /// The events outside of the slice that end critical sections.
    pub(super) outside: RefCell<Vec<u64>>,
    /// The open sections of each thread, when so many of its events have happened.
    pub(super) sections: Vec<Option<(u32, Vec<Section>)>>,
}

/// Looks for a run in which what is to be shown happens.
pub(super) fn certify(
    window: &Window<'_>,
    kind: Kind,
    (earlier, later): (No, No),
    budget: &mut usize,
) -> Certified {
    let mut certify = Certify::new(window, kind, (earlier, later));
    let certified = certify.run(budget);
    match certify.lack.into_inner() {
        Some(lack) => Certified::Beyond(lack),
        None => certified,
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
    fn run(&mut self, budget: &mut usize) -> Certified {
        let Some(least) = self.least() else {
            return Certified::No;
        };
        let mut last = Found::Nothing;
        for preserve in [true, false] {
            if !preserve {
                match self.may_be_part(&least, budget) {
                    Some(true) => {}
                    Some(false) => return Certified::No,
                    None => return Certified::Budget,
                }
            }
            last = self.choose(least.clone(), preserve, budget);
            if self.is_lacking() {
                return Certified::No;
            }
            if let Found::Order(order) = last {
                return Certified::Yes(order);
            }
        }
        // What a model accepts may need events that nothing else needs.
        if self.window.len <= SMALL || !self.window.replayed.is_empty() {
            last = search(self.window, &Anything(self), budget);
        }
        match last {
            Found::Order(order) => Certified::Yes(order),
            Found::Nothing if self.open => Certified::Open,
            Found::Nothing => Certified::No,
            Found::Budget => Certified::Budget,
        }
    }

    fn new(window: &'a Window<'w>, kind: Kind, (earlier, later): (No, No)) -> Certify<'a, 'w> {
        let place = |no: No| {
            let facts = &window.facts[no as usize];
            (facts.thread as usize, facts.place)
        };
        let count = |events: &Vec<No>| match &window.slice {
            Some(_) => u32::MAX,
            None => events.len() as u32,
        };
        let mut frozen: Vec<u32> = window.threads.iter().map(count).collect();
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
            lack: RefCell::default(),
            outside: RefCell::default(),
            sections: vec![None; window.threads.len()],
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
            let is_known = self.window.knows(thread, count);
            let thread = thread as usize;
            let from = least[thread];
            if count <= from {
                continue;
            }
            if count > self.frozen[thread] {
                return false;
            }
            if !is_known {
                let index = match count.checked_sub(OUTSIDE) {
                    Some(number) => self.outside.borrow()[number as usize],
                    None => (self.window).index(self.window.threads[thread][count as usize - 1]),
                };
                self.look_for(Lack::Event(index));
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

    /// Something outside of the slice is needed to go on.
    pub(super) fn look_for(&self, lack: Lack) {
        self.lack.borrow_mut().get_or_insert(lack);
    }

    fn is_lacking(&self) -> bool {
        self.lack.borrow().is_some()
    }

    /// Tries ways to make a set of events complete, and to put it into an order.
    /// `preserve`: sections are closed so that they can stay in the order of the
    /// trace.
    fn choose(&mut self, least: Vec<u32>, preserve: bool, budget: &mut usize) -> Found {
        let mut choices = vec![least];
        let mut tried: FxHashSet<Vec<u32>> = FxHashSet::default();
        let mut given_up = false;
        while let Some(mut set) = choices.pop() {
            if self.is_lacking() {
                return Found::Nothing;
            }
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
            if self.is_lacking() {
                return Found::Nothing;
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
            let waits = |no: &No| {
                let facts = &self.window.facts[*no as usize];
                facts.thread != section.thread && facts.place < set[facts.thread as usize]
            };
            let uses = &self.window.uses_of[section.lock as usize];
            if !self.is_of_pair(section.thread) && uses.iter().any(waits) {
                match section.end {
                    Some(end) => wanted.push((section.thread, end)),
                    None => self.open = true,
                }
            }
        }
        let (_, causes) = self.causes(set, true);
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
        self.causes(set, false).0
    }

    /// The events of which one must be in the set, and all causes of anything that was seen;
    /// the latter are all if they have to be `complete`.
    fn causes(&self, set: &[u32], complete: bool) -> (Option<Vec<No>>, Vec<No>) {
        let within = |no: &No| {
            let facts = &self.window.facts[*no as usize];
            facts.place < set[facts.thread as usize]
        };
        let mut all = Vec::new();
        let mut free = self.window.permits.clone();
        for (thread, events) in self.window.caused.iter().enumerate() {
            for &no in events {
                let facts = &self.window.facts[no as usize];
                if facts.place >= set[thread] {
                    break;
                }
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
                        let notifies = &self.window.notifies[condvar as usize];
                        if (complete || !notifies.iter().any(within))
                            && let Some(condvar) = self.window.notified_outside(condvar)
                        {
                            self.look_for(Lack::Notifies(condvar));
                        }
                        Some(notifies)
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

    /// Whether the thread stops before an event of the pair.
    pub(super) fn is_of_pair(&self, thread: u32) -> bool {
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
