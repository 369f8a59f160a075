//! Commutativity races (RD2, Algorithm 1).
//!
//! Claims: an action is reported as the later half of a race iff some earlier
//! action of another thread on the same object is not ordered before it and is
//! not specified to commute with it (Theorem 5.1); every reported pair is one.
//! Of the earlier halves, one access of each thread to each access point is
//! reported: the first in the last of its epochs in which it touched the point.
//!
//! Symbols: active(o) → `State::points`, pt.vc → the epochs of `Accesses::last`, C_o(pt) → `PointClass::conflicts`, η_o → `AccessPoints::touch`.
//!
//! Deviations: where a `send` meets the receive of its message nothing is looked for,
//! because that is no race. The algorithm keeps the join of the clocks of all accesses to a
//! point; we keep an access of each thread's last epoch, which decides the same
//! (an access is ordered before `e` iff `e` knows its epoch, and all accesses of
//! an epoch to a point conflict with the same points) and tells which action it
//! was. A thread that goes on using a point within an epoch changes nothing. Pairs of methods whose condition is outside ECL have no access
//! points; they are compared one by one with the raw formula.
//!
//! Cost: per action, the number of touched points × conflicts × threads, all
//! independent of the length of the trace and the number of objects and keys;
//! linear in the object's actions for pairs outside ECL. Memory: an entry for each
//! key, thread and class, whether the key is in use or not, since a thread that comes
//! late and was forked by nobody knows nothing; but none for messages ([`Messages`]).

use commute_clock::{Epoch, VectorClock};
use commute_model::{Action, Id, LocationId, ObjectId, Value};
use commute_spec::{CompiledSpecification, Invocation, MethodPoints};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::access::{Access, Kind};
use crate::keyed::Keyed;
use crate::locksets::LockSetId;
use crate::messages::Messages;

/// What is known of every object.
#[derive(Clone, Debug, Default)]
pub struct Rd2 {
    objects: Vec<State>,
}

/// The active access points of one object.
#[derive(Clone, Debug, Default)]
struct State {
    points: Keyed<Accesses>,
    /// How often an access to a point without a key was recorded.
    changes: u64,
    /// For each class of points without a key, when the last check found nothing: the
    /// epoch, and how many changes there had been.
    quiet: Vec<Option<(Epoch, u64)>>,
    /// What the entries stand for, overwritten in place.
    records: Vec<ActionAccess>,
    /// Actions of methods that are compared one by one.
    listed: Listed,
}

/// The last epoch in which each thread touched each of the points that are
/// kept together; few entries while few threads touch them.
#[derive(Clone, Debug, Default)]
struct Accesses {
    last: SmallVec<[Entry; 3]>,
}

/// An access: what it takes to decide whether it races. Small, because an
/// entry of every key that is touched has to come from memory.
#[derive(Clone, Copy, Debug)]
struct Entry {
    epoch: Epoch,
    class: u16,
    /// The rest of it in `State::records`, which only a report needs.
    record: u32,
}

/// An access, with its action.
#[derive(Clone, Debug)]
pub struct ActionAccess {
    /// When and where.
    pub access: Access,
    /// What.
    pub action: Action,
}

#[derive(Clone, Debug, Default)]
struct Listed {
    actions: Vec<(usize, ActionAccess)>,
    /// Where in `actions` the same action of the same slot is.
    places: FxHashMap<(u32, Action), usize>,
}

/// The action that is checked now, with the clock of its thread.
#[derive(Clone, Copy, Debug)]
pub struct Current<'a> {
    /// When, for comparison with clocks.
    pub epoch: Epoch,
    /// When, as its place in the trace.
    pub index: u64,
    /// Where in the source code.
    pub location: LocationId,
    /// The locks held.
    pub held: LockSetId,
    /// What.
    pub action: &'a Action,
    /// What its thread knows.
    pub clock: &'a VectorClock,
}

impl Current<'_> {
    /// What is remembered of it. Not made before it is needed, which is seldom.
    pub fn access(&self) -> Access {
        let Current {
            epoch,
            index,
            location,
            held,
            ..
        } = *self;
        Access::new(Kind::Action, epoch, index, location, held)
    }
}

/// A race between an earlier action and the current one.
#[derive(Clone, Debug)]
pub struct ActionRace {
    /// The earlier action.
    pub earlier: ActionAccess,
    /// The classes of the points that conflict, earlier first, and their key;
    /// none if the pair was compared by its formula.
    pub points: Option<(u16, u16, Option<Value>)>,
}

impl Rd2 {
    /// An action of an object of this type. Every earlier action it races with
    /// is added to `races`, once. What meets at a point of `messages` does not race.
    #[inline]
    pub(crate) fn action(
        &mut self,
        (compiled, messages): (&CompiledSpecification, Messages),
        invocation: Invocation<'_>,
        current: &Current<'_>,
        races: &mut Vec<ActionRace>,
    ) {
        let object = current.action.object.index();
        if object >= self.objects.len() {
            self.objects.resize_with(object + 1, State::default);
        }
        let state = &mut self.objects[object];
        let points = compiled.points();
        // An action never races with itself, whatever it has recorded already:
        // a thread knows its own epoch.
        points.touch_each(invocation, |class, key| {
            let conflicts = &points.classes()[usize::from(class)].conflicts[..];
            match key {
                Some(key) if messages.meet_at(class, key) => {}
                Some(key) => state.keyed(class, key, conflicts, current, races),
                None => state.unkeyed(class, conflicts, current, races),
            }
        });
        if !points.linear().is_empty() {
            state.compare(compiled, invocation, current, races);
        }
    }

    /// Whether invocations of a method of this object can be left out.
    pub(crate) fn repeats<'a>(
        &'a self,
        compiled: &'a CompiledSpecification,
        (object, method): (ObjectId, usize),
        epoch: Epoch,
    ) -> Option<Repeats<'a>> {
        let points = compiled.points();
        Some(Repeats {
            state: self.objects.get(object.index())?,
            points: points.of_method(method),
            epoch,
        })
        .filter(|_| points.linear().is_empty())
    }

    /// How many keys of all objects are kept.
    #[cfg(test)]
    pub(crate) fn keys(&self) -> usize {
        self.objects.iter().map(|state| state.points.len()).sum()
    }

    /// `drop(o)`: no new race can be found on a dead object.
    pub fn forget(&mut self, object: ObjectId) {
        if let Some(state) = self.objects.get_mut(object.index()) {
            *state = State::default();
        }
    }
}

/// What invocations of a method in an epoch are compared with.
pub(crate) struct Repeats<'a> {
    state: &'a State,
    points: &'a MethodPoints,
    epoch: Epoch,
}

impl Repeats<'_> {
    /// Whether one can be left out: each point it touches was touched by its thread in
    /// this epoch, and nobody else touched what it conflicts with. Then it races with
    /// nothing that was not told, and there is nothing new to remember.
    #[inline(always)]
    pub(crate) fn has(&self, invocation: Invocation<'_>) -> bool {
        self.points.all_touched(invocation, |class, key| match key {
            Some(key) => { self.state.points.get(key) }
                .is_some_and(|accesses| accesses.are_own(class, self.epoch)),
            None => self.state.is_quiet(class, self.epoch),
        })
    }
}

impl State {
    /// Checks a touched point with a key against those it conflicts with
    /// (phase 1 of the algorithm) and records the access (phase 2).
    #[inline]
    fn keyed(
        &mut self,
        class: u16,
        key: &Value,
        conflicts: &[u16],
        current: &Current<'_>,
        races: &mut Vec<ActionRace>,
    ) {
        let place = match self.points.find(key) {
            Ok(place) => place,
            Err(missing) => self.points.insert(key, missing),
        };
        let accesses = self.points.at(place);
        if accesses.are_own(class, current.epoch) {
            return;
        }
        let mine = accesses.check(class, conflicts, current, |entry| {
            let earlier = &self.records[entry.record as usize];
            add(races, earlier, Some((class, Some(key))));
        });
        accesses.record(mine, class, current, &mut self.records);
    }

    /// The same for a point without a key.
    #[inline]
    fn unkeyed(
        &mut self,
        class: u16,
        conflicts: &[u16],
        current: &Current<'_>,
        races: &mut Vec<ActionRace>,
    ) {
        if self.is_quiet(class, current.epoch) {
            return;
        }
        let mut is_quiet = true;
        let mut found = |entry: &Entry| {
            let earlier = &self.records[entry.record as usize];
            add(races, earlier, Some((class, None)));
            is_quiet = false;
        };
        for other in conflicts {
            if let Some(accesses) = self.points.known_class(*other) {
                accesses.check(class, conflicts, current, &mut found);
            }
        }
        let accesses = self.points.class(class);
        let mine = accesses.check(class, &[], current, found);
        let is_new = accesses.record(mine, class, current, &mut self.records);
        self.changes += u64::from(is_new);
        let place = usize::from(class);
        if place >= self.quiet.len() {
            self.quiet.resize(place + 1, None);
        }
        self.quiet[place] = is_quiet.then_some((current.epoch, self.changes));
    }

    /// Whether the last check of this class found nothing, and another one can find
    /// nothing new: it is the same epoch, and nobody did anything else.
    #[inline(always)]
    fn is_quiet(&self, class: u16, epoch: Epoch) -> bool {
        let quiet = self.quiet.get(usize::from(class));
        quiet == Some(&Some((epoch, self.changes)))
    }

    /// The pairs outside ECL, one by one.
    fn compare(
        &mut self,
        compiled: &CompiledSpecification,
        invocation: Invocation<'_>,
        current: &Current<'_>,
        races: &mut Vec<ActionRace>,
    ) {
        let linear = compiled.points().linear();
        let mine = invocation.method;
        let partner = |other: usize| linear.contains(&(other.min(mine), other.max(mine)));
        if !linear.iter().any(|&(a, b)| a == mine || b == mine) {
            return;
        }
        let specification = &compiled.specification;
        for (method, earlier) in &self.listed.actions {
            if partner(*method)
                && !current.clock.knows(earlier.access.epoch)
                && let declared = &specification.methods[*method]
                && let Ok(other) = Invocation::bind(*method, declared, &earlier.action)
                && !specification.commutes(other, invocation)
            {
                add(races, earlier, None);
            }
        }
        self.listed.record(mine, current);
    }
}

impl Accesses {
    /// Whether the point of this class was touched in this epoch, and all accesses are
    /// of the same thread: it knows what it did, so nothing can be new.
    #[inline(always)]
    fn are_own(&self, class: u16, epoch: Epoch) -> bool {
        let mut is_there = false;
        for entry in &self.last {
            if entry.epoch.slot != epoch.slot {
                return false;
            }
            is_there |= entry.class == class && entry.epoch.time == epoch.time;
        }
        is_there
    }

    /// Calls `found` with the accesses to points of the classes in `conflicts`
    /// that the current thread does not know. Where its own last access to the
    /// point of this class is.
    #[inline(always)]
    fn check(
        &self,
        class: u16,
        conflicts: &[u16],
        current: &Current<'_>,
        mut found: impl FnMut(&Entry),
    ) -> Option<usize> {
        let mut mine = None;
        for (i, entry) in self.last.iter().enumerate() {
            if entry.class == class && entry.epoch.slot == current.epoch.slot {
                mine = Some(i);
            }
            if !current.clock.knows(entry.epoch) && conflicts.contains(&entry.class) {
                found(entry);
            }
        }
        mine
    }

    /// Remembers the current access to the point of this class, of which the
    /// last is at `mine`; whether that is the first of its epoch.
    #[inline(always)]
    fn record(
        &mut self,
        mine: Option<usize>,
        class: u16,
        current: &Current<'_>,
        records: &mut Vec<ActionAccess>,
    ) -> bool {
        let Some(mine) = mine else {
            self.add(class, current, records);
            return true;
        };
        let old = &mut self.last[mine];
        let is_new = old.epoch.time != current.epoch.time;
        if is_new {
            old.epoch = current.epoch;
            let record = &mut records[old.record as usize];
            record.access = current.access().to_class(class);
            record.action.clone_from(current.action);
        }
        is_new
    }

    #[cold]
    fn add(&mut self, class: u16, current: &Current<'_>, records: &mut Vec<ActionAccess>) {
        let record = u32::try_from(records.len()).expect("fewer than 2³² points");
        records.push(ActionAccess {
            access: current.access().to_class(class),
            action: current.action.clone(),
        });
        let epoch = current.epoch;
        self.last.push(Entry {
            epoch,
            class,
            record,
        });
    }
}

impl Listed {
    fn record(&mut self, method: usize, current: &Current<'_>) {
        let key = (current.epoch.slot, current.action.clone());
        match self.places.get(&key) {
            Some(&place) => self.actions[place].1.access = current.access(),
            None => {
                let access = ActionAccess {
                    access: current.access(),
                    action: current.action.clone(),
                };
                self.places.insert(key, self.actions.len());
                self.actions.push((method, access));
            }
        }
    }
}

/// Adds a race with `earlier` unless it was found through another point.
#[cold]
fn add(races: &mut Vec<ActionRace>, earlier: &ActionAccess, point: Option<(u16, Option<&Value>)>) {
    let index = earlier.access.index();
    if races
        .iter()
        .all(|race| race.earlier.access.index() != index)
    {
        races.push(ActionRace {
            points: point.map(|(later, key)| (earlier.access.class(), later, key.cloned())),
            earlier: earlier.clone(),
        });
    }
}
