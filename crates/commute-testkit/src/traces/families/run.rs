//! A run of made-up threads, from which the trace of a family comes: every
//! step is one that the thread could make then.

use std::collections::VecDeque;

use commute_model::{
    Action, CondvarId, Event, LockId, Names, ObjectId, Op, SharedAction, ThreadId, Value,
    VariableId,
};
use commute_spec::models::{self, Model, Outcome};
use commute_spec::{Invocation, Library, Matching, Specification};

use super::{Family, Trace};
use crate::random::Random;

/// Methods after which an object is of little use.
const ENDS: [&str; 4] = ["close", "disconnect", "cancel", "free"];

/// What a receive returns that got no message. That is never opaque.
const NO_MESSAGE: [fn() -> Value; 3] = [
    || Value::Nil,
    || Value::str("empty"),
    || Value::str("closed"),
];

#[derive(Default)]
struct Thread {
    running: bool,
    joined: bool,
    /// The sections it is in, and whether they are exclusive.
    sections: Vec<(LockId, bool)>,
    /// What it waits for.
    waits: Option<Wait>,
}

#[derive(Clone, Copy)]
struct Wait {
    condvar: CondvarId,
    lock: LockId,
    /// How often it held the lock.
    levels: usize,
    notified: bool,
}

pub(super) struct Run<'a> {
    random: Random,
    /// Decides what is opaque, so that nothing else depends on it.
    hides: Random,
    family: &'a Family,
    library: &'a Library,
    trace: Trace,
    threads: Vec<Thread>,
    /// By variable: whether it was freed. If locks are freed, there are variables
    /// with the names of the locks after the others, then those of the condition
    /// variables.
    freed: Vec<bool>,
    /// The state of each object's model; none if it was dropped.
    states: Vec<Option<Value>>,
    /// By object with a `fifo` rule: the messages of each thread that are on their way.
    messages: Vec<Vec<VecDeque<Value>>>,
}

impl<'a> Run<'a> {
    pub(super) fn new(seed: u64, family: &'a Family, library: &'a Library) -> Run<'a> {
        let mut random = Random::new(seed);
        let mut names = Names::default();
        let count = 2 + random.below(family.threads.saturating_sub(1));
        for t in 0..count {
            names.threads.intern(&format!("T{t}"));
        }
        for x in 0..family.variables {
            names.variables.intern(&format!("x{x}"));
        }
        for l in 0..family.locks {
            names.locks.intern(&format!("m{l}"));
            names.condvars.intern(&format!("c{l}"));
        }
        let mut freed = vec![false; family.variables];
        if family.lock_frees > 0 {
            for name in ["m", "c"] {
                for l in 0..family.locks {
                    names.variables.intern(&format!("{name}{l}"));
                    freed.push(false);
                }
            }
        }
        // Some threads are roots: nobody forks them.
        let roots = random.chance(60);
        let mut threads: Vec<Thread> = Vec::new();
        for t in 0..count {
            threads.push(Thread {
                running: t == 0 || roots && random.chance(80),
                ..Thread::default()
            });
        }
        let mut run = Run {
            random,
            hides: Random::new(!seed),
            family,
            library,
            trace: Trace {
                events: Vec::new(),
                names,
            },
            threads,
            freed,
            states: vec![None; family.types.len()],
            messages: vec![Vec::new(); family.types.len()],
        };
        for o in 0..family.types.len() {
            run.trace.names.objects.intern(&format!("o{o}"));
            run.create(0, o);
        }
        run
    }

    pub(super) fn complete(mut self) -> Trace {
        let events = 4 + self.random.below(self.family.events.saturating_sub(3));
        // Everybody may be stuck: the number of attempts is bounded as well.
        for _ in 0..events * 8 {
            if self.trace.events.len() >= events {
                break;
            }
            self.step();
        }
        self.finish();
        self.trace
    }

    fn push(&mut self, t: usize, op: Op) {
        let location = format!("p.rs:{}", self.trace.events.len() + 1);
        let location = self.trace.names.locations.intern(&location);
        let thread = ThreadId(t as u32);
        self.trace.events.push(Event {
            thread,
            location,
            op,
        });
    }

    fn step(&mut self) {
        let alive = (0..self.threads.len()).filter(|&t| !self.threads[t].joined);
        let alive: Vec<usize> = alive.collect();
        let t = *self.random.pick(&alive);
        if !self.threads[t].running {
            self.fork(t);
        } else if self.threads[t].waits.is_some() {
            self.wake(t);
        } else if self.family.lock_frees > 0 && self.random.chance(self.family.lock_frees) {
            let number = self.random.below(2 * self.family.locks);
            self.free_or_allocate(t, number);
        } else if self.random.chance(self.family.condvars) {
            self.wait_or_notify(t);
        } else if self.family.locks > 0 && self.random.chance(self.family.locking) {
            self.enter_or_leave(t);
        } else if self.random.chance(4) {
            self.join(t);
        } else {
            self.touch(t);
        }
    }

    fn fork(&mut self, u: usize) {
        let runs = |t: &usize| self.threads[*t].running && self.threads[*t].waits.is_none();
        let runs: Vec<usize> = (0..self.threads.len()).filter(runs).collect();
        if !runs.is_empty() {
            let t = *self.random.pick(&runs);
            self.threads[u].running = true;
            self.push(t, Op::Fork(ThreadId(u as u32)));
        }
    }

    fn join(&mut self, t: usize) {
        let u = self.random.below(self.threads.len());
        let other = &mut self.threads[u];
        let over = other.sections.is_empty() && other.waits.is_none();
        if u != t && u != 0 && other.running && over {
            (other.joined, other.running) = (true, false);
            self.push(t, Op::Join(ThreadId(u as u32)));
        }
    }

    /// Whether `t` can acquire the lock; it never turns a shared hold into an
    /// exclusive one.
    fn is_free(&self, t: usize, lock: LockId, exclusive: bool) -> bool {
        let holds = |&(l, held): &(LockId, bool)| l == lock && (held || exclusive);
        let held = |thread: &Thread| thread.sections.iter().any(holds);
        self.threads[t].sections.contains(&(lock, true)) || !self.threads.iter().any(held)
    }

    fn enter_or_leave(&mut self, t: usize) {
        let inside = !self.threads[t].sections.is_empty();
        let deep = self.threads[t].sections.len() >= 3;
        if inside && (deep || !self.random.chance(self.family.nested)) {
            return self.leave(t);
        }
        let lock = LockId(self.random.below(self.family.locks) as u32);
        let exclusive = !self.random.chance(self.family.read_locks);
        if self.is_free(t, lock, exclusive) {
            self.enter(t, lock, exclusive);
        }
    }

    fn enter(&mut self, t: usize, lock: LockId, exclusive: bool) {
        self.before_use(t, lock.0 as usize);
        self.threads[t].sections.push((lock, exclusive));
        let op = if exclusive {
            Op::Acquire(lock)
        } else {
            Op::ReadAcquire(lock)
        };
        self.push(t, op);
    }

    /// Frees a lock, or with a higher number a condition variable, mostly one that
    /// is not in use; or allocates it, if it was freed.
    fn free_or_allocate(&mut self, t: usize, number: usize) {
        let lock = LockId((number % self.family.locks) as u32);
        let uses = |thread: &Thread| {
            let holds = thread.sections.iter().any(|(l, _)| *l == lock);
            holds || thread.waits.is_some_and(|wait| wait.lock == lock)
        };
        let in_use = self.threads.iter().any(uses);
        let x = self.family.variables + number;
        let variable = VariableId(x as u32);
        if self.freed[x] && !self.random.chance(10) {
            if !in_use {
                self.freed[x] = false;
                self.push(t, Op::Alloc(variable));
            }
        } else if !in_use || self.random.chance(20) {
            self.freed[x] = true;
            self.push(t, Op::Free(variable));
        }
    }

    /// What is used is mostly allocated.
    fn before_use(&mut self, t: usize, number: usize) {
        let freed = { self.freed.get(self.family.variables + number) }.copied();
        if freed == Some(true) && self.random.chance(75) {
            self.free_or_allocate(t, number);
        }
    }

    fn leave(&mut self, t: usize) {
        match self.threads[t].sections.pop() {
            Some((lock, true)) => self.push(t, Op::Release(lock)),
            Some((lock, false)) => self.push(t, Op::ReadRelease(lock)),
            None => {}
        }
    }

    fn leave_all(&mut self, t: usize) {
        let running = self.threads[t].waits.is_none();
        while running && !self.threads[t].sections.is_empty() && self.random.chance(95) {
            self.leave(t);
        }
    }

    fn wait_or_notify(&mut self, t: usize) {
        let sections = &self.threads[t].sections;
        let waiting = self.threads.iter().any(|thread| thread.waits.is_some());
        if let Some(&(lock, true)) = sections.last()
            && self.random.chance(if waiting { 20 } else { 60 })
        {
            let condvar = CondvarId(lock.0);
            let levels = { sections.iter() }.filter(|s| **s == (lock, true)).count();
            let thread = &mut self.threads[t];
            thread.sections.retain(|section| *section != (lock, true));
            thread.waits = Some(Wait {
                condvar,
                lock,
                levels,
                notified: false,
            });
            return self.push(t, Op::Wait(condvar, lock));
        }
        // A notification that nobody waits for is lost; that is rare.
        if self.family.locks > 0 && (waiting || self.random.chance(25)) {
            let condvar = CondvarId(self.random.below(self.family.locks) as u32);
            self.before_use(t, self.family.locks + condvar.0 as usize);
            for thread in &mut self.threads {
                if let Some(wait) = &mut thread.waits {
                    wait.notified |= wait.condvar == condvar;
                }
            }
            let op = if self.random.chance(60) {
                Op::Notify(condvar)
            } else {
                Op::NotifyAll(condvar)
            };
            self.push(t, op);
        }
    }

    fn wake(&mut self, t: usize) {
        if let Some(wait) = self.threads[t].waits
            && (wait.notified || self.random.chance(5))
            && self.is_free(t, wait.lock, true)
        {
            let thread = &mut self.threads[t];
            thread.waits = None;
            let holds = std::iter::repeat_n((wait.lock, true), wait.levels);
            thread.sections.extend(holds);
            self.push(t, Op::Wake(wait.condvar, wait.lock));
        }
    }

    fn touch(&mut self, t: usize) {
        let objects = self.family.types.len();
        if objects > 0 && (self.family.variables == 0 || self.random.chance(75)) {
            let o = self.random.below(objects);
            if self.guard(t, o) {
                self.act(t, o);
            }
        } else if self.family.variables > 0 {
            let x = self.random.below(self.family.variables);
            if self.guard(t, x) {
                self.access(t, x);
            }
        }
    }

    /// Enters the section of the lock that guards something, if it should; false
    /// if it cannot.
    fn guard(&mut self, t: usize, number: usize) -> bool {
        let outside = self.family.locks > 0 && self.threads[t].sections.is_empty();
        if !outside || !self.random.chance(self.family.guarded) {
            return true;
        }
        let lock = LockId((number % self.family.locks) as u32);
        let exclusive = !self.random.chance(self.family.read_locks);
        let free = self.is_free(t, lock, exclusive);
        if free {
            self.enter(t, lock, exclusive);
        }
        free
    }

    fn access(&mut self, t: usize, x: usize) {
        let variable = VariableId(x as u32);
        if self.freed[x] && !self.random.chance(15) {
            self.freed[x] = false;
            return self.push(t, Op::Alloc(variable));
        }
        let op = match self.random.below(100) {
            0..6 if self.random.chance(self.family.frees) => Op::Free(variable),
            0..55 => Op::Write(variable),
            _ => Op::Read(variable),
        };
        self.freed[x] |= op == Op::Free(variable);
        self.push(t, op);
    }

    fn create(&mut self, t: usize, o: usize) {
        let (_, model) = self.meaning(o);
        let is_filled = self.family.filled > 0 && self.random.chance(self.family.filled);
        self.states[o] = Some(match is_filled {
            true => self.random.pick(&model.states()).clone(),
            false => model.initial(),
        });
        self.messages[o] = vec![VecDeque::new(); self.threads.len()];
        let type_id = self.trace.names.types.intern(self.family.types[o]);
        self.push(t, Op::New(ObjectId(o as u32), type_id));
    }

    /// Removes what no receive returns because an earlier message of its sender is still
    /// on its way.
    fn keep_first_messages(
        &self,
        o: usize,
        method: usize,
        args: &[Value],
        outcomes: &mut Vec<Outcome>,
    ) {
        let (specification, _) = self.meaning(o);
        let mut rules = specification.rules();
        if let Some(rule) = rules.find(|rule| rule.matching == Matching::Fifo) {
            outcomes.retain(|outcome| {
                let action = Invocation::new(method, args, &outcome.results);
                let received = rule.after(action);
                received.is_none_or(|message| {
                    let mut first = self.messages[o].iter().filter_map(|own| own.front());
                    first.any(|first| *first == message[0])
                })
            });
        }
    }

    /// What an action with a `fifo` rule does to the messages on their way.
    fn move_messages(&mut self, t: usize, o: usize, action: Invocation<'_>) {
        let (specification, _) = self.meaning(o);
        let mut rules = specification.rules();
        let Some(rule) = rules.find(|rule| rule.matching == Matching::Fifo) else {
            return;
        };
        let messages = &mut self.messages[o];
        if let Some(message) = rule.after(action) {
            let is_first = |own: &&mut VecDeque<Value>| own.front() == Some(&message[0]);
            let own = messages.iter_mut().find(is_first);
            own.expect("a first message").pop_front();
        }
        if let Some(message) = rule.before(action) {
            messages[t].push_back(message[0].clone());
        }
    }

    /// The specification and the model of an object.
    fn meaning(&self, o: usize) -> (&'a Specification, &'static dyn Model) {
        let specification = self.library.specification(self.family.types[o]);
        let specification = specification.expect("a known type");
        let model = specification.model.as_deref().and_then(models::named);
        (specification, model.expect("a type with a model"))
    }

    fn act(&mut self, t: usize, o: usize) {
        let Some(state) = self.states[o].clone() else {
            return self.create(t, o);
        };
        let object = ObjectId(o as u32);
        if self.random.chance(3) && self.random.chance(self.family.frees) {
            self.states[o] = None;
            return self.push(t, Op::Drop(object));
        }
        let (specification, _) = self.meaning(o);
        let method = self.random.pick(&specification.methods);
        // What ends the use of an object comes late, or little comes after it.
        if !ENDS.contains(&&*method.name) || self.random.chance(35) {
            self.invoke(t, o, &method.name, &state);
        }
    }

    /// Invokes a method on an object whose model is in this state; nothing
    /// happens if it is not enabled.
    fn invoke(&mut self, t: usize, o: usize, method: &str, state: &Value) {
        let (specification, model) = self.meaning(o);
        let orders = !specification.orders.is_empty();
        let lists = model.arguments(method);
        let mut args = self.random.pick(&lists).clone();
        let mut outcomes = model.step(state, method, &args);
        let number = specification.method(method).expect("a method of the type");
        self.keep_first_messages(o, number, &args, &mut outcomes);
        if outcomes.is_empty() {
            return;
        }
        let mut outcome = self.random.pick(&outcomes).clone();
        self.move_messages(t, o, Invocation::new(number, &args, &outcome.results));
        if self.family.opaque_messages {
            let values = args.iter_mut().chain(&mut outcome.results);
            for value in values.filter(|value| **value == Value::str("a")) {
                *value = Value::Opaque;
            }
        }
        for value in args.iter_mut().chain(&mut outcome.results) {
            let no_message = orders && NO_MESSAGE.iter().any(|no| *value == no());
            if !no_message && self.family.opaque > 0 && self.hides.chance(self.family.opaque) {
                *value = Value::Opaque;
            }
        }
        let result = match &outcome.results[..] {
            [] => None,
            [result] => Some(result.clone()),
            results => Some(Value::tuple(results.to_vec())),
        };
        self.states[o] = Some(outcome.state);
        let action = Action {
            object: ObjectId(o as u32),
            method: self.trace.names.methods.intern(method),
            args: args.into(),
            result,
        };
        self.push(t, Op::Action(SharedAction::new(action)));
    }

    /// Closes most sections, so that they can be swapped. Then ends the use of
    /// what is to be freed, closed or dropped, often under the lock that guards it.
    fn finish(&mut self) {
        for t in 0..self.threads.len() {
            self.leave_all(t);
        }
        for t in 0..self.threads.len() {
            self.wake(t);
            self.leave_all(t);
        }
        for x in 0..self.family.variables {
            if self.random.chance(self.family.frees) {
                self.at_last(x, |run, t| run.push(t, Op::Free(VariableId(x as u32))));
            }
        }
        for number in 0..self.freed.len() - self.family.variables {
            if self.random.chance(50) {
                // Guarded by another lock, if there is one.
                self.at_last(number + 1, |run, t| run.free_or_allocate(t, number));
            }
        }
        for o in 0..self.family.types.len() {
            let (specification, _) = self.meaning(o);
            let last = ENDS.iter().find(|end| specification.method(end).is_some());
            if let (Some(method), Some(state)) = (last, self.states[o].clone())
                && self.random.chance(60)
            {
                self.at_last(o, |run, t| run.invoke(t, o, method, &state));
            }
            if self.states[o].is_some() && self.random.chance(self.family.frees / 4) {
                self.at_last(o, |run, t| run.push(t, Op::Drop(ObjectId(o as u32))));
            }
        }
    }

    fn at_last(&mut self, number: usize, last: impl FnOnce(&mut Run<'a>, usize)) {
        let runs = |t: &usize| self.threads[*t].running && self.threads[*t].waits.is_none();
        let runs: Vec<usize> = (0..self.threads.len()).filter(runs).collect();
        if runs.is_empty() {
            return;
        }
        let t = *self.random.pick(&runs);
        let lock = LockId((number % self.family.locks.max(1)) as u32);
        let guarded = self.family.locks > 0 && self.random.chance(65);
        if !guarded || !self.is_free(t, lock, true) {
            return last(self, t);
        }
        self.enter(t, lock, true);
        if self.family.variables > 1 && self.random.chance(30) {
            let x = VariableId(self.random.below(self.family.variables) as u32);
            self.push(t, Op::Write(x));
        }
        last(self, t);
        self.leave(t);
    }
}
