//! Shapes whose threads run atomic blocks over plain variables.
//!
//! | shape | block | race-free and serializable because |
//! |---|---|---|
//! | locked, one-lock | `begin acq(l)`, 2–11 accesses (30 % writes) to variables of `l`, `rel(l) end` | a variable is only used under its lock, and a block holds a single lock |
//! | local | `begin`, 8 accesses (30 % writes), `end` | a variable is only used by its thread |
//! | shared-read | `begin`, 8 reads, `end` | variables are only written before the forks |

use commute_model::{Event, LockId, Names, Op, VariableId};

use super::random::Random;
use super::schedule::{Phase, Turns, event, numbered, thread_id};
use super::{Recipe, Shape};

/// Lines of the imagined program.
const LINE_WRITE_FIRST: u32 = 4;
const LINE_READ_FIRST: u32 = 5;
const LINE_FORK: u32 = 9;
const LINE_JOIN: u32 = 11;
const LINE_BEGIN: u32 = 20;
const LINE_ACQUIRE: u32 = 21;
const LINE_RELEASE: u32 = 98;
const LINE_END: u32 = 99;
/// The first of 64 lines with accesses.
const LINE_ACCESS: u32 = 30;
/// The share of accesses that are writes.
const WRITES: f64 = 0.3;

#[derive(Debug)]
pub(super) struct Transactions {
    shape: Shape,
    random: Random,
    phase: Phase,
    turns: Turns,
    workers: Vec<Worker>,
    threads: u32,
    locks: u32,
    variables: u32,
    /// Which locks are held.
    held: Vec<bool>,
    /// Events of blocks that have not been begun.
    budget: u64,
    /// First writes that are still to be made, then reads to fill up.
    first_writes: u32,
    first_reads: u64,
    /// A thread that does nothing for the time being.
    paused: Option<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Worker {
    next: Step,
    lock: u32,
    /// Accesses left in this block.
    accesses: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Begin,
    Acquire,
    Access,
    Release,
    End,
}

impl Transactions {
    pub(super) fn new(recipe: &Recipe, names: &mut Names) -> Transactions {
        let (threads, locks, variables) = match recipe.shape {
            Shape::Locked | Shape::Racy => (8, 64, 20_000),
            Shape::OneLock => (4, 1, 5_000),
            Shape::Local => (4, 0, 1_000_000),
            _ => (16, 0, 2_000),
        };
        let locks = recipe.locks.unwrap_or(locks);
        // Forks and joins take half of a short trace at most, first writes half
        // of what is left.
        let most = recipe.events / 4;
        let threads = recipe.threads.unwrap_or(threads);
        let threads = 1 + u64::from(threads - 1).min(most) as u32;
        let mut rest = recipe.events - 2 * u64::from(threads - 1);
        // Every lock has a variable, and so has every thread.
        let least = locks.max(threads);
        let mut variables = recipe.variables.unwrap_or(variables).max(least);
        let mut first_writes = 0;
        if recipe.shape == Shape::SharedRead {
            variables = u64::from(variables).min((rest / 2).max(1)) as u32;
            first_writes = variables;
            rest -= u64::from(first_writes);
        }
        let (shortest, longest) = block_lengths(recipe.shape);
        let first_reads = match rest < shortest {
            true => rest,
            // Blocks of differing length can make up any number of events.
            false if shortest < longest => 0,
            false => rest % shortest,
        };
        thread_id(names, 0);
        Transactions {
            shape: recipe.shape,
            random: Random::new(recipe.seed),
            phase: Phase::Setup,
            turns: Turns::new(threads),
            workers: vec![
                Worker {
                    next: Step::Begin,
                    lock: 0,
                    accesses: 0,
                };
                threads as usize
            ],
            threads,
            locks,
            variables,
            held: vec![false; locks as usize],
            budget: rest - first_reads,
            first_writes,
            first_reads,
            paused: None,
        }
    }

    /// How many threads there are.
    pub(super) fn threads(&self) -> u32 {
        self.threads
    }

    /// Whether all threads run.
    pub(super) fn is_working(&self) -> bool {
        self.phase == Phase::Work
    }

    /// Whether all blocks have ended.
    pub(super) fn is_over(&self) -> bool {
        let idle = |worker: &Worker| worker.next == Step::Begin;
        self.is_working() && self.budget == 0 && self.workers.iter().all(idle)
    }

    /// Whether the thread runs, and is in no block.
    pub(super) fn is_between(&self, thread: u32) -> bool {
        self.is_working() && self.workers[thread as usize].next == Step::Begin
    }

    /// This thread, which is in no block, does nothing until all go on.
    pub(super) fn pause(&mut self, thread: u32) {
        self.paused = Some(thread);
    }

    /// All threads go on.
    pub(super) fn resume(&mut self) {
        self.paused = None;
    }

    pub(super) fn next(&mut self, names: &mut Names) -> Option<Event> {
        loop {
            match self.phase {
                Phase::Setup if self.first_writes > 0 => {
                    self.first_writes -= 1;
                    let variable = self.variables - 1 - self.first_writes;
                    let op = Op::Write(variable_id(names, variable));
                    return Some(event(names, 0, LINE_WRITE_FIRST, op));
                }
                Phase::Setup if self.first_reads > 0 => {
                    // Before the forks everything is ordered.
                    self.first_reads -= 1;
                    let variable = self.variable(0, 0);
                    let op = Op::Read(variable_id(names, variable));
                    return Some(event(names, 0, LINE_READ_FIRST, op));
                }
                Phase::Setup => self.phase = Phase::Fork(1),
                Phase::Fork(thread) if thread < self.threads => {
                    self.phase = Phase::Fork(thread + 1);
                    let op = Op::Fork(thread_id(names, thread));
                    return Some(event(names, 0, LINE_FORK, op));
                }
                Phase::Fork(_) => self.phase = Phase::Work,
                Phase::Work => match self.work(names) {
                    Some(event) => return Some(event),
                    None => self.phase = Phase::Join(1),
                },
                Phase::Join(thread) if thread < self.threads => {
                    self.phase = Phase::Join(thread + 1);
                    let op = Op::Join(thread_id(names, thread));
                    return Some(event(names, 0, LINE_JOIN, op));
                }
                Phase::Join(_) | Phase::Teardown => self.phase = Phase::Done,
                Phase::Done => return None,
            }
        }
    }

    /// The next event of a block.
    fn work(&mut self, names: &mut Names) -> Option<Event> {
        let (workers, held, budget) = (&self.workers, &self.held, self.budget);
        let paused = self.paused;
        let thread = self.turns.next(&mut self.random, |thread| {
            if Some(thread) == paused {
                return false;
            }
            let worker = &workers[thread as usize];
            match worker.next {
                Step::Begin => budget > 0,
                Step::Acquire => !held[worker.lock as usize],
                _ => true,
            }
        })?;
        let mut worker = self.workers[thread as usize];
        let (line, op, next) = match worker.next {
            Step::Begin => {
                worker.accesses = self.start_block();
                let next = if self.locks > 0 {
                    worker.lock = self.random.below(self.locks);
                    Step::Acquire
                } else {
                    Step::Access
                };
                (LINE_BEGIN, Op::Begin(None), next)
            }
            Step::Acquire => {
                self.held[worker.lock as usize] = true;
                let lock = lock_id(names, worker.lock);
                (LINE_ACQUIRE, Op::Acquire(lock), Step::Access)
            }
            Step::Access => {
                let variable = self.variable(thread, worker.lock);
                worker.accesses -= 1;
                let next = match worker.accesses {
                    0 if self.locks > 0 => Step::Release,
                    0 => Step::End,
                    _ => Step::Access,
                };
                let write = self.shape != Shape::SharedRead && self.random.chance(WRITES);
                let line = access_line(variable, write);
                let variable = variable_id(names, variable);
                let op = match write {
                    true => Op::Write(variable),
                    false => Op::Read(variable),
                };
                (line, op, next)
            }
            Step::Release => {
                self.held[worker.lock as usize] = false;
                let lock = lock_id(names, worker.lock);
                (LINE_RELEASE, Op::Release(lock), Step::End)
            }
            Step::End => (LINE_END, Op::End(None), Step::Begin),
        };
        worker.next = next;
        self.workers[thread as usize] = worker;
        Some(event(names, thread, line, op))
    }

    /// Takes the next block out of the budget; how many accesses it has. What is
    /// left can always be made up of whole blocks.
    fn start_block(&mut self) -> u32 {
        let (shortest, longest) = block_lengths(self.shape);
        let mut length = shortest + u64::from(self.random.below((longest - shortest + 1) as u32));
        if self.budget <= longest {
            length = self.budget;
        } else if self.budget - length < shortest {
            length = self.budget - shortest;
        }
        self.budget -= length;
        (length - around(self.shape)) as u32
    }

    /// A variable that `thread` may use while it holds `lock`.
    fn variable(&mut self, thread: u32, lock: u32) -> u32 {
        let (step, first) = match self.shape {
            Shape::Local => (self.threads, thread),
            Shape::SharedRead => (1, 0),
            _ => (self.locks, lock),
        };
        let choices = (self.variables - first).div_ceil(step);
        first + step * self.random.below(choices)
    }
}

/// How many events of a block are not accesses.
fn around(shape: Shape) -> u64 {
    match shape {
        Shape::Locked | Shape::OneLock => 4,
        _ => 2,
    }
}

/// How many events the shortest and the longest block have.
fn block_lengths(shape: Shape) -> (u64, u64) {
    let around = around(shape);
    match shape {
        Shape::Locked | Shape::OneLock => (around + 2, around + 11),
        _ => (around + 8, around + 8),
    }
}

/// A variable is always read at one place and written at another; variables of
/// one lock are spread over many places.
fn access_line(variable: u32, write: bool) -> u32 {
    let place = variable.wrapping_mul(0x9e37_79b1) >> 27;
    LINE_ACCESS + 2 * place + u32::from(write)
}

fn variable_id(names: &mut Names, number: u32) -> VariableId {
    numbered(&mut names.variables, b"V", number)
}

fn lock_id(names: &mut Names, number: u32) -> LockId {
    numbered(&mut names.locks, b"L", number)
}
