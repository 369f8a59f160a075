//! Outcomes that are parts of a run: deadlocks, and other states at the end of the same
//! histories (two threads that write and do not look).

use std::collections::BTreeMap;

use super::Cover;
use super::plain::Plain;
use crate::engine::outcomes::histories::Histories;
use crate::engine::outcomes::relations::Labelled;
use crate::engine::outcomes::search::{Found, Goal};
use crate::engine::outcomes::session::Stop;
use crate::engine::rounds::{goes_on, in_vain};
use crate::run::Places;
use crate::words::ObjectId;

impl Cover<'_, '_, '_> {
    /// Runs what ends with a part of the run, or with all of it in another state.
    pub(super) fn finals(&mut self, run: &Histories) -> Result<(), Stop> {
        if !self.may_hang(run) && !self.may_differ(run) {
            return Ok(());
        }
        let plain = Plain::new(&mut self.session.subject.known, &mut self.relations, run);
        let lengths = plain.histories.lengths();
        let answer = self.search(&plain.histories, &lengths, Goal::Ends(&plain.alike));
        for found in answer.found {
            let Some(all) = plain.all_like(&mut self.session.subject.known, &found) else {
                self.session
                    .doubt(|| "an end could not be put together".to_owned());
                continue;
            };
            for mut found in all {
                self.take_rounds_back(run, &mut found);
                let places = places(run, &found);
                if self.is_end(run, &found) && !self.session.has_seen(&places, &found.world) {
                    self.session.run(&found.schedule)?;
                    self.note();
                }
            }
        }
        Ok(())
    }

    /// Whether somebody may wait for ever where somebody went on in this run.
    fn may_hang(&self, run: &Histories) -> bool {
        let known = &self.session.subject.known;
        if known.has_spins() {
            return true;
        }
        let mut events = run.threads.iter().flat_map(|history| history.events.iter());
        events.any(|event| {
            let operation = known.operation(event.op);
            known.model(operation.objects[0]).hangs(operation.method)
        })
    }

    /// Whether two events of different threads may leave something else if they are
    /// exchanged.
    fn may_differ(&mut self, run: &Histories) -> bool {
        let known = &self.session.subject.known;
        let mut by_object: BTreeMap<ObjectId, Vec<Change>> = BTreeMap::new();
        for (thread, history) in run.threads.iter().enumerate() {
            for (index, event) in history.events.iter().enumerate() {
                let label = event.labelled();
                if self.relations.only_reads(known, label) {
                    continue;
                }
                for object in &known.operation(event.op).objects {
                    let uses = by_object.entry(*object).or_default();
                    let same = |c: &&mut Change| c.thread == thread && c.label == label;
                    match uses.iter_mut().rev().find(same) {
                        Some(change) => change.last = index,
                        None => uses.push(Change {
                            thread,
                            label,
                            last: index,
                        }),
                    }
                }
            }
        }
        let before: Vec<Vec<usize>> = (0..run.threads.len())
            .map(|thread| run.before_start(thread))
            .collect();
        let in_order = |a: &Change, b: &Change| {
            a.thread == b.thread
                || a.last < before[b.thread][a.thread]
                || b.last < before[a.thread][b.thread]
        };
        by_object.values().any(|uses| {
            uses.iter().enumerate().any(|(n, a)| {
                uses[..n].iter().any(|b| {
                    let either = self.relations.moves(known, a.label, b.label)
                        && self.relations.moves(known, b.label, a.label);
                    !either && !in_order(a, b)
                })
            })
        })
    }

    /// Whoever is in a round that is in vain has not begun it.
    fn take_rounds_back(&mut self, run: &Histories, found: &mut Found) {
        let known = &mut self.session.subject.known;
        for (thread, history) in run.threads.iter().enumerate() {
            let position = found.positions[thread];
            let Some(node) = history.nodes.get(position).filter(|_| history.exists()) else {
                continue;
            };
            let Some(back) = in_vain(*node, &found.world, known) else {
                continue;
            };
            let looks = known.depth(*node).saturating_sub(known.depth(back));
            found.positions[thread] -= looks as usize;
            for _ in 0..looks {
                let last = found.schedule.iter().rposition(|t| t.index() == thread);
                found.schedule.remove(last.expect("it looked"));
            }
        }
    }

    /// Whether nobody can go on, with whatever result.
    fn is_end(&mut self, run: &Histories, found: &Found) -> bool {
        let known = &mut self.session.subject.known;
        for (thread, history) in run.threads.iter().enumerate() {
            if !run.may_go(thread, &found.positions) {
                continue;
            }
            if goes_on(history.nodes[found.positions[thread]], &found.world, known) {
                return false;
            }
        }
        true
    }
}

/// Something that a thread does to an object, and where for the last time.
struct Change {
    thread: usize,
    label: Labelled,
    last: usize,
}

/// Where the threads are.
fn places(run: &Histories, found: &Found) -> Places {
    let threads = run.threads.iter().enumerate();
    let places = threads.map(|(thread, history)| {
        { history.nodes.get(found.positions[thread]) }
            .copied()
            .filter(|_| run.is_there(thread, &found.positions))
    });
    let mut places: Places = places.collect();
    while places.last() == Some(&None) {
        places.pop();
    }
    places
}
