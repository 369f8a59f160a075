//! Histories in which threads that do the same cannot be told apart.
//!
//! The last event of a thread is its own: it says that this one has ended. It is left
//! out, and so is the event of whoever waits for that; instead, who waits does not go on
//! before the other has come to the end. Both can happen as soon as they are possible,
//! and nobody else notices them, so they can be put back anywhere.
//!
//! What is left is the same for threads that do the same, and these may be exchanged: in
//! any order of events that is possible, one may do what another does, and the other what
//! the one does.

use rustc_hash::FxHashSet;

use crate::engine::outcomes::histories::{Event, Histories, History, Kin};
use crate::engine::outcomes::relations::Relations;
use crate::engine::outcomes::search::Found;
use crate::engine::outcomes::ties::Ties;
use crate::knowledge::Knowledge;
use crate::words::ThreadId;
use crate::world::World;

/// What is left of a run.
pub(super) struct Plain<'r> {
    run: &'r Histories,
    pub(super) histories: Histories,
    /// Which events are left, of each thread.
    kept: Vec<Vec<usize>>,
    /// The first of those that each may be exchanged with; itself if there is none.
    pub(super) alike: Vec<usize>,
}

impl<'r> Plain<'r> {
    pub(super) fn new(
        known: &mut Knowledge,
        relations: &mut Relations,
        run: &'r Histories,
    ) -> Plain<'r> {
        let left_out = LeftOut::new(known, relations, run);
        let kept = { run.threads.iter().enumerate() }.map(|(thread, history)| {
            let joins = &left_out.awaits[thread];
            let is_kept = |index: &usize| {
                let is_end = left_out.ends[thread] && *index + 1 == history.len();
                !is_end && !joins.iter().any(|(at, _)| at == index)
            };
            (0..history.len()).filter(is_kept).collect()
        });
        let kept: Vec<Vec<usize>> = kept.collect();
        let place = |thread: usize, index: usize| kept[thread].partition_point(|at| *at < index);
        let threads = { run.threads.iter().enumerate() }.map(|(thread, history)| {
            let events = kept[thread].iter().map(|at| history.events[*at]);
            let nodes = kept[thread].iter().map(|at| history.nodes[*at]);
            let awaits = left_out.awaits[thread].iter();
            History {
                events: events.collect(),
                nodes: nodes.chain(history.nodes.last().copied()).collect(),
                started: history
                    .started
                    .map(|(parent, index)| (parent, place(parent, index))),
                follows: history.follows,
                awaits: awaits
                    .map(|(at, whom)| (place(thread, *at), *whom))
                    .collect(),
            }
        });
        let histories = Histories {
            threads: threads.collect(),
        };
        Plain {
            // Whoever is started after a wait is not in a row with those before, even if
            // the wait is left out.
            alike: alike(&run.kin(known), &histories, &left_out.ends),
            run,
            histories,
            kept,
        }
    }

    /// Everything that is like what was found, and what was left out put back; nothing if
    /// that is not possible, which it always is.
    pub(super) fn all_like(&self, known: &mut Knowledge, found: &Found) -> Option<Vec<Found>> {
        let mut seen = FxHashSet::from_iter([found.positions.clone()]);
        let mut open = vec![(found.positions.clone(), found.schedule.clone())];
        let mut all = Vec::new();
        while let Some((positions, schedule)) = open.pop() {
            all.push(self.put_back(known, &schedule)?);
            for b in 0..positions.len() {
                for a in 0..b {
                    if self.alike[a] != self.alike[b] || positions[a] == positions[b] {
                        continue;
                    }
                    let mut swapped = positions.clone();
                    swapped.swap(a, b);
                    if seen.insert(swapped.clone()) {
                        let swap = |thread: &ThreadId| match thread.index() {
                            t if t == a => ThreadId(b as u32),
                            t if t == b => ThreadId(a as u32),
                            _ => *thread,
                        };
                        open.push((swapped, schedule.iter().map(swap).collect()));
                    }
                }
            }
        }
        Some(all)
    }

    fn put_back(&self, known: &mut Knowledge, schedule: &[ThreadId]) -> Option<Found> {
        let threads = self.run.threads.len();
        let mut whole = Whole {
            run: self.run,
            known,
            found: Found {
                schedule: Vec::new(),
                result: None,
                positions: vec![0; threads],
                world: World::default(),
            },
        };
        let mut done = vec![0; threads];
        // One may have been exchanged with another that is started later.
        for thread in self.histories.in_time(schedule) {
            let thread = thread.index();
            let at = self.kept[thread][done[thread]];
            if whole.found.positions[thread] < at {
                self.settle(&mut whole);
            }
            if whole.found.positions[thread] < at {
                return None;
            }
            whole.go(thread)?;
            done[thread] += 1;
        }
        self.settle(&mut whole);
        Some(whole.found)
    }

    /// Does everything that was left out, as far as possible.
    fn settle(&self, whole: &mut Whole<'_>) {
        let mut moved = true;
        while moved {
            moved = false;
            for (thread, kept) in self.kept.iter().enumerate() {
                while let at = whole.found.positions[thread]
                    && at < self.run.threads[thread].len()
                    && kept.binary_search(&at).is_err()
                    && whole.go(thread).is_some()
                {
                    moved = true;
                }
            }
        }
    }
}

/// A whole run, as it grows.
struct Whole<'w> {
    run: &'w Histories,
    known: &'w mut Knowledge,
    found: Found,
}

impl Whole<'_> {
    /// Does the next event of a thread, if that is possible.
    fn go(&mut self, thread: usize) -> Option<()> {
        let Found {
            schedule,
            positions,
            world,
            ..
        } = &mut self.found;
        let event = self.run.threads[thread].events[positions[thread]];
        let can = self.run.may_go(thread, positions)
            && self.known.peek(world, event.op) == Some(event.result);
        can.then(|| {
            self.known.step(world, event.op);
            positions[thread] += 1;
            schedule.push(ThreadId(thread as u32));
        })
    }
}

/// What can be left out of a run.
struct LeftOut {
    /// The last event of each thread, or not.
    ends: Vec<bool>,
    /// Events of each thread that wait for the end of another, and of whom.
    awaits: Vec<Vec<(usize, usize)>>,
}

impl LeftOut {
    fn new(known: &mut Knowledge, relations: &mut Relations, run: &Histories) -> LeftOut {
        let ties = Ties::new(known, run, &run.lengths(), false);
        let threads = run.threads.len();
        // Who waits for the end of whom.
        let mut joins = vec![Vec::new(); threads];
        for (thread, history) in run.threads.iter().enumerate() {
            for (index, event) in history.events.iter().enumerate() {
                if let Some((other, at)) = ties.requires(known, relations, *event)
                    && other != thread
                    && at + 1 == run.threads[other].len()
                    && known.only_reads(event.op, event.result)
                {
                    joins[other].push((thread, index));
                }
            }
        }
        let mut left_out = LeftOut {
            ends: vec![false; threads],
            awaits: vec![Vec::new(); threads],
        };
        for (thread, history) in run.threads.iter().enumerate() {
            let Some(last) = history.events.last() else {
                continue;
            };
            let operation = known.operation(last.op);
            let model = known.model(operation.objects[0]);
            if operation.spawns.is_some()
                || operation.objects.len() > 1
                || model.is_free_unless(operation.method).is_none()
            {
                continue;
            }
            let before = run.before_start(thread);
            let mut others = ties.others(known, thread, last.op);
            let is_own = others.all(|(other, index, event)| {
                let is_join = joins[thread].contains(&(other, index));
                is_join || index < before[other] || are_apart(known, relations, *last, event)
            });
            if is_own {
                left_out.ends[thread] = true;
                for (other, index) in &joins[thread] {
                    left_out.awaits[*other].push((*index, thread));
                }
            }
        }
        left_out
    }
}

/// Whether two events have nothing to do with each other.
fn are_apart(known: &Knowledge, relations: &mut Relations, a: Event, b: Event) -> bool {
    let (a, b) = (a.labelled(), b.labelled());
    [(a, b), (b, a)].into_iter().all(|(x, y)| {
        relations.moves(known, x, y)
            && !relations.affects(known, x, y)
            && !relations.disturbs(known, x, y)
    })
}

/// The first thread that each may be exchanged with.
fn alike(kin: &[Kin], histories: &Histories, ends: &[bool]) -> Vec<usize> {
    let threads = &histories.threads;
    let awaited_by = |whom: usize| {
        let by = threads.iter().enumerate().flat_map(move |(thread, other)| {
            let awaits = other.awaits.iter().filter(move |(_, w)| *w == whom);
            awaits.map(move |(index, _)| (thread, *index))
        });
        by.collect::<Vec<_>>()
    };
    let same = |a: usize, b: usize| {
        threads[a].events == threads[b].events
            && threads[a].exists() == threads[b].exists()
            && ends[a] == ends[b]
            && threads[a].awaits == threads[b].awaits
            && kin[a] == kin[b]
            && awaited_by(a) == awaited_by(b)
    };
    let first = |thread: usize| (0..thread).find(|other| same(*other, thread));
    { 0..threads.len() }
        .map(|thread| first(thread).unwrap_or(thread))
        .collect()
}
