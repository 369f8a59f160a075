//! Loops that wait for something.
//!
//! A thread that yields after it only looked at things may be in a loop that waits until
//! they change. What it saw in vain is part of no history, else there would be no end of
//! histories. It is such a loop if it does again what it did before it yielded: then it
//! is back at the place where it did that first, and waits there.
//!
//! Claims: a loop that looks the same number of times whatever it sees (`for _ in 0..3`)
//! is no such loop, if it gives up within [`ROUNDS`] rounds. That is tried out, once for
//! every line, and for every place with fewer: the thread gets again what it got before,
//! without touching anything.
//! If it then leaves the loop, it was none; that is remembered, and the exploration
//! begins anew, because the thread has now got results that nothing gave. Gaps: a loop
//! that gives up later is taken for one that waits, until it gives up in a run, which
//! makes the test inconclusive.

use std::panic::Location;

use rustc_hash::FxHashSet;

use super::fiber::{Answer, Ask, Worker};
use super::naming::Naming;
use crate::code::{Next, NodeId};
use crate::knowledge::Knowledge;
use crate::program::Trouble;
use crate::words::{OpId, ResultId, ThreadId};

/// Rounds after which a loop is believed to go on.
const ROUNDS: usize = 10_000;

/// The same, of a loop in whose lines so many rounds were tried before, after other
/// results.
const MORE_ROUNDS: usize = 100;

/// Rounds after which a loop that ends is one that gives up, rather than one whose
/// rounds differ.
const COUNTS: usize = 3;

/// How often a thread may yield in a row and do nothing else.
const YIELDS: usize = 10_000;

/// How often a thread may look at the same thing in a row, see the same, and not yield.
const LOOKS: u32 = 10_000;

/// How often it may take the same lock in a row and give it back as it was.
const LOCKS: u32 = 50_000;

/// What is known of loops.
#[derive(Debug, Default)]
pub(super) struct Loops {
    /// Places with a yield that ends no round of a loop that waits.
    not_waiting: FxHashSet<NodeId>,
    /// Lines in which a loop was tried out.
    tried: FxHashSet<Location<'static>>,
    /// Lines in which a loop gives up.
    counting: FxHashSet<Location<'static>>,
}

/// What was looked at since a place: at which place, what, and what was seen.
type Round = Vec<(NodeId, OpId, ResultId)>;

impl Loops {
    /// The thread yields at `node`. It goes on to what it does next; says where that is
    /// if it is where it was before.
    pub(super) fn yields(
        &mut self,
        worker: &mut Worker,
        thread: ThreadId,
        node: NodeId,
        naming: &mut Naming,
        known: &mut Knowledge,
    ) -> Result<Option<NodeId>, Trouble> {
        let looks = worker.looks.replace(node);
        go_on(worker)?;
        let Some(since) = looks.filter(|since| *since != node) else {
            return Ok(None);
        };
        let at = worker.call().map(|call| *call.at);
        if self.not_waiting.contains(&node) || at.is_some_and(|at| self.counting.contains(&at)) {
            return Ok(None);
        }
        let known_back = match known.next(node) {
            Some(Next::Spins(back)) => Some(*back),
            Some(_) => return Ok(None),
            None => None,
        };
        let round = round(since, node, known);
        let back = round.iter().rev().find(|(place, _, _)| {
            known_back.is_none_or(|back| back == *place)
                && is_at(worker, thread, *place, naming, known)
        });
        let Some(back) = back.map(|(place, _, _)| *place) else {
            return match known_back {
                None => Ok(None),
                Some(_) => Err(gave_up()),
            };
        };
        if known_back.is_none() {
            let start = round.iter().position(|(place, _, _)| *place == back);
            let rounds = &round[start.unwrap_or(0)..];
            let rounds_to_try = match at.is_some_and(|at| !self.tried.insert(at)) {
                true => MORE_ROUNDS,
                false => ROUNDS,
            };
            for count in 0..rounds_to_try {
                if !goes_round(worker, thread, rounds, naming, known)? {
                    self.not_waiting.insert(node);
                    // It counts, and does so whatever else it sees.
                    if count >= COUNTS
                        && let Some(at) = at
                    {
                        self.counting.insert(at);
                    }
                    known.note_gave_up(node, at.filter(|_| count >= COUNTS));
                    known.forget_code();
                    let reason = "a loop that seemed to wait for something gave up";
                    return Err(Trouble::Restart(reason.to_owned()));
                }
            }
        }
        worker.looks = Some(back);
        Ok(Some(back))
    }
}

fn gave_up() -> Trouble {
    Trouble::Endless(format!(
        "a loop that waits for something gave up after more than {ROUNDS} rounds"
    ))
}

/// Notes that a thread has looked at something.
pub(super) fn looked(worker: &mut Worker, op: OpId, result: ResultId) -> Result<(), Trouble> {
    let (last, count) = &mut worker.looked;
    if *last != Some((op, result)) {
        *last = Some((op, result));
        *count = 0;
    }
    *count += 1;
    if *count > LOOKS {
        return Err(Trouble::Endless(format!(
            "a thread looked at the same thing {LOOKS} times in a row; a loop that waits must \
             call `std::hint::spin_loop` or `thread::yield_now`"
        )));
    }
    Ok(())
}

/// Notes that a thread has done something that is no look. Taking a lock and giving it back
/// as it was is none, but a thread that does only that waits for something.
pub(super) fn did(
    worker: &mut Worker,
    op: OpId,
    result: ResultId,
    known: &Knowledge,
) -> Result<(), Trouble> {
    let operation = known.operation(op);
    let (last, count) = &mut worker.polled;
    match operation.method {
        "lock" | "read" if *last == Some((op, result)) => *count += 1,
        "lock" | "read" => (*last, *count) = (Some((op, result)), 0),
        // With a place, what is inside has changed.
        "unlock" | "unread" if operation.args.len() == 1 => {}
        _ => (*last, *count) = (None, 0),
    }
    if *count > LOCKS {
        let object = known.object_name(operation.objects[0]);
        return Err(Trouble::Endless(format!(
            "a thread took {object} {LOCKS} times in a row and gave it back as it was: a loop \
             that waits under a lock is not explored; wait with a `Condvar`, or look at an \
             atomic"
        )));
    }
    Ok(())
}

/// Lets a thread that yields go on, until it does something else.
fn go_on(worker: &mut Worker) -> Result<(), Trouble> {
    worker.looked = (None, 0);
    for _ in 0..YIELDS {
        worker.resume(Answer::GoOn);
        let Ask::Yield = worker.ask else {
            return Ok(());
        };
        if !worker.fiber.posted.borrow().is_empty() {
            return Ok(());
        }
    }
    Err(Trouble::Endless(format!(
        "a thread yielded {YIELDS} times in a row and did nothing else"
    )))
}

/// What was looked at between two places.
fn round(since: NodeId, node: NodeId, known: &Knowledge) -> Round {
    let mut round = Round::new();
    let mut at = node;
    while at != since {
        let Some((before, result)) = known.before(at) else {
            break;
        };
        if let Some(Next::Op(op)) = known.next(before) {
            round.push((before, *op, result));
        }
        at = before;
    }
    round.reverse();
    round
}

/// Whether what the thread is about to do is what it did at a place.
fn is_at(
    worker: &Worker,
    thread: ThreadId,
    place: NodeId,
    naming: &mut Naming,
    known: &mut Knowledge,
) -> bool {
    let Some(call) = worker.call() else {
        return false;
    };
    if !worker.fiber.posted.borrow().is_empty() {
        return false;
    }
    let pointers = &mut worker.fiber.pointers.borrow_mut();
    naming.is(call, thread, place, pointers, known)
}

/// Whether the thread does the same again, if it sees the same again. What it looks at
/// is not touched: it only looks.
fn goes_round(
    worker: &mut Worker,
    thread: ThreadId,
    round: &[(NodeId, OpId, ResultId)],
    naming: &mut Naming,
    known: &mut Knowledge,
) -> Result<bool, Trouble> {
    for (place, _, result) in round {
        if !is_at(worker, thread, *place, naming, known) {
            return Ok(false);
        }
        worker.fiber.trying.set(true);
        worker.resume(Answer::Result(known.value(*result)));
        worker.fiber.trying.set(false);
    }
    let Ask::Yield = worker.ask else {
        return Ok(false);
    };
    go_on(worker)?;
    Ok(is_at(worker, thread, round[0].0, naming, known))
}
