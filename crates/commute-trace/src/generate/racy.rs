//! The shape `racy`: blocks as in `locked`, and now and then something that did
//! not go wrong, but could have.
//!
//! | planted | what the two threads do | what can happen |
//! |---|---|---|
//! | race | `w(P) acq(Q) w(R) rel(Q)`, then `acq(Q) w(R) rel(Q) r(P)` | both accesses of P at once |
//! | use after free | `acq(Q) w(P) rel(Q)`, then `acq(Q) free(P) rel(Q)` | the second section first |
//! | lost wake-up | `acq(Q) wait(C,Q)`, `acq(Q) notify(C) rel(Q)`, `wake(C,Q) rel(Q)` | the notification first |
//! | decoy | `acq(Q) r(R) w(P) rel(Q)`, then `acq(Q) free(P) w(R) rel(Q)` | nothing: R would not be read |
//!
//! What is planted stands in `planted.rs` and `decoy.rs`, ten lines each: so each
//! is a finding of its own, and can be counted.

use std::collections::VecDeque;

use commute_model::{Event, Names, Op};

use super::schedule::{event_in, numbered, thread_id};
use super::transactions::Transactions;
use super::{Recipe, Shape};

/// About so many events lie between two of the planted.
const APART: u64 = 20_000;
/// So many events lie between what the two threads do.
const BETWEEN: u64 = 40;
/// What is planted comes in rounds of all four.
const ROUND: u64 = 4;
/// How many events a round has.
const ROUND_EVENTS: u64 = 8 + 6 + 7 + 8;

#[derive(Debug)]
pub(super) struct Racy {
    blocks: Transactions,
    threads: u32,
    /// What is still to be planted, and how many have been.
    left: u64,
    planted: u32,
    /// Events of the blocks between two of the planted, and since the last.
    apart: u64,
    since: u64,
    /// What is being planted: events that follow one another without a break.
    parts: VecDeque<Part>,
    /// Events that come now.
    now: VecDeque<Event>,
}

/// What one thread does.
#[derive(Debug)]
struct Part {
    thread: u32,
    /// How many events of the blocks come first.
    after: u64,
    steps: Vec<Step>,
    /// Whether its thread then does nothing until the next part of its own.
    waits: bool,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Read(char),
    Write(char),
    Free(char),
    Acquire,
    Release,
    Wait,
    Notify,
    Wake,
}

impl Racy {
    pub(super) fn new(recipe: &Recipe, names: &mut Names) -> Racy {
        let rounds = match recipe.events {
            short if short < 10 * ROUND_EVENTS => 0,
            events => (events / (ROUND * APART)).max(1),
        };
        let rounds = if recipe.threads == Some(1) { 0 } else { rounds };
        let blocks = Recipe {
            shape: Shape::Locked,
            events: recipe.events - rounds * ROUND_EVENTS,
            ..recipe.clone()
        };
        let blocks = Transactions::new(&blocks, names);
        Racy {
            threads: blocks.threads(),
            blocks,
            left: rounds * ROUND,
            planted: 0,
            apart: recipe.events / (rounds * ROUND + 1),
            since: 0,
            parts: VecDeque::new(),
            now: VecDeque::new(),
        }
    }

    pub(super) fn next(&mut self, names: &mut Names) -> Option<Event> {
        if let Some(event) = self.now.pop_front() {
            return Some(event);
        }
        let over = self.blocks.is_over();
        if self.parts.is_empty() && self.left > 0 && (self.since >= self.apart || over) {
            self.left -= 1;
            self.since = 0;
            self.plant();
        }
        if let Some(part) = self.parts.front()
            && (self.since >= part.after || over)
            && self.blocks.is_between(part.thread)
        {
            self.since = 0;
            let part = self.parts.pop_front()?;
            match part.waits {
                true => self.blocks.pause(part.thread),
                false if self.parts.is_empty() => self.blocks.resume(),
                false => {}
            }
            self.perform(&part, names);
            return self.now.pop_front();
        }
        if self.blocks.is_working() {
            self.since += 1;
        }
        self.blocks.next(names)
    }

    /// Two threads, and what they do.
    fn plant(&mut self) {
        use Step::{Acquire, Free, Notify, Read, Release, Wait, Wake, Write};
        let (a, b) = (
            self.planted % self.threads,
            (self.planted + 1) % self.threads,
        );
        let part = |thread, after, steps: &[Step]| Part {
            thread,
            after,
            steps: steps.to_vec(),
            waits: false,
        };
        let section = |step| vec![Acquire, step, Release];
        self.parts = match self.planted % ROUND as u32 {
            0 => [
                part(a, 0, &[Write('P'), Acquire, Write('R'), Release]),
                part(b, BETWEEN, &[Acquire, Write('R'), Release, Read('P')]),
            ]
            .into(),
            1 => [
                part(a, 0, &section(Write('P'))),
                part(b, BETWEEN, &section(Free('P'))),
            ]
            .into(),
            2 => {
                let mut wait = part(a, 0, &[Acquire, Wait]);
                wait.waits = true;
                let notify = part(b, BETWEEN, &section(Notify));
                [wait, notify, part(a, 0, &[Wake, Release])].into()
            }
            _ => [
                part(a, 0, &[Acquire, Read('R'), Write('P'), Release]),
                part(b, BETWEEN, &[Acquire, Free('P'), Write('R'), Release]),
            ]
            .into(),
        };
        self.planted += 1;
    }

    fn perform(&mut self, part: &Part, names: &mut Names) {
        let number = self.planted - 1;
        let file: &[u8] = match number % ROUND as u32 {
            3 => b"decoy.rs:",
            _ => b"planted.rs:",
        };
        // The parts of one thread are at other lines than those of the other.
        let first = 10 * number + if self.parts.is_empty() { 5 } else { 0 };
        for (line, step) in (first..).zip(&part.steps) {
            let op = operation(*step, number, names);
            let thread = thread_id(names, part.thread);
            self.now
                .push_back(event_in(names, thread, file, line + 1, op));
        }
    }
}

fn operation(step: Step, number: u32, names: &mut Names) -> Op {
    let mut variable = |letter: char| {
        let stem = [letter as u8];
        numbered(&mut names.variables, &stem, number)
    };
    match step {
        Step::Read(letter) => Op::Read(variable(letter)),
        Step::Write(letter) => Op::Write(variable(letter)),
        Step::Free(letter) => Op::Free(variable(letter)),
        _ => {
            let lock = numbered(&mut names.locks, b"Q", number);
            match step {
                Step::Acquire => Op::Acquire(lock),
                Step::Release => Op::Release(lock),
                _ => {
                    let condvar = numbered(&mut names.condvars, b"C", number);
                    match step {
                        Step::Wait => Op::Wait(condvar, lock),
                        Step::Wake => Op::Wake(condvar, lock),
                        _ => Op::Notify(condvar),
                    }
                }
            }
        }
    }
}
