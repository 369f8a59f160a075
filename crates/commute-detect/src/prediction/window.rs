//! The part of a trace in which a witness is looked for.
//!
//! The events before it come first, unchanged, whatever is done: so they need
//! not be looked at, except for what they leave behind. Of the events inside, a
//! window knows what each requires to have the outcome that it had.

use commute_model::{Event, LockId, Names, ObjectId, Op, SharedAction, ThreadId, VariableId};
use commute_spec::states::States;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::dependences::{Dependence, Dependences};
use super::facts::{Facts, LockOp, LockUse, NONE, No, Touch, Variable};
use super::legal::{Call, Legal, bind, replayed};
use super::namesakes::{Namesakes, used};
use super::permits::{self, PermitChange};
use super::recent::{Before, Born};
use super::sliced::Sliced;
use crate::objects::{Objects, ObjectsAt};

/// The events, and what is required of their order.
pub(super) struct Window<'a> {
    /// How many events come before.
    pub(super) prefix: u64,
    /// How many events come after that, those outside of a slice included.
    pub(super) len: usize,
    /// If these are not all events of the window.
    pub(super) slice: Option<Sliced>,
    pub(super) events: Vec<&'a Event>,
    pub(super) facts: Vec<Facts>,
    /// The events of each thread.
    pub(super) threads: Vec<Vec<No>>,
    /// Which locks each thread holds before the window, one entry per hold:
    /// exclusive ones are `false`.
    pub(super) held: Vec<Vec<(u32, bool)>>,
    /// The events that end these holds; 0 if none does.
    pub(super) ends: Vec<Vec<u64>>,
    pub(super) locks: usize,
    /// The events that use a lock, by thread and by lock.
    pub(super) lock_uses: Vec<Vec<No>>,
    pub(super) uses_of: Vec<Vec<No>>,
    /// By thread: the events that saw a notification or a free, and those that change permits.
    pub(super) caused: Vec<Vec<No>>,
    pub(super) variables: Vec<Variable>,
    /// Notifications of each condition variable.
    pub(super) notifies: Vec<Vec<No>>,
    /// Which condition variable each thread waits for before the window, and
    /// whether it was notified.
    pub(super) waiting: Vec<(Option<u32>, bool)>,
    /// The states of objects before the window, of those whose actions are replayed, and
    /// since when they exist.
    pub(super) replayed: Vec<States>,
    pub(super) born: Vec<Born>,
    /// The permits before the window of objects for which they are recorded, and of those
    /// made in it.
    pub(super) permits: Vec<i64>,
    /// The releases of these permits.
    pub(super) releases: Vec<Vec<No>>,
    /// The actions that are replayed.
    pub(super) calls: FxHashMap<No, Call>,
}

/// What is the same for all windows of a trace.
pub(super) struct Context<'a> {
    pub(super) names: &'a Names,
    pub(super) objects: &'a Objects,
    pub(super) namesakes: &'a Namesakes,
    pub(super) legal: Legal,
    /// Whether being freed, closed or cancelled is not an outcome.
    pub(super) lax: bool,
}

/// What is looked up while a window is built.
#[derive(Default)]
pub(super) struct Building {
    threads: FxHashMap<ThreadId, u32>,
    locks: FxHashMap<LockId, u32>,
    /// How often locks are held exclusively.
    levels: FxHashMap<(ThreadId, LockId), u32>,
    /// How often those who wait held what they gave back.
    given_back: FxHashMap<(ThreadId, LockId), u32>,
    pub(super) condvars: FxHashMap<u32, u32>,
    /// The current life of each variable, and the event that began it.
    pub(super) lives: FxHashMap<VariableId, (u32, No)>,
    objects: FxHashMap<ObjectId, Life>,
    replayed: FxHashMap<ObjectId, u32>,
    /// The permits before the window of objects that are not used in it yet.
    unused_permits: FxHashMap<ObjectId, i64>,
    permits: FxHashMap<ObjectId, u32>,
    /// Forks whose thread has no event since.
    forks: FxHashMap<ThreadId, SmallVec<[No; 1]>>,
    /// Where each thread waits.
    waits: FxHashMap<ThreadId, No>,
}

/// An object since it was made.
#[derive(Default)]
struct Life {
    /// The event that made it, if that is in the window.
    made: Option<No>,
    /// What was done with it.
    events: Vec<No>,
    drops: SmallVec<[No; 1]>,
    /// Whether something was opaque that was done with it, or it is not known what it
    /// contains.
    is_opaque: bool,
    actions: Dependences,
}

impl<'a> Window<'a> {
    /// The window of these events, with what those before it left behind.
    pub(super) fn new(
        prefix: u64,
        events: impl Iterator<Item = &'a Event>,
        before: &Before<'_>,
        context: &Context<'_>,
    ) -> Window<'a> {
        let mut window = Window::empty(prefix, None);
        let mut building = Building::new(before);
        for event in events {
            window.add(event, before, &mut building, context);
        }
        window.len = window.events.len();
        window.finish(before, &mut building);
        window
    }

    pub(super) fn empty(prefix: u64, slice: Option<Sliced>) -> Window<'a> {
        Window {
            prefix,
            len: 0,
            slice,
            events: Vec::new(),
            facts: Vec::new(),
            threads: Vec::new(),
            held: Vec::new(),
            ends: Vec::new(),
            locks: 0,
            lock_uses: Vec::new(),
            uses_of: Vec::new(),
            caused: Vec::new(),
            variables: Vec::new(),
            notifies: Vec::new(),
            waiting: Vec::new(),
            replayed: Vec::new(),
            born: Vec::new(),
            permits: Vec::new(),
            releases: Vec::new(),
            calls: FxHashMap::default(),
        }
    }

    /// Adds what the events before the window left behind.
    pub(super) fn finish(&mut self, before: &Before<'_>, building: &mut Building) {
        for ((thread, lock, shared), end) in before.held.iter().zip(&before.ends) {
            let thread = building.thread(*thread, self) as usize;
            let lock = building.lock(*lock, self);
            self.held[thread].push((lock, *shared));
            self.ends[thread].push(*end);
        }
        for (thread, &(condvar, notified)) in &before.waiting {
            let thread = building.thread(*thread, self) as usize;
            let condvar = building.condvar(condvar.0, self);
            self.waiting[thread] = (Some(condvar), notified);
        }
        for no in 0..self.facts.len() {
            for i in 0..self.facts[no].conflicts.len() {
                let earlier = self.facts[no].conflicts[i];
                self.facts[earlier as usize].later.push(no as No);
            }
        }
    }

    /// The number of an event of the window.
    pub(super) fn no(&self, index: u64) -> Option<No> {
        match &self.slice {
            Some(slice) => slice.indices.binary_search(&index).ok().map(|no| no as No),
            None => index.checked_sub(self.prefix + 1).map(|no| no as No),
        }
    }

    /// The events of the window, as the trace counts them.
    pub(super) fn index(&self, no: No) -> u64 {
        match &self.slice {
            Some(slice) => slice.indices[no as usize],
            None => self.prefix + 1 + u64::from(no),
        }
    }

    pub(super) fn add(
        &mut self,
        event: &'a Event,
        before: &Before<'_>,
        building: &mut Building,
        context: &Context<'_>,
    ) {
        let no = self.events.len() as No;
        let thread = building.thread(event.thread, self);
        let mut facts = Facts {
            thread,
            place: self.threads[thread as usize].len() as u32,
            after: building.forks.remove(&event.thread).unwrap_or_default(),
            ..Facts::default()
        };
        if !context.namesakes.is_empty() {
            for used in used(&event.op) {
                if let Some(x) = context.namesakes.variable(used) {
                    let life = self.life(x, &mut facts, before, building);
                    self.use_memory(no, life, &mut facts);
                }
            }
        }
        match &event.op {
            Op::Acquire(l) => {
                *building.levels(event.thread, *l) += 1;
                facts.lock = Some(building.lock_use(*l, LockOp::Acquire, 1, self));
            }
            Op::Release(l) => {
                let levels = building.levels(event.thread, *l);
                *levels = levels.saturating_sub(1);
                facts.lock = Some(building.lock_use(*l, LockOp::Release, 1, self));
            }
            Op::ReadAcquire(l) => {
                facts.lock = Some(building.lock_use(*l, LockOp::ReadAcquire, 1, self));
            }
            Op::ReadRelease(l) => {
                facts.lock = Some(building.lock_use(*l, LockOp::ReadRelease, 1, self));
            }
            Op::Fork(u) => building.forks.entry(*u).or_default().push(no),
            Op::Join(u) => {
                let child = building.thread(*u, self);
                let last = self.threads[child as usize].last();
                let forks = building.forks.get(u).into_iter().flatten();
                facts.after.extend(last.into_iter().chain(forks).copied());
            }
            Op::Wait(c, m) => {
                let levels = std::mem::take(building.levels(event.thread, *m));
                building
                    .given_back
                    .insert((event.thread, *m), levels.max(1));
                facts.lock = Some(building.lock_use(*m, LockOp::Release, levels, self));
                facts.touch = Touch::Wait(building.condvar(c.0, self));
                building.waits.insert(event.thread, no);
            }
            Op::Wake(c, m) => {
                let levels = building.given_back.remove(&(event.thread, *m));
                let levels = levels.unwrap_or(1);
                *building.levels(event.thread, *m) += levels;
                facts.lock = Some(building.lock_use(*m, LockOp::Acquire, levels, self));
                let condvar = building.condvar(c.0, self);
                let since = building.waits.remove(&event.thread);
                let notifies = &self.notifies[condvar as usize];
                let notified = match since {
                    Some(wait) => notifies.last().is_some_and(|&notify| notify > wait),
                    None => match before.waiting.get(&event.thread) {
                        Some(&(_, notified)) => notified || !notifies.is_empty(),
                        None => false,
                    },
                };
                facts.touch = Touch::Wake(condvar, notified);
            }
            Op::Notify(c) | Op::NotifyAll(c) => {
                let condvar = building.condvar(c.0, self);
                self.notifies[condvar as usize].push(no);
                facts.touch = Touch::Notify(condvar);
            }
            Op::Alloc(x) => {
                let life = self.variables.len() as u32;
                self.variables.push(Variable::default());
                building.lives.insert(*x, (life, no));
            }
            Op::Read(x) | Op::Write(x) | Op::Free(x) => {
                let life = self.life(*x, &mut facts, before, building);
                self.access(no, life, &event.op, &mut facts, context.lax);
            }
            Op::New(o, _) => {
                let made = Some(no);
                let life = Life {
                    made,
                    ..Life::default()
                };
                building.objects.insert(*o, life);
                building.replayed.remove(o);
                building.permits.remove(o);
                building.unused_permits.remove(o);
                if let Some(change @ PermitChange::New(Some(_))) = before.permit_change(no) {
                    permits::apply(&mut building.unused_permits, *o, change);
                }
            }
            Op::Drop(o) => {
                let life = building.objects.entry(*o).or_default();
                facts.sees.extend(life.events.iter().copied());
                facts.conflicts.extend(life.events.iter().copied());
                facts.after.extend(life.made);
                life.events.push(no);
                life.drops.push(no);
            }
            Op::Action(action) => {
                self.act(no, action, &mut facts, before, building, context);
            }
            Op::Begin(_) | Op::End(_) | Op::Dummy | Op::Branch => {}
        }
        self.events.push(event);
        if let Some(used) = facts.lock {
            self.lock_uses[thread as usize].push(no);
            self.uses_of[used.lock as usize].push(no);
        }
        if facts.permit.is_some()
            || matches!(facts.touch, Touch::Wake(_, true))
            || facts.lives().any(|(_, freed)| freed)
        {
            self.caused[thread as usize].push(no);
        }
        self.facts.push(facts);
        self.threads[thread as usize].push(no);
    }

    fn life(
        &mut self,
        x: VariableId,
        facts: &mut Facts,
        before: &Before<'_>,
        building: &mut Building,
    ) -> u32 {
        let (life, began) = *building.lives.entry(x).or_insert_with(|| {
            self.variables.push(Variable {
                freed: before.is_freed(x),
                ..Variable::default()
            });
            (self.variables.len() as u32 - 1, NONE)
        });
        facts.after.extend((began != NONE).then_some(began));
        life
    }

    /// Whether a life was freed before the current event, which then needs that.
    fn is_freed(&self, life: u32, facts: &mut Facts) -> bool {
        let variable = &self.variables[life as usize];
        if let ([free], false) = (&variable.frees[..], variable.freed) {
            facts.sees.push(*free);
        }
        variable.freed || !variable.frees.is_empty()
    }

    fn use_memory(&mut self, no: No, life: u32, facts: &mut Facts) {
        let freed = self.is_freed(life, facts);
        facts.uses.push((life, freed));
        self.variables[life as usize].uses.push(no);
    }

    fn access(&mut self, no: No, life: u32, op: &Op, facts: &mut Facts, lax: bool) {
        let freed = self.is_freed(life, facts);
        let variable = &mut self.variables[life as usize];
        facts.touch = match op {
            Op::Read(_) => {
                let writer = variable.writes.last().copied().unwrap_or(NONE);
                facts.sees.extend((writer != NONE).then_some(writer));
                variable.reads.push(no);
                Touch::Read(life, writer, freed)
            }
            Op::Write(_) => {
                variable.writes.push(no);
                Touch::Write(life, freed)
            }
            _ if lax => Touch::Nothing,
            _ => {
                variable.frees.push(no);
                Touch::Free(life, freed)
            }
        };
    }

    fn act(
        &mut self,
        no: No,
        action: &SharedAction,
        facts: &mut Facts,
        before: &Before<'_>,
        building: &mut Building,
        context: &Context<'_>,
    ) {
        let o = action.object;
        let objects = context.objects.at(self.index(no));
        if let Some(change) = before.permit_change(no) {
            facts.permit = building.permit(o, self).map(|permit| (permit, change));
        }
        if let Some((permit, PermitChange::Release)) = facts.permit {
            self.releases[permit as usize].push(no);
        }
        let life = building.objects.entry(o).or_default();
        facts.after.extend(life.made);
        life.events.push(no);
        if context.legal == Legal::Replay
            && let Some(model) = replayed(objects, o)
            && let Some(call) = Call::new(action, objects, context.names)
        {
            life.is_opaque |= call.has_opaque();
            let known = building.replayed.get(&o).copied();
            let id = known.filter(|_| !life.is_opaque).or_else(|| {
                let is_clear = !life.is_opaque;
                let contents = is_clear.then(|| before.contents(o, life.made, model));
                let (born, states) = contents.flatten()?;
                self.replayed.push(states);
                self.born.push(born);
                let id = self.replayed.len() as u32 - 1;
                building.replayed.insert(o, id);
                Some(id)
            });
            life.is_opaque |= id.is_none();
            if let Some(id) = id {
                facts.touch = Touch::Replay(id);
                self.calls.insert(no, call);
                // For those that are not replayed because something is opaque.
                life.act(no, action, objects, context);
                return;
            }
        }
        facts.sees.extend(before.required(no));
        // An object that is used after it was dropped: stay in order.
        facts.conflicts.extend(life.drops.iter().copied());
        facts.sees.extend(life.drops.iter().copied());
        let earlier = life.act(no, action, objects, context);
        facts
            .conflicts
            .extend(earlier.iter().map(|earlier| earlier.no));
        let needed = earlier.iter().filter(|earlier| earlier.needs);
        facts.sees.extend(needed.map(|earlier| earlier.no));
    }
}

impl Life {
    /// What the next action depends on.
    fn act(
        &mut self,
        no: No,
        action: &SharedAction,
        objects: ObjectsAt<'_>,
        context: &Context<'_>,
    ) -> Vec<Dependence> {
        let compiled = objects.compiled(action.object);
        let bound = bind(action, objects, context.names);
        let (Some(compiled), Some((_, invocation))) = (compiled, bound) else {
            return Vec::new();
        };
        { &mut self.actions }.act(no, (action, invocation), compiled, context)
    }
}

impl Building {
    pub(super) fn new(before: &Before<'_>) -> Building {
        let mut building = Building {
            unused_permits: before.permits(),
            ..Building::default()
        };
        for (thread, lock, _) in before.held.iter().filter(|(_, _, shared)| !shared) {
            *building.levels(*thread, *lock) += 1;
        }
        building.given_back.extend(&before.given_back);
        building
    }

    /// The number of an object's permits in the window, if they are known.
    fn permit(&mut self, o: ObjectId, window: &mut Window<'_>) -> Option<u32> {
        if let Some(count) = self.unused_permits.remove(&o) {
            window.permits.push(count);
            window.releases.push(Vec::new());
            self.permits.insert(o, window.permits.len() as u32 - 1);
        }
        self.permits.get(&o).copied()
    }

    pub(super) fn thread(&mut self, t: ThreadId, window: &mut Window<'_>) -> u32 {
        *self.threads.entry(t).or_insert_with(|| {
            window.threads.push(Vec::new());
            window.held.push(Vec::new());
            window.ends.push(Vec::new());
            window.lock_uses.push(Vec::new());
            window.caused.push(Vec::new());
            window.waiting.push((None, false));
            window.threads.len() as u32 - 1
        })
    }

    /// Whether a thread has a number.
    pub(super) fn knows(&self, t: ThreadId) -> bool {
        self.threads.contains_key(&t)
    }

    fn lock(&mut self, l: LockId, window: &mut Window<'_>) -> u32 {
        *self.locks.entry(l).or_insert_with(|| {
            window.locks += 1;
            window.uses_of.push(Vec::new());
            window.locks as u32 - 1
        })
    }

    fn lock_use(&mut self, l: LockId, op: LockOp, levels: u32, window: &mut Window<'_>) -> LockUse {
        LockUse {
            lock: self.lock(l, window),
            op,
            levels,
        }
    }

    fn levels(&mut self, t: ThreadId, l: LockId) -> &mut u32 {
        self.levels.entry((t, l)).or_default()
    }

    fn condvar(&mut self, c: u32, window: &mut Window<'_>) -> u32 {
        *self.condvars.entry(c).or_insert_with(|| {
            window.notifies.push(Vec::new());
            window.notifies.len() as u32 - 1
        })
    }
}
