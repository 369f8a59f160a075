//! The shape `jigsaw`: a web server with a pool of threads, as in the trace of the W3C's
//! server Jigsaw that papers about race prediction measure with.
//!
//! `T0` loads the configuration, accepts connections and hands each to a thread of the pool;
//! a thread that has served its share ends, and another one is forked in its place. A request
//! parses its header, looks up the resources along a path, calls a method of each and writes
//! to the log.
//!
//! | part of a request | locks | shared variables |
//! |---|---|---|
//! | the hand-over of the connection | the pool's; the monitor of the thread, with `wait` and `notify` | the queue; the thread's connection |
//! | the lookup of a resource | the index's | the resource's entry |
//! | a method | the resource's; sometimes, inside, the cache's | attributes of the resource; the cache |
//! | after that | none | fields that any method uses: a race that mostly did not happen, but could have |
//! | the end | the log's | the position in the log |
//!
//! A field is used at [`SITES`] places of the program, of which three write it now and then.
//! The program grows with the trace: [`EVENTS_PER_FIELD`].

use std::collections::VecDeque;

use commute_model::{Event, Names, Op};

use super::Recipe;
use super::random::Random;
use super::schedule::{Turns, event_in, numbered, thread_id};

/// How many threads of the pool live at once.
const POOL: u32 = 96;
/// For so many events of the trace there is one unguarded field, up to [`MOST_FIELDS`].
const EVENTS_PER_FIELD: u64 = 640;
const MOST_FIELDS: u64 = 250;
/// At how many places of the program a field is used, and how many of these write it.
const SITES: u32 = 11;
const WRITING_SITES: u32 = 3;
/// How many unguarded fields a method uses.
const FIELDS_PER_METHOD: u32 = 6;
/// The probability that a writing place is executed.
const WRITES: f64 = 0.3;
/// How many events of a request are not part of its work: the thread waits and wakes, and
/// `T0` hands the connection over.
const HAND_OVER: u64 = 13;
/// About so many events has a request.
const REQUEST: u64 = 110;
/// How many variables belong to one connection.
const BUFFER: u32 = 16;

/// A lock of the server.
#[derive(Clone, Copy, Debug)]
enum Lock {
    Pool,
    Index,
    Cache,
    Log,
    Resource(u32),
    /// The monitor of a thread.
    Monitor(u32),
}

/// One event, to be performed by the thread in whose program it is.
#[derive(Clone, Copy, Debug)]
enum Step {
    Fork(u32),
    Acquire(Lock),
    Release(Lock),
    Read(&'static [u8], u32),
    Write(&'static [u8], u32),
    Wait,
    Wake,
    Notify(u32),
}

/// A step and its place in the source code.
type Placed = (Step, &'static [u8], u32);

#[derive(Clone, Debug, Default)]
struct Thread {
    /// The steps that come next.
    program: VecDeque<Placed>,
    /// Requests that the thread will still serve.
    left: u64,
    is_notified: bool,
}

#[derive(Debug)]
pub(super) struct Jigsaw {
    random: Random,
    turns: Turns,
    threads: Vec<Thread>,
    /// The number of the next thread to be forked, and of the next one to be joined.
    forked: u32,
    joined: u32,
    /// How many threads of the pool have not served their share.
    live: u32,
    /// Threads that wait for a connection.
    idle: VecDeque<u32>,
    /// Which locks are held.
    held: Vec<bool>,
    resources: u32,
    attributes: u32,
    fields: u32,
    /// Events that no request has yet.
    budget: u64,
}

impl Jigsaw {
    pub(super) fn new(recipe: &Recipe, names: &mut Names) -> Jigsaw {
        // Forks and joins take half of a short trace at most.
        let others = u64::from(recipe.threads.unwrap_or(154) - 1).min(recipe.events / 4);
        let resources = recipe.locks.unwrap_or(100);
        let attributes = recipe.variables.unwrap_or(2_000).max(resources);
        let fields = (recipe.events / EVENTS_PER_FIELD).clamp(1, MOST_FIELDS);
        let mut budget = recipe.events - 2 * others;
        let mut main = Thread::default();
        for field in 0..fields.min(budget / 2) as u32 {
            let step = Step::Write(b"F", field);
            main.program.push_back((step, b"httpd.rs:", 10 + field));
            budget -= 1;
        }
        let requests = budget / (HAND_OVER + REQUEST);
        let worker = Thread {
            left: requests.div_ceil(others.max(1)).max(1),
            ..Thread::default()
        };
        let mut threads = vec![worker; others as usize + 1];
        threads[0] = main;
        thread_id(names, 0);
        Jigsaw {
            random: Random::new(recipe.seed),
            turns: Turns::new(others as u32 + 1),
            held: vec![false; 4 + resources as usize + threads.len()],
            threads,
            forked: 1,
            joined: 1,
            live: 0,
            idle: VecDeque::new(),
            resources,
            attributes,
            fields: fields as u32,
            budget,
        }
    }

    pub(super) fn next(&mut self, names: &mut Names) -> Option<Event> {
        if self.threads[0].program.is_empty() {
            self.accept();
        }
        let (threads, held, resources) = (&self.threads, &self.held, self.resources);
        let can_go_on = |thread: u32| {
            let state = &threads[thread as usize];
            let is_free = |lock| !held[place(lock, resources)];
            match state.program.front() {
                Some((Step::Acquire(lock), ..)) => is_free(*lock),
                Some((Step::Wake, ..)) => state.is_notified && is_free(Lock::Monitor(thread)),
                step => step.is_some(),
            }
        };
        let Some(thread) = self.turns.next(&mut self.random, can_go_on) else {
            return self.shut_down(names);
        };
        let step = self.threads[thread as usize].program.pop_front();
        let (step, file, line) = step.expect("a thread that can go on has a step");
        self.perform(thread, step);
        if thread > 0 && self.threads[thread as usize].program.is_empty() {
            self.wait_for_connection(thread);
        }
        let op = self.operation(thread, step, names);
        let thread = thread_id(names, thread);
        Some(event_in(names, thread, file, line, op))
    }

    /// `T0` hands a connection to a thread that waits for one, or forks a thread.
    fn accept(&mut self) {
        let more = (self.forked as usize) < self.threads.len();
        if let Some(thread) = self.idle.pop_front() {
            let monitor = Lock::Monitor(thread);
            let hand_over = [
                (Step::Acquire(Lock::Pool), 31),
                (Step::Read(b"Q", 0), 32),
                (Step::Write(b"Q", 0), 33),
                (Step::Release(Lock::Pool), 34),
                (Step::Acquire(monitor), 41),
                (Step::Write(b"J", thread), 42),
                (Step::Notify(thread), 43),
                (Step::Release(monitor), 44),
            ];
            let steps = hand_over.map(|(step, line)| (step, b"pool.rs:".as_slice(), line));
            self.threads[0].program.extend(steps);
            let request = self.request(thread);
            // At the end, threads are woken to do nothing.
            if request.len() as u64 <= self.budget {
                self.budget -= request.len() as u64;
                self.threads[thread as usize].program.extend(request);
            }
        } else if more && self.live < POOL && self.budget >= HAND_OVER {
            let fork = (Step::Fork(self.forked), b"pool.rs:".as_slice(), 21);
            self.threads[0].program.push_back(fork);
            self.forked += 1;
        }
    }

    /// The thread waits for its next connection, or has served its share.
    fn wait_for_connection(&mut self, thread: u32) {
        let state = &mut self.threads[thread as usize];
        if state.left == 0 || self.budget < HAND_OVER {
            self.live -= 1;
            return;
        }
        state.left -= 1;
        self.budget -= HAND_OVER;
        let monitor = Lock::Monitor(thread);
        let steps = [
            (Step::Acquire(monitor), 51),
            (Step::Wait, 52),
            (Step::Wake, 52),
            (Step::Read(b"J", thread), 53),
            (Step::Release(monitor), 54),
        ];
        let steps = steps.map(|(step, line)| (step, b"pool.rs:".as_slice(), line));
        state.program.extend(steps);
    }

    /// The work for one connection.
    fn request(&mut self, thread: u32) -> Vec<Placed> {
        let mut steps: Vec<Placed> = Vec::new();
        self.local(thread, b"parser.rs:", (8, 20), &mut steps);
        for _ in 0..self.random.between(2, 4) {
            self.look_up(&mut steps);
            self.call(thread, &mut steps);
        }
        for (step, line) in [
            (Step::Acquire(Lock::Log), 11),
            (Step::Read(b"O", 0), 12),
            (Step::Write(b"O", 0), 13),
            (Step::Release(Lock::Log), 14),
        ] {
            steps.push((step, b"log.rs:", line));
        }
        steps
    }

    /// Accesses to variables of the connection.
    fn local(
        &mut self,
        thread: u32,
        file: &'static [u8],
        (least, most): (u32, u32),
        steps: &mut Vec<Placed>,
    ) {
        for _ in 0..self.random.between(least, most) {
            let line = self.random.below(BUFFER);
            let variable = thread * BUFFER + line;
            let step = match self.random.chance(0.4) {
                true => (Step::Write(b"B", variable), file, 500 + 2 * line),
                false => (Step::Read(b"B", variable), file, 501 + 2 * line),
            };
            steps.push(step);
        }
    }

    /// A resource is looked up in the index; now and then its entry changes.
    fn look_up(&mut self, steps: &mut Vec<Placed>) {
        let entry = self.random.below(self.resources);
        let access = match self.random.chance(0.05) {
            true => (Step::Write(b"E", entry), 13),
            false => (Step::Read(b"E", entry), 12),
        };
        let around = [
            (Step::Acquire(Lock::Index), 11),
            access,
            (Step::Release(Lock::Index), 14),
        ];
        steps.extend(around.map(|(step, line)| (step, b"index.rs:".as_slice(), line)));
    }

    /// A method of a resource.
    fn call(&mut self, thread: u32, steps: &mut Vec<Placed>) {
        let methods = (self.fields * SITES).div_ceil(FIELDS_PER_METHOD);
        let method = self.random.below(methods);
        let resource = self.random.below(self.resources);
        let line = |line: u32| 10 * method + line;
        let file: &[u8] = b"resource.rs:";
        let lock = Lock::Resource(resource);
        steps.push((Step::Acquire(lock), file, line(1)));
        let own = (self.attributes - resource).div_ceil(self.resources);
        for access in 0..self.random.between(2, 4) {
            let attribute = resource + self.resources * self.random.below(own);
            let step = match self.random.chance(0.25) {
                true => (Step::Write(b"V", attribute), file, line(2)),
                false => (Step::Read(b"V", attribute), file, line(3 + access)),
            };
            steps.push(step);
        }
        if self.random.chance(0.3) {
            let cache = Lock::Cache;
            let inside = [
                (Step::Acquire(cache), 11),
                (Step::Write(b"N", resource), 12),
                (Step::Release(cache), 13),
            ];
            steps.extend(inside.map(|(step, line)| (step, b"cache.rs:".as_slice(), line)));
        }
        steps.push((Step::Release(lock), file, line(9)));
        for site in (method..self.fields * SITES).step_by(methods as usize) {
            let (field, place) = (site / SITES, site % SITES);
            let step = match place {
                ..WRITING_SITES if !self.random.chance(WRITES) => continue,
                ..WRITING_SITES => Step::Write(b"F", field),
                _ => Step::Read(b"F", field),
            };
            steps.push((step, b"frame.rs:", site));
        }
        self.local(thread, b"reply.rs:", (6, 14), steps);
    }

    fn perform(&mut self, thread: u32, step: Step) {
        let own = place(Lock::Monitor(thread), self.resources);
        match step {
            Step::Acquire(lock) => self.held[place(lock, self.resources)] = true,
            Step::Release(lock) => self.held[place(lock, self.resources)] = false,
            Step::Wait => {
                self.held[own] = false;
                self.idle.push_back(thread);
            }
            Step::Wake => {
                self.held[own] = true;
                self.threads[thread as usize].is_notified = false;
            }
            Step::Notify(other) => self.threads[other as usize].is_notified = true,
            Step::Fork(other) => {
                self.live += 1;
                self.wait_for_connection(other);
            }
            Step::Read(..) | Step::Write(..) => {}
        }
    }

    fn operation(&self, thread: u32, step: Step, names: &mut Names) -> Op {
        let mut id = |lock| numbered(&mut names.locks, b"M", place(lock, self.resources) as u32);
        match step {
            Step::Fork(other) => Op::Fork(thread_id(names, other)),
            Step::Acquire(lock) => Op::Acquire(id(lock)),
            Step::Release(lock) => Op::Release(id(lock)),
            Step::Read(stem, number) => Op::Read(numbered(&mut names.variables, stem, number)),
            Step::Write(stem, number) => Op::Write(numbered(&mut names.variables, stem, number)),
            Step::Wait | Step::Wake => {
                let monitor = id(Lock::Monitor(thread));
                let condvar = numbered(&mut names.condvars, b"C", thread);
                match step {
                    Step::Wait => Op::Wait(condvar, monitor),
                    _ => Op::Wake(condvar, monitor),
                }
            }
            Step::Notify(other) => Op::Notify(numbered(&mut names.condvars, b"C", other)),
        }
    }

    /// All connections are closed: `T0` forks the threads that were not needed, reads its
    /// statistics and joins all threads.
    fn shut_down(&mut self, names: &mut Names) -> Option<Event> {
        let total = self.threads.len() as u32;
        let (op, line) = if self.forked < total {
            self.forked += 1;
            (Op::Fork(thread_id(names, self.forked - 1)), 21)
        } else if self.budget > 0 {
            self.budget -= 1;
            let variable = self.random.below(BUFFER);
            (Op::Read(numbered(&mut names.variables, b"B", variable)), 22)
        } else if self.joined < total {
            self.joined += 1;
            (Op::Join(thread_id(names, self.joined - 1)), 23)
        } else {
            return None;
        };
        let main = thread_id(names, 0);
        Some(event_in(names, main, b"httpd.rs:", line, op))
    }
}

/// The place of a lock among all locks.
fn place(lock: Lock, resources: u32) -> usize {
    let place = match lock {
        Lock::Pool => 0,
        Lock::Index => 1,
        Lock::Cache => 2,
        Lock::Log => 3,
        Lock::Resource(resource) => 4 + resource,
        Lock::Monitor(thread) => 4 + resources + thread,
    };
    place as usize
}
