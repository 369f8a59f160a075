//! Random small traces, well-formed by construction.

mod families;
mod short;

use std::io::Cursor;

use commute_model::{
    Action, Event, LockId, MethodId, Names, ObjectId, Op, SharedAction, ThreadId, Value,
};
use commute_spec::{Library, Specification};
use commute_trace::{Options, TraceReader};

use crate::random::Random;

pub use families::Family;
pub use short::{few_short_lives, short_lives};

/// What a random trace may contain.
#[derive(Clone, Debug)]
pub struct Mix {
    /// How many threads at most.
    pub threads: usize,
    /// How many events at most.
    pub events: usize,
    /// How many variables.
    pub variables: usize,
    /// How many locks.
    pub locks: usize,
    /// Types of the objects, one object each.
    pub types: Vec<&'static str>,
    /// Percentage of synchronisation among the events.
    pub synchronisation: usize,
    /// Percentage of begins and ends of atomic blocks.
    pub blocks: usize,
}

/// A trace and its names.
#[derive(Debug)]
pub struct Trace {
    /// The events.
    pub events: Vec<Event>,
    /// The names.
    pub names: Names,
}

impl Trace {
    /// The trace of this text.
    ///
    /// # Panics
    /// If it is not one.
    pub fn parse(text: &str) -> Trace {
        let text = Cursor::new(text.to_owned());
        let reader = TraceReader::from_reader(text, Options::default());
        let mut reader = reader.expect("a trace");
        let (mut events, mut batch) = (Vec::new(), Vec::new());
        while reader.read_batch(&mut batch).expect("a good trace") > 0 {
            events.append(&mut batch);
        }
        let names = reader.into_names();
        Trace { events, names }
    }

    /// The trace as text, for failure messages.
    pub fn text(&self) -> String {
        let line = |event: &Event| format!("{}\n", event.display(&self.names));
        self.events.iter().map(line).collect()
    }
}

/// The random trace of this seed.
pub fn random(seed: u64, mix: &Mix, library: &Library) -> Trace {
    let mut builder = Builder::new(seed, mix, library);
    let events = 4 + builder.random.below(mix.events.saturating_sub(3));
    while builder.trace.events.len() < events {
        builder.step();
    }
    builder.trace
}

#[derive(Clone, Copy, PartialEq)]
enum Life {
    NotStarted,
    Running,
    Joined,
}

struct Builder<'a> {
    random: Random,
    mix: &'a Mix,
    library: &'a Library,
    trace: Trace,
    life: Vec<Life>,
    /// Exclusive holder and depth.
    owner: Vec<Option<(usize, usize)>>,
    readers: Vec<Vec<usize>>,
    /// The mutex a thread waits to get back.
    waiting: Vec<Option<usize>>,
    /// Messages in each channel, and whether it is closed.
    channel: Vec<(usize, bool)>,
    /// How many blocks each thread is in.
    depth: Vec<usize>,
    freed: Vec<bool>,
    dropped: Vec<bool>,
}

impl<'a> Builder<'a> {
    fn new(seed: u64, mix: &'a Mix, library: &'a Library) -> Builder<'a> {
        let mut random = Random::new(seed);
        let mut names = Names::default();
        let threads = 2 + random.below(mix.threads - 1);
        for t in 0..threads {
            names.threads.intern(&format!("T{t}"));
        }
        for x in 0..mix.variables {
            names.variables.intern(&format!("x{x}"));
        }
        for l in 0..mix.locks {
            names.locks.intern(&format!("m{l}"));
        }
        names.condvars.intern("c");
        for o in 0..mix.types.len() {
            names.objects.intern(&format!("o{o}"));
        }
        // Some threads are roots: nobody forks them.
        let roots = random.chance(40);
        let life = (0..threads).map(|t| match t {
            0 => Life::Running,
            _ if roots && random.chance(60) => Life::Running,
            _ => Life::NotStarted,
        });
        let life = life.collect();
        let mut builder = Builder {
            random,
            mix,
            library,
            trace: Trace {
                events: Vec::new(),
                names,
            },
            life,
            owner: vec![None; mix.locks],
            readers: vec![Vec::new(); mix.locks],
            waiting: vec![None; threads],
            channel: vec![(0, false); mix.types.len()],
            depth: vec![0; threads],
            freed: vec![false; mix.variables],
            dropped: vec![false; mix.types.len()],
        };
        for (o, name) in mix.types.iter().enumerate() {
            let type_id = builder.trace.names.types.intern(name);
            builder.push(0, Op::New(ObjectId(o as u32), type_id));
        }
        builder
    }

    fn push(&mut self, t: usize, op: Op) {
        // Every event has a location of its own, so that no two are grouped.
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
        let running: Vec<_> = (0..self.life.len())
            .filter(|&t| self.life[t] == Life::Running)
            .collect();
        let t = *self.random.pick(&running);
        if let Some(l) = self.waiting[t] {
            if self.owner[l].is_none() && self.readers[l].is_empty() {
                self.waiting[t] = None;
                self.owner[l] = Some((t, 1));
                let c = commute_model::CondvarId(0);
                self.push(t, Op::Wake(c, LockId(l as u32)));
            }
            return;
        }
        if self.mix.blocks > 0 && self.random.chance(self.mix.blocks) {
            self.begin_or_end(t);
        } else if self.random.chance(self.mix.synchronisation) {
            self.synchronise(t);
        } else if !self.mix.types.is_empty() && (self.mix.variables == 0 || self.random.chance(60))
        {
            self.act(t);
        } else if self.mix.variables > 0 {
            self.touch(t);
        }
    }

    fn begin_or_end(&mut self, t: usize) {
        let block = ["a", "b"][self.random.below(2)];
        let block = self.trace.names.blocks.intern(block);
        let block = self.random.chance(70).then_some(block);
        let begin = match self.depth[t] {
            0 => true,
            1 => self.random.chance(20),
            _ => self.random.chance(10),
        };
        if begin {
            self.depth[t] += 1;
            self.push(t, Op::Begin(block));
        } else {
            self.depth[t] -= 1;
            self.push(t, Op::End(block));
        }
    }

    fn synchronise(&mut self, t: usize) {
        match self.random.below(10) {
            0 | 1 => self.fork_or_join(t),
            2 => {
                let c = commute_model::CondvarId(0);
                let one = self.random.chance(50);
                self.push(t, if one { Op::Notify(c) } else { Op::NotifyAll(c) });
            }
            _ if self.mix.locks > 0 => self.lock(t),
            _ => self.push(t, Op::Branch),
        }
    }

    fn fork_or_join(&mut self, t: usize) {
        let u = self.random.below(self.life.len());
        let id = ThreadId(u as u32);
        let holds = self.owner.iter().flatten().any(|&(holder, _)| holder == u)
            || self.readers.iter().any(|readers| readers.contains(&u));
        match self.life[u] {
            Life::NotStarted => {
                self.life[u] = Life::Running;
                self.push(t, Op::Fork(id));
            }
            Life::Running if u != t && u != 0 && !holds && self.waiting[u].is_none() => {
                self.life[u] = Life::Joined;
                self.push(t, Op::Join(id));
            }
            Life::Joined if self.random.chance(30) => self.push(t, Op::Join(id)),
            // Not what a program does, but defined: the fork joins into what
            // the thread knew.
            Life::Joined if self.random.chance(20) => {
                self.life[u] = Life::Running;
                self.push(t, Op::Fork(id));
            }
            _ => {}
        }
    }

    fn lock(&mut self, t: usize) {
        let l = self.random.below(self.mix.locks);
        let id = LockId(l as u32);
        if let Some((holder, depth)) = self.owner[l] {
            if holder != t {
                return;
            }
            match self.random.below(8) {
                0 => {
                    self.owner[l] = Some((t, depth + 1));
                    self.push(t, Op::Acquire(id));
                }
                1 if depth == 1 => {
                    self.owner[l] = None;
                    self.waiting[t] = Some(l);
                    self.push(t, Op::Wait(commute_model::CondvarId(0), id));
                }
                _ => {
                    self.owner[l] = (depth > 1).then_some((t, depth - 1));
                    self.push(t, Op::Release(id));
                }
            }
        } else if let Some(place) = self.readers[l].iter().position(|&r| r == t) {
            self.readers[l].remove(place);
            self.push(t, Op::ReadRelease(id));
        } else if self.readers[l].is_empty() && self.random.chance(60) {
            self.owner[l] = Some((t, 1));
            self.push(t, Op::Acquire(id));
        } else {
            self.readers[l].push(t);
            self.push(t, Op::ReadAcquire(id));
        }
    }

    fn touch(&mut self, t: usize) {
        let x = self.random.below(self.mix.variables);
        let id = commute_model::VariableId(x as u32);
        if self.freed[x] && self.random.chance(50) {
            self.freed[x] = false;
            self.push(t, Op::Alloc(id));
            return;
        }
        let op = match self.random.below(20) {
            0 => Op::Free(id),
            1..10 => Op::Write(id),
            _ => Op::Read(id),
        };
        self.freed[x] |= op == Op::Free(id);
        self.push(t, op);
    }

    fn act(&mut self, t: usize) {
        let o = self.random.below(self.mix.types.len());
        let object = ObjectId(o as u32);
        if self.dropped[o] {
            self.dropped[o] = false;
            self.channel[o] = (0, false);
            let type_id = self.trace.names.types.intern(self.mix.types[o]);
            self.push(t, Op::New(object, type_id));
            return;
        }
        if self.random.chance(2) {
            self.dropped[o] = true;
            self.push(t, Op::Drop(object));
            return;
        }
        let compiled = self.library.get(self.mix.types[o]).expect("a known type");
        let specification = &compiled.specification;
        let action = if specification.name == "channel" {
            self.channel_action(o, object, specification)
        } else {
            self.any_action(object, specification)
        };
        if let Some(action) = action {
            self.push(t, Op::Action(SharedAction::new(action)));
        }
    }

    fn any_action(&mut self, object: ObjectId, specification: &Specification) -> Option<Action> {
        let method = self.random.pick(&specification.methods);
        let id = self.trace.names.methods.intern(&method.name);
        let args = method.args.iter().map(|_| self.value(1)).collect();
        let result = match method.results.len() {
            0 => None,
            1 => Some(self.value(1)),
            n => Some(Value::tuple((0..n).map(|_| self.value(1)))),
        };
        Some(action(object, id, args, result))
    }

    /// Channels order threads by their messages, so theirs are truthful.
    fn channel_action(
        &mut self,
        o: usize,
        object: ObjectId,
        specification: &Specification,
    ) -> Option<Action> {
        let (messages, closed) = self.channel[o];
        let (name, args, result): (_, Vec<Value>, Value) = match self.random.below(5) {
            0 | 1 => {
                self.channel[o].0 += usize::from(!closed);
                ("send", vec![self.value(0)], Value::Bool(!closed))
            }
            2 if messages > 0 => {
                self.channel[o].0 -= 1;
                ("recv", vec![], Value::Int(1))
            }
            2 if closed => ("recv", vec![], Value::Nil),
            3 if messages > 0 => {
                self.channel[o].0 -= 1;
                ("try_recv", vec![], Value::Int(1))
            }
            3 => (
                "try_recv",
                vec![],
                Value::str(if closed { "closed" } else { "empty" }),
            ),
            4 if self.random.chance(30) => {
                self.channel[o].1 = true;
                ("close", vec![], Value::Bool(!closed))
            }
            _ => return None,
        };
        specification.method(name)?;
        let id = self.trace.names.methods.intern(name);
        Some(action(object, id, args, Some(result)))
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.random.below(if depth > 0 { 9 } else { 8 }) {
            0 | 1 => Value::Nil,
            2 | 3 => Value::Int(1),
            4 => Value::Int(0),
            5 => Value::Bool(true),
            6 => Value::Bool(false),
            7 => Value::str("a"),
            _ => {
                let n = self.random.below(3);
                Value::tuple((0..n).map(|_| self.value(depth - 1)))
            }
        }
    }
}

fn action(object: ObjectId, method: MethodId, args: Vec<Value>, result: Option<Value>) -> Action {
    Action {
        object,
        method,
        args: args.into(),
        result,
    }
}

/// A random trace in which every conflict has a variable or a key of its own:
/// three to six threads, long overlapping blocks.
pub fn fresh_conflicts(seed: u64) -> Trace {
    let mut random = Random::new(seed);
    let mut names = Names::default();
    let threads = 3 + random.below(4);
    let ids: Vec<_> = (0..threads)
        .map(|t| names.threads.intern(&format!("T{t}")))
        .collect();
    let (map, dictionary) = (names.objects.intern("o"), names.types.intern("dictionary"));
    let (put, get) = (names.methods.intern("put"), names.methods.intern("get"));
    let mut events = Vec::new();
    let mut push = |names: &mut Names, t: usize, op: Op| {
        let location = names
            .locations
            .intern(&format!("p.rs:{}", events.len() + 1));
        let thread = ids[t];
        events.push(Event {
            thread,
            location,
            op,
        });
    };
    push(&mut names, 0, Op::New(map, dictionary));
    let mut inside = vec![false; threads];
    // In half of the traces all threads are in a block from the beginning: what
    // one of them learns late then has a long way to go.
    if random.chance(50) {
        for (t, inside) in inside.iter_mut().enumerate() {
            *inside = true;
            push(&mut names, t, Op::Begin(None));
        }
    }
    // Touched once: by whom, and whether it is a key.
    let mut half: Vec<(usize, u32, bool)> = Vec::new();
    let mut fresh = 0;
    let length = 10 + random.below(19);
    for _ in 0..length {
        let t = random.below(threads);
        if random.chance(22) {
            if inside[t] && random.chance(70) {
                inside[t] = false;
                push(&mut names, t, Op::End(None));
            } else if !inside[t] {
                inside[t] = true;
                push(&mut names, t, Op::Begin(None));
            }
            continue;
        }
        let others: Vec<_> = (0..half.len()).filter(|&i| half[i].0 != t).collect();
        let (number, keyed, second) = if !others.is_empty() && random.chance(55) {
            let (_, number, keyed) = half.swap_remove(*random.pick(&others));
            (number, keyed, true)
        } else {
            fresh += 1;
            let keyed = random.chance(25);
            half.push((t, fresh, keyed));
            (fresh, keyed, false)
        };
        let write = !second || random.chance(50);
        let op = if keyed {
            let key = Value::Int(number.into());
            let call = match write {
                true => action(map, put, vec![key, Value::Int(1)], Some(Value::Int(2))),
                false => action(map, get, vec![key], Some(Value::Int(1))),
            };
            Op::Action(SharedAction::new(call))
        } else {
            let x = names.variables.intern(&format!("x{number}"));
            match write {
                true => Op::Write(x),
                false => Op::Read(x),
            }
        };
        push(&mut names, t, op);
    }
    Trace { events, names }
}

/// A random trace of blocks that wait and notify: two condition variables, a lock for
/// every thread, so that little but the notifications orders the threads, and few
/// variables.
pub fn notifications(seed: u64) -> Trace {
    let mut random = Random::new(seed);
    let mut names = Names::default();
    let threads = 2 + random.below(4);
    let ids: Vec<_> = (0..threads)
        .map(|t| names.threads.intern(&format!("T{t}")))
        .collect();
    let condvars = [names.condvars.intern("c"), names.condvars.intern("d")];
    let locks: Vec<_> = (0..threads)
        .map(|t| names.locks.intern(&format!("m{t}")))
        .collect();
    let mut events = Vec::new();
    let mut inside = vec![false; threads];
    let mut waits = vec![None; threads];
    let length = 10 + random.below(21);
    while events.len() < length {
        let t = random.below(threads);
        let c = *random.pick(&condvars);
        let mut ops = Vec::new();
        match random.below(10) {
            _ if waits[t].is_some() => {
                // Most threads wait for a while.
                if random.chance(40) {
                    let c = waits[t].take().expect("it waits");
                    ops.extend([Op::Wake(c, locks[t]), Op::Release(locks[t])]);
                }
            }
            0 | 1 => {
                inside[t] = !inside[t];
                ops.push(if inside[t] {
                    Op::Begin(None)
                } else {
                    Op::End(None)
                });
            }
            2 | 3 => {
                waits[t] = Some(c);
                ops.extend([Op::Acquire(locks[t]), Op::Wait(c, locks[t])]);
            }
            4 | 5 => ops.push(Op::Notify(c)),
            6 => ops.push(Op::NotifyAll(c)),
            kind => {
                let x = names.variables.intern(&format!("x{}", random.below(3)));
                ops.push(if kind == 7 { Op::Write(x) } else { Op::Read(x) });
            }
        }
        for op in ops {
            let place = format!("p.rs:{}", events.len() + 1);
            let location = names.locations.intern(&place);
            let thread = ids[t];
            events.push(Event {
                thread,
                location,
                op,
            });
        }
    }
    Trace { events, names }
}
