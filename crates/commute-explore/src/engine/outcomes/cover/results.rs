//! What operations can return, and what is remembered of it.
//!
//! That is a matter of the events of all others alone, not of who did which: if two
//! threads were started in a row, one may do what the other does. So a search is made
//! once for all runs in which the same events are only done by others.

use rustc_hash::FxHashMap;

use super::Cover;
use crate::code::NodeId;
use crate::engine::outcomes::histories::{Event, Histories, Kin};
use crate::engine::outcomes::search::Goal;
use crate::words::{OpId, ResultId, ThreadId};

/// A result that an operation can have, and what to do to get it, that operation
/// included.
#[derive(Clone, Debug)]
pub(super) struct Possible {
    pub(super) result: ResultId,
    pub(super) schedule: Vec<ThreadId>,
}

/// What a thread has done: the same number if it is the same, whoever did it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Done(u32);

/// One of those who have to do with an operation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Party {
    kin: Kin,
    done: Done,
    /// Whether it is the one whose operation it is.
    asks: bool,
}

/// What was asked before.
#[derive(Debug, Default)]
pub(super) struct KnownResults {
    /// Threads in schedules are the places of the parties here.
    results: FxHashMap<(OpId, Vec<Party>), Vec<Possible>>,
    done: FxHashMap<NodeId, Done>,
    numbers: FxHashMap<(Done, Event), Done>,
}

impl KnownResults {
    fn done(&mut self, nodes: &[NodeId], events: &[Event]) -> Done {
        let known = |at: &usize| *at == 0 || self.done.contains_key(&nodes[*at]);
        let from = { 0..nodes.len() }.rev().find(known).unwrap_or(0);
        let mut done = match from {
            0 => Done(0),
            from => self.done[&nodes[from]],
        };
        for at in from..events.len() {
            let next = Done(self.numbers.len() as u32 + 1);
            done = *self.numbers.entry((done, events[at])).or_insert(next);
            self.done.insert(nodes[at + 1], done);
        }
        done
    }
}

impl Cover<'_, '_, '_> {
    /// Everything that an operation can return after a part of the run.
    pub(super) fn results(
        &mut self,
        run: &Histories,
        kin: &[Kin],
        thread: usize,
        index: usize,
        op: OpId,
        cone: &[usize],
    ) -> Vec<Possible> {
        let mut limit = cone.to_vec();
        limit[thread] = index;
        let mut parties: Vec<(Party, usize)> = Vec::new();
        for (other, length) in limit.iter().enumerate() {
            let asks = other == thread;
            if *length == 0 && !asks {
                continue;
            }
            let history = &run.threads[other];
            let done = (self.results).done(&history.nodes[..=*length], &history.events[..*length]);
            let kin = kin[other];
            parties.push((Party { kin, done, asks }, other));
        }
        parties.sort_unstable();
        let (key, who): (Vec<Party>, Vec<usize>) = parties.into_iter().unzip();
        let key = (op, key);
        if !self.results.results.contains_key(&key) {
            let answer = self.search(run, &limit, Goal::Results(thread, op));
            let place = |thread: &ThreadId| {
                let place = who.iter().position(|other| *other == thread.index());
                ThreadId(place.expect("it has events") as u32)
            };
            let possible = answer.found.into_iter().map(|found| Possible {
                result: found.result.expect("it is asked for"),
                schedule: found.schedule.iter().map(place).collect(),
            });
            self.results.results.insert(key.clone(), possible.collect());
        }
        let known = self.results.results[&key].iter();
        let possible = known.map(|possible| {
            let schedule = possible.schedule.iter();
            let schedule = schedule.map(|place| ThreadId(who[place.index()] as u32));
            let schedule = schedule.chain([ThreadId(thread as u32)]);
            Possible {
                result: possible.result,
                schedule: run.in_time(&schedule.collect::<Vec<_>>()),
            }
        });
        possible.collect()
    }
}
