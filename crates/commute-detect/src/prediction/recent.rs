//! The events that were seen last, and what those before them left behind.

use std::collections::{BTreeMap, VecDeque};

use commute_model::{CondvarId, Event, LockId, Names, ObjectId, Op, ThreadId, VariableId};
use commute_spec::models::Model;
use commute_spec::states::States;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::legal::{Call, replayed};
use super::permits::{PermitChange, Permits};
use crate::objects::{Objects, ObjectsAt};

/// The last events of a trace.
#[derive(Clone, Debug)]
pub(super) struct Recent {
    events: VecDeque<Event>,
    /// How many events came before them.
    gone: u64,
    most: usize,
    /// By thread: the locks it holds, whether shared, and since when.
    holds: FxHashMap<ThreadId, Vec<(LockId, bool, u64)>>,
    /// The holds that ended, by when they did.
    ended: VecDeque<Ended>,
    /// Since when variables are freed.
    freed: FxHashMap<VariableId, u64>,
    waits: VecDeque<Wait>,
    /// Actions, and the events that each comes after by the `orders` of its type.
    required: VecDeque<(u64, SmallVec<[u64; 2]>)>,
    permits: Permits,
    /// If results are replayed.
    replaying: Option<Replaying>,
}

/// A life of an object that was made by the event with this index.
pub(super) type Born = (ObjectId, u64);

/// Since when the objects exist, and the states that each may be in, if that is known.
/// Objects that were not made in the trace are not there.
type Lives = FxHashMap<ObjectId, (u64, Option<States>)>;

/// The objects whose results are replayed.
#[derive(Clone, Debug, Default)]
struct Replaying {
    /// Before the events that are kept.
    before: Lives,
    /// After all events so far.
    now: Lives,
    /// Lives in which something was returned that a new object does not return: the
    /// object was filled before it was recorded.
    filled: FxHashSet<Born>,
}

/// A hold of a lock that ended.
#[derive(Clone, Copy, Debug)]
struct Ended {
    thread: ThreadId,
    lock: LockId,
    shared: bool,
    /// When it began; 0 if that is not known.
    since: u64,
    end: u64,
}

/// A wait for a condition variable.
#[derive(Clone, Debug)]
struct Wait {
    thread: ThreadId,
    condvar: CondvarId,
    lock: LockId,
    /// How often it held the lock.
    levels: u32,
    since: u64,
    /// The first notification since then.
    notified: Option<u64>,
    until: Option<u64>,
}

/// How often locks were held.
pub(super) type GivenBack = BTreeMap<(ThreadId, LockId), u32>;

/// What the events before a window left behind.
#[derive(Clone, Debug)]
pub(super) struct Before<'a> {
    recent: &'a Recent,
    prefix: u64,
    /// Who holds which locks, and whether shared.
    pub(super) held: Vec<(ThreadId, LockId, bool)>,
    /// For each of these the index of the event that ends it; 0 if it has not ended.
    pub(super) ends: Vec<u64>,
    /// Who waits for what, and whether a notification came.
    pub(super) waiting: BTreeMap<ThreadId, (CondvarId, bool)>,
    /// How often those who wait held the lock that they gave back.
    pub(super) given_back: GivenBack,
    /// The objects whose results are replayed.
    lives: Lives,
}

impl Wait {
    /// How often the lock is held after the wait.
    fn taken_back(&self) -> u32 {
        self.levels.max(1)
    }
}

impl Before<'_> {
    /// How many events come before the window.
    pub(super) fn prefix(&self) -> u64 {
        self.prefix
    }

    /// The places after the prefix of the events that the action at this place comes after
    /// by the `orders` of its type.
    pub(super) fn required(&self, place: u32) -> impl Iterator<Item = u32> {
        let index = self.index(place);
        let all = &self.recent.required;
        let found = all.binary_search_by_key(&index, |(action, _)| *action);
        let events = found.ok().map(|found| &all[found].1).into_iter().flatten();
        let places = events.filter_map(|event| event.checked_sub(self.prefix + 1));
        places.map(|place| u32::try_from(place).expect("a place in the window"))
    }

    /// The permits of objects at the beginning of the window, where they are known.
    pub(super) fn permits(&self) -> FxHashMap<ObjectId, i64> {
        self.recent.permits.at(self.prefix)
    }

    /// What the event at this place after the prefix does to permits.
    pub(super) fn permit_change(&self, place: u32) -> Option<PermitChange> {
        self.recent.permits.change(self.index(place))
    }

    /// The states in which an object may be at the beginning of the window, or, if it is
    /// made in it, after the event at this place: none if it is not known what the object
    /// contains.
    pub(super) fn contents(
        &self,
        o: ObjectId,
        made: Option<u32>,
        model: &'static dyn Model,
    ) -> Option<(Born, States)> {
        let replaying = self.recent.replaying.as_ref()?;
        let (born, states) = match made {
            Some(place) => {
                let born = self.prefix + 1 + u64::from(place);
                (born, States::initial(model))
            }
            None => {
                let (born, states) = self.lives.get(&o)?;
                (*born, states.clone()?)
            }
        };
        let is_new = !replaying.filled.contains(&(o, born));
        is_new.then_some(((o, born), states))
    }

    /// The index in the trace of the event at this place after the prefix.
    pub(super) fn index(&self, place: u32) -> u64 {
        self.prefix + 1 + u64::from(place)
    }

    /// Whether a variable was freed.
    pub(super) fn is_freed(&self, x: VariableId) -> bool {
        { self.recent.freed.get(&x) }.is_some_and(|&index| index <= self.prefix)
    }
}

impl Recent {
    /// Keeps at most so many events.
    pub(super) fn new(most: usize, replay: bool) -> Recent {
        Recent {
            events: VecDeque::new(),
            gone: 0,
            most,
            holds: FxHashMap::default(),
            ended: VecDeque::new(),
            freed: FxHashMap::default(),
            waits: VecDeque::new(),
            required: VecDeque::new(),
            permits: Permits::default(),
            replaying: replay.then(Replaying::default),
        }
    }

    /// How many events came before those that are kept.
    pub(super) fn gone(&self) -> u64 {
        self.gone
    }

    /// The index of the last event so far.
    pub(super) fn last(&self) -> u64 {
        self.gone + self.events.len() as u64
    }

    /// How many events are kept at most.
    pub(super) fn most(&self) -> usize {
        self.most
    }

    /// The event with this index, if it is kept.
    pub(super) fn get(&self, index: u64) -> Option<&Event> {
        let place = index.checked_sub(self.gone + 1)?;
        self.events.get(usize::try_from(place).ok()?)
    }

    /// The events after the first `prefix` ones of the trace.
    pub(super) fn after(&self, prefix: u64) -> impl Iterator<Item = &Event> {
        self.events.range((prefix - self.gone) as usize..)
    }

    /// The next event comes after these, by the `orders` of its type.
    pub(super) fn require(&mut self, index: u64, events: SmallVec<[u64; 2]>) {
        self.required.push_back((index, events));
        while { self.required.front() }.is_some_and(|(action, _)| *action <= self.gone) {
            self.required.pop_front();
        }
    }

    /// The next event changes the permits of an object.
    pub(super) fn change_permits(&mut self, index: u64, o: ObjectId, change: PermitChange) {
        self.permits.push(index, o, change);
        self.permits.forget(self.gone);
    }

    /// The next event of the trace.
    #[inline]
    pub(super) fn push(&mut self, event: &Event, index: u64, objects: &Objects, names: &Names) {
        match &event.op {
            Op::Read(_) | Op::Write(_) | Op::Action(_) => {}
            _ => self.note(event, index),
        }
        if let Some(Replaying { now, filled, .. }) = &mut self.replaying {
            filled.extend(replay(now, (index, event), objects.at(index), names));
        }
        if self.events.len() >= self.most {
            let oldest = self.events.pop_front();
            self.gone += 1;
            if let (Some(Replaying { before, .. }), Some(event)) = (&mut self.replaying, &oldest) {
                replay(before, (self.gone, event), objects.at(self.gone), names);
            }
        }
        self.events.push_back(event.clone());
    }

    fn note(&mut self, event: &Event, index: u64) {
        let t = event.thread;
        match event.op {
            Op::Acquire(l) => self.hold(t, l, false, index),
            Op::ReadAcquire(l) => self.hold(t, l, true, index),
            Op::Release(l) => self.let_go(t, l, false, index),
            Op::ReadRelease(l) => self.let_go(t, l, true, index),
            Op::Wait(c, m) => {
                let levels = self.let_go_entirely(t, m, index);
                self.waits.push_back(Wait {
                    thread: t,
                    condvar: c,
                    lock: m,
                    levels,
                    since: index,
                    notified: None,
                    until: None,
                });
            }
            Op::Wake(_, m) => {
                let mine = |wait: &&mut Wait| wait.thread == t && wait.until.is_none();
                let mut levels = 1;
                if let Some(wait) = self.waits.iter_mut().find(mine) {
                    wait.until = Some(index);
                    levels = wait.taken_back();
                }
                for _ in 0..levels {
                    self.hold(t, m, false, index);
                }
                let over = |wait: &Wait| wait.until.is_some_and(|until| until <= self.gone);
                while self.waits.front().is_some_and(over) {
                    self.waits.pop_front();
                }
            }
            Op::Notify(c) | Op::NotifyAll(c) => {
                let open = |wait: &&mut Wait| wait.condvar == c && wait.until.is_none();
                for wait in self.waits.iter_mut().filter(open) {
                    wait.notified.get_or_insert(index);
                }
            }
            Op::Free(x) => {
                self.freed.entry(x).or_insert(index);
            }
            Op::Alloc(x) => {
                self.freed.remove(&x);
            }
            Op::Join(u) if self.holds.get(&u).is_some_and(Vec::is_empty) => {
                self.holds.remove(&u);
            }
            _ => {}
        }
    }

    fn hold(&mut self, t: ThreadId, l: LockId, shared: bool, index: u64) {
        self.holds.entry(t).or_default().push((l, shared, index));
    }

    fn let_go(&mut self, thread: ThreadId, lock: LockId, shared: bool, end: u64) {
        let mut since = 0;
        // order: the holds of one thread are a list.
        if let Some(holds) = self.holds.get_mut(&thread)
            && let Some(place) = holds.iter().rposition(|h| (h.0, h.1) == (lock, shared))
        {
            since = holds.remove(place).2;
        }
        while { self.ended.front() }.is_some_and(|ended| ended.end <= self.gone) {
            self.ended.pop_front();
        }
        self.ended.push_back(Ended {
            thread,
            lock,
            shared,
            since,
            end,
        });
    }

    /// Lets go of all exclusive holds; how many there were.
    fn let_go_entirely(&mut self, t: ThreadId, l: LockId, index: u64) -> u32 {
        // order: the holds of one thread are a list.
        let holds = { self.holds.get(&t) }.map_or(&[][..], Vec::as_slice);
        // order: they are counted.
        let levels = { holds.iter() }.filter(|hold| (hold.0, hold.1) == (l, false));
        let levels = levels.count() as u32;
        (0..levels).for_each(|_| self.let_go(t, l, false, index));
        levels
    }

    /// Who held which locks after the first `prefix` events, and whether shared; the event
    /// that ends each of these holds, if one does; and how often those who waited then held
    /// the lock that they gave back.
    pub(super) fn held(&self, prefix: u64) -> (Vec<(ThreadId, LockId, bool)>, Vec<u64>, GivenBack) {
        let mut held = Vec::new();
        // order: sorted below, stably.
        for (t, holds) in &self.holds {
            let since = holds.iter().filter(|hold| hold.2 <= prefix);
            held.extend(since.map(|hold| (*t, hold.0, hold.1)));
        }
        held.sort_by_key(|(t, _, _)| *t);
        let mut ends = vec![0; held.len()];
        let first = self.ended.partition_point(|ended| ended.end <= prefix);
        for ended in { self.ended.range(first..) }.filter(|ended| ended.since <= prefix) {
            held.push((ended.thread, ended.lock, ended.shared));
            ends.push(ended.end);
        }
        let given_back = { self.waiting(prefix) }.map(|w| ((w.thread, w.lock), w.taken_back()));
        (held, ends, given_back.collect())
    }

    fn waiting(&self, prefix: u64) -> impl Iterator<Item = &Wait> {
        let over = move |wait: &Wait| wait.until.is_some_and(|until| until <= prefix);
        { self.waits.iter() }.filter(move |wait| wait.since <= prefix && !over(wait))
    }

    /// What the first `prefix` events of the trace left behind.
    pub(super) fn before(&self, prefix: u64, objects: &Objects, names: &Names) -> Before<'_> {
        let (held, ends, given_back) = self.held(prefix);
        let waiting = self.waiting(prefix).map(|wait| {
            let notified = wait.notified.is_some_and(|index| index <= prefix);
            (wait.thread, (wait.condvar, notified))
        });
        let mut lives = Lives::default();
        if let Some(replaying) = &self.replaying {
            lives.clone_from(&replaying.before);
            let events = self.events.range(..(prefix - self.gone) as usize);
            for (index, event) in (self.gone + 1..).zip(events) {
                replay(&mut lives, (index, event), objects.at(index), names);
            }
        }
        Before {
            recent: self,
            prefix,
            held,
            ends,
            waiting: waiting.collect(),
            given_back,
            lives,
        }
    }

    /// Whether an object was filled before it was recorded.
    pub(super) fn is_filled(&self, born: &Born) -> bool {
        let replaying = self.replaying.as_ref();
        replaying.is_some_and(|replaying| replaying.filled.contains(born))
    }
}

/// Replays an event on the models of the objects; the life of the object that, as the
/// result shows, was not new when it was made.
fn replay(
    lives: &mut Lives,
    (index, event): (u64, &Event),
    objects: ObjectsAt<'_>,
    names: &Names,
) -> Option<Born> {
    match &event.op {
        Op::New(o, _) => {
            let states = replayed(objects, *o).map(States::initial);
            lives.insert(*o, (index, states));
            None
        }
        Op::Action(action) => {
            let (born, states) = lives.get_mut(&action.object)?;
            let now = states.take()?;
            let call = Call::new(action, objects, names)?;
            if call.has_opaque() {
                return None;
            }
            let after = call.replay(&now);
            if after.is_empty() {
                return Some((action.object, *born));
            }
            *states = Some(after);
            None
        }
        _ => None,
    }
}
