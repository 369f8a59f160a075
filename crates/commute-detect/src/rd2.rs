//! Commutativity races (RD2, Algorithm 1).
//!
//! Claims: an action is reported as the later half of a race iff some earlier
//! action of another thread on the same object is not ordered before it and is
//! not specified to commute with it (Theorem 5.1); every reported pair is one.
//! Of the earlier halves, one access of each thread to each access point at each site
//! (a location and a method) is reported: the first in the last of its epochs in which
//! it touched the point there. So every pair of sites that races is reported, as
//! long as [`Rd2::unlisted`] is 0.
//!
//! Symbols: active(o) → `State::points`, pt.vc → the epochs of `Accesses::last`, C_o(pt) → `PointClass::conflicts`, η_o → `AccessPoints::touch`.
//!
//! Deviations: where a `send` meets the receive of its message nothing is looked for,
//! because that is no race. The algorithm keeps the join of the clocks of all accesses to a
//! point; we keep an access of each thread's last epoch, which decides the same
//! (an access is ordered before `e` iff `e` knows its epoch, and all accesses of
//! an epoch to a point conflict with the same points) and tells which action it
//! was. One for each site: a thread's accesses at a site race with `e` iff the last one
//! does, because it comes later in the thread. A thread that goes on using a point at a
//! site within an epoch changes nothing. Pairs of methods whose condition is outside ECL have no access
//! points; they are compared one by one with the raw formula.
//!
//! Cost: per action, the number of touched points × conflicts × threads × sites
//! ([`MOST_SITES`] of each thread at most: of more, the one used longest ago is
//! dropped, and a race with it is counted as unlisted), all
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

/// At so many sites the accesses of a thread to an access point are kept.
pub const MOST_SITES: usize = 16;

/// What is known of every object.
#[derive(Clone, Debug, Default)]
pub struct Rd2 {
    objects: Vec<State>,
    unlisted: u64,
}

/// The active access points of one object.
#[derive(Clone, Debug, Default)]
struct State {
    points: Keyed<Accesses>,
    /// How often an access to a point without a key was recorded.
    changes: u64,
    /// For each class of points without a key, when the last check found nothing: the
    /// epoch, how many changes there had been, and what was touched.
    quiet: Vec<Option<(Epoch, u64, Touch)>>,
    /// What the entries stand for, overwritten in place.
    records: Vec<ActionAccess>,
    /// Actions of methods that are compared one by one.
    listed: Listed,
    /// How many races with accesses that were dropped were found by this action.
    unlisted: u64,
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
    touch: Touch,
    /// The rest of it in `State::records`, which only a report needs; or `DROPPED`.
    record: u32,
}

/// An entry stands for accesses of a thread to a point that were dropped: it has the
/// epoch of the last.
const DROPPED: u32 = u32::MAX;

/// What is touched, and where: an access point of some key, at a site.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Touch {
    location: LocationId,
    class: u16,
    method: u16,
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
    /// Where in `actions` the same action of the same slot at the same location is.
    places: FxHashMap<(u32, LocationId, Action), usize>,
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
        let touch = |class: u16| Touch {
            location: current.location,
            class,
            method: invocation.method as u16,
        };
        // An action never races with itself, whatever it has recorded already:
        // a thread knows its own epoch.
        points.touch_each(invocation, |class, key| {
            let conflicts = &points.classes()[usize::from(class)].conflicts[..];
            match key {
                Some(key) if messages.meet_at(class, key) => {}
                Some(key) => state.keyed(touch(class), key, conflicts, current, races),
                None => state.unkeyed(touch(class), conflicts, current, races),
            }
        });
        self.unlisted += std::mem::take(&mut state.unlisted);
        if !points.linear().is_empty() {
            state.compare(compiled, invocation, current, races);
        }
    }

    /// How often an action raced with one at a site that was not kept.
    pub fn unlisted(&self) -> u64 {
        self.unlisted
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
            method: method as u16,
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
    method: u16,
    epoch: Epoch,
}

impl Repeats<'_> {
    /// Whether one can be left out: each point it touches was touched by its thread in
    /// this epoch at the same site, and no other thread touched what it conflicts with. Then it races with
    /// nothing that was not told, and there is nothing new to remember.
    #[inline(always)]
    pub(crate) fn has(&self, invocation: Invocation<'_>, location: LocationId) -> bool {
        let method = self.method;
        self.points.all_touched(invocation, |class, key| {
            let touch = Touch {
                location,
                class,
                method,
            };
            match key {
                Some(key) => { self.state.points.get(key) }
                    .is_some_and(|accesses| accesses.are_own(touch, self.epoch)),
                None => self.state.quiet_since(self.epoch, class) == Some(touch),
            }
        })
    }
}

impl State {
    /// Checks a touched point with a key against those it conflicts with
    /// (phase 1 of the algorithm) and records the access (phase 2).
    #[inline]
    fn keyed(
        &mut self,
        touch: Touch,
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
        if accesses.are_own(touch, current.epoch) {
            return;
        }
        let unlisted = &mut self.unlisted;
        let mine = accesses.check(touch, conflicts, current, |entry| {
            match self.records.get(entry.record as usize) {
                Some(earlier) => add(races, earlier, Some((touch.class, Some(key)))),
                None => *unlisted += 1,
            }
        });
        accesses.record(mine, touch, current, &mut self.records);
    }

    /// The same for a point without a key.
    #[inline]
    fn unkeyed(
        &mut self,
        touch: Touch,
        conflicts: &[u16],
        current: &Current<'_>,
        races: &mut Vec<ActionRace>,
    ) {
        let class = touch.class;
        let quiet = self.quiet_since(current.epoch, class);
        if quiet == Some(touch) {
            return;
        }
        let mut is_quiet = true;
        // At another site there is nothing new to be found, but something to remember.
        if quiet.is_none() {
            let (records, unlisted) = (&self.records, &mut self.unlisted);
            let mut found = |entry: &Entry| {
                is_quiet = false;
                match records.get(entry.record as usize) {
                    Some(earlier) => add(races, earlier, Some((class, None))),
                    None => *unlisted += 1,
                }
            };
            for other in conflicts {
                if let Some(accesses) = self.points.known_class(*other) {
                    accesses.check(touch, conflicts, current, &mut found);
                }
            }
        }
        let accesses = self.points.class(class);
        let mine = accesses.check(touch, &[], current, |_| {});
        let is_new = accesses.record(mine, touch, current, &mut self.records);
        self.changes += u64::from(is_new);
        let place = usize::from(class);
        if place >= self.quiet.len() {
            self.quiet.resize(place + 1, None);
        }
        self.quiet[place] = is_quiet.then_some((current.epoch, self.changes, touch));
    }

    /// If the last check of this class found nothing, and another one can find nothing
    /// new: what was touched then. It is the same epoch, and no thread did anything else.
    #[inline(always)]
    fn quiet_since(&self, epoch: Epoch, class: u16) -> Option<Touch> {
        let (since, changes, touch) = self.quiet.get(usize::from(class)).copied().flatten()?;
        (since == epoch && changes == self.changes).then_some(touch)
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
    /// Whether the point of this class was touched in this epoch at this site, and all
    /// accesses are of the same thread: it knows what it did, so nothing can be new.
    #[inline(always)]
    fn are_own(&self, touch: Touch, epoch: Epoch) -> bool {
        let mut is_there = false;
        for entry in &self.last {
            if entry.epoch.slot != epoch.slot {
                return false;
            }
            is_there |=
                entry.touch == touch && entry.epoch.time == epoch.time && entry.record != DROPPED;
        }
        is_there
    }

    /// Calls `found` with the accesses to points of the classes in `conflicts`
    /// that the current thread does not know. Where its own last access to the
    /// point of this class at this site is.
    #[inline(always)]
    fn check(
        &self,
        touch: Touch,
        conflicts: &[u16],
        current: &Current<'_>,
        mut found: impl FnMut(&Entry),
    ) -> Option<usize> {
        let mut mine = None;
        for (i, entry) in self.last.iter().enumerate() {
            if entry.touch == touch
                && entry.epoch.slot == current.epoch.slot
                && entry.record != DROPPED
            {
                mine = Some(i);
            }
            if !current.clock.knows(entry.epoch) && conflicts.contains(&entry.touch.class) {
                found(entry);
            }
        }
        mine
    }

    /// Remembers the current access to the point of this class at its site, of which
    /// the last is at `mine`; whether that is the first of its epoch.
    #[inline(always)]
    fn record(
        &mut self,
        mine: Option<usize>,
        touch: Touch,
        current: &Current<'_>,
        records: &mut Vec<ActionAccess>,
    ) -> bool {
        let Some(mine) = mine else {
            self.add(touch, current, records);
            return true;
        };
        let old = &mut self.last[mine];
        let is_new = old.epoch.time != current.epoch.time;
        if is_new {
            old.epoch = current.epoch;
            records[old.record as usize].replace(touch, current);
        }
        is_new
    }

    #[cold]
    fn add(&mut self, touch: Touch, current: &Current<'_>, records: &mut Vec<ActionAccess>) {
        let dropped = match self.last.len() >= MOST_SITES {
            true => self.drop_oldest(touch, current.epoch.slot, records),
            false => None,
        };
        let record = match dropped {
            Some(record) => {
                records[record as usize].replace(touch, current);
                record
            }
            None => {
                records.push(ActionAccess {
                    access: current.access().to_class(touch.class),
                    action: current.action.clone(),
                });
                u32::try_from(records.len() - 1).expect("fewer than 2³² points")
            }
        };
        let epoch = current.epoch;
        self.last.push(Entry {
            epoch,
            touch,
            record,
        });
    }

    /// If a thread has too many accesses to the point of this class, drops the one that
    /// is out of use the longest. The place of its record, which is free.
    #[cold]
    fn drop_oldest(&mut self, touch: Touch, slot: u32, records: &[ActionAccess]) -> Option<u32> {
        let is_own = |entry: &Entry| entry.epoch.slot == slot && entry.touch.class == touch.class;
        let own = (0..self.last.len()).filter(|&i| is_own(&self.last[i]));
        let own = own.filter(|&i| self.last[i].record != DROPPED);
        if own.clone().count() < MOST_SITES {
            return None;
        }
        let index = |i: &usize| records[self.last[*i].record as usize].access.index();
        let dropped = self.last.remove(own.min_by_key(index)?);
        let mut all = self.last.iter_mut();
        match all.find(|entry| is_own(entry) && entry.record == DROPPED) {
            Some(before) => before.epoch.time = before.epoch.time.max(dropped.epoch.time),
            None => self.last.push(Entry {
                record: DROPPED,
                ..dropped
            }),
        }
        Some(dropped.record)
    }
}

impl ActionAccess {
    /// It is now the current access.
    fn replace(&mut self, touch: Touch, current: &Current<'_>) {
        self.access = current.access().to_class(touch.class);
        self.action.clone_from(current.action);
    }
}

impl Listed {
    fn record(&mut self, method: usize, current: &Current<'_>) {
        let (slot, action) = (current.epoch.slot, current.action.clone());
        let key = (slot, current.location, action);
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
