//! Which tuples of histories are parts of a run that was made, or would be if threads
//! that may be exchanged were.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::histories::Histories;
use crate::code::NodeId;
use crate::knowledge::Knowledge;
use crate::words::ThreadId;

/// The runs, by the places that they went through.
#[derive(Debug, Default)]
pub(super) struct Covered {
    runs: Vec<Made>,
    /// By place.
    through: Vec<Vec<u32>>,
    /// Places of threads that may be exchanged have the same number if they are alike.
    alike: FxHashMap<(ThreadId, u64), Place>,
    own: FxHashMap<NodeId, Place>,
    entries: usize,
}

/// The number of a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Place(u32);

/// A run that was made.
#[derive(Debug)]
struct Made {
    /// The places of each thread.
    paths: Vec<Rc<[Place]>>,
    /// Who may be exchanged: the first of those that a thread is like.
    likes: Vec<Option<ThreadId>>,
}

/// A run, and who is who in it.
struct Having<'a> {
    made: &'a Made,
    /// By thread; only if threads may be exchanged.
    who: Option<Vec<Option<usize>>>,
}

/// More than that is not remembered.
const MOST_ENTRIES: usize = 100_000_000;

impl Covered {
    pub(super) fn add(&mut self, known: &Knowledge, run: &Histories) {
        let number = self.runs.len() as u32;
        let mut made = Made {
            paths: Vec::with_capacity(run.threads.len()),
            likes: Vec::with_capacity(run.threads.len()),
        };
        for history in &run.threads {
            let path = history.nodes.iter().map(|node| self.number(known, *node));
            let path: Rc<[Place]> = path.collect();
            for place in path.iter() {
                let through = &mut self.through[place.0 as usize];
                if through.last() != Some(&number) {
                    through.push(number);
                    self.entries += 1;
                }
            }
            made.paths.push(path);
            let alike = history.nodes.first().and_then(|node| known.alike(*node));
            made.likes.push(alike.map(|(first, _)| first));
        }
        self.runs.push(made);
    }

    fn number(&mut self, known: &Knowledge, node: NodeId) -> Place {
        let next = Place(self.through.len() as u32);
        let place = match known.alike(node) {
            Some(alike) => *self.alike.entry(alike).or_insert(next),
            None => *self.own.entry(node).or_insert(next),
        };
        if place == next {
            self.through.push(Vec::new());
        }
        place
    }

    /// The number of a place, if a run went through it.
    fn place(&self, known: &Knowledge, node: NodeId) -> Option<Place> {
        match known.alike(node) {
            Some(alike) => self.alike.get(&alike).copied(),
            None => self.own.get(&node).copied(),
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.entries > MOST_ENTRIES
    }

    /// The runs that have so much of these histories as `lengths` says.
    fn having<'a>(
        &'a self,
        known: &Knowledge,
        histories: &Histories,
        lengths: &[usize],
    ) -> impl Iterator<Item = Having<'a>> + use<'a> {
        let mut parts = Vec::new();
        let mut rarest: Option<&[u32]> = None;
        for (thread, length) in lengths.iter().enumerate() {
            let node = histories.threads[thread].nodes.get(*length);
            // Whoever did nothing need not have been started.
            let Some(node) = node.filter(|_| *length > 0) else {
                continue;
            };
            let place = self.place(known, *node);
            let through = place.map_or(&[][..], |place| &self.through[place.0 as usize]);
            if rarest.is_none_or(|rarest| through.len() < rarest.len()) {
                rarest = Some(through);
            }
            parts.push(Part {
                thread,
                length: *length,
                place,
                alike: known.alike(*node).map(|(first, _)| first),
            });
        }
        let anything = rarest.is_none().then_some(0..self.runs.len() as u32);
        let runs = rarest.into_iter().flatten().copied();
        let runs = runs.chain(anything.into_iter().flatten());
        let threads = lengths.len();
        runs.filter_map(move |run| self.runs[run as usize].having(&parts, threads))
    }

    /// Whether some run has so much of these histories.
    pub(super) fn has(&self, known: &Knowledge, histories: &Histories, lengths: &[usize]) -> bool {
        self.having(known, histories, lengths).next().is_some()
    }

    /// How much of these histories a run has that has at least `lengths`: as much as
    /// can be, but not more than `most`.
    pub(super) fn largest(
        &self,
        known: &Knowledge,
        histories: &Histories,
        lengths: &[usize],
        most: &[usize],
    ) -> Option<Vec<usize>> {
        /// Runs that are looked at.
        const SOME: usize = 64;
        let agreement = |having: Having<'_>| -> Vec<usize> {
            let threads = histories.threads.iter().enumerate();
            let shared = threads.map(|(thread, history)| {
                let path = having.path(thread);
                let both = history.nodes.iter().zip(path);
                let same = both.take_while(|(a, b)| self.place(known, **a) == Some(**b));
                same.count().saturating_sub(1).min(most[thread])
            });
            shared.collect()
        };
        { self.having(known, histories, lengths).take(SOME) }
            .map(agreement)
            .max_by_key(|shared| shared.iter().sum::<usize>())
    }
}

/// How far a thread is to have come.
struct Part {
    thread: usize,
    length: usize,
    place: Option<Place>,
    alike: Option<ThreadId>,
}

impl Made {
    /// Whether this run has these parts, and who is who then.
    fn having(&self, parts: &[Part], threads: usize) -> Option<Having<'_>> {
        let went = |part: &Part, who: usize| {
            let path = self.paths.get(who);
            path.is_some_and(|path| {
                part.place.is_some() && path.get(part.length) == part.place.as_ref()
            })
        };
        let (bound, free): (Vec<&Part>, Vec<&Part>) =
            parts.iter().partition(|part| part.alike.is_none());
        if !bound.iter().all(|part| went(part, part.thread)) {
            return None;
        }
        if self.likes.iter().all(Option::is_none) {
            return free.is_empty().then_some(Having {
                made: self,
                who: None,
            });
        }
        // Who does the part of whom, as a matching that grows (Kuhn).
        let mut doing: Vec<Option<usize>> = vec![None; self.paths.len()];
        for part in 0..free.len() {
            let can = |part: usize, who: usize| {
                self.likes[who] == free[part].alike && went(free[part], who)
            };
            let mut tried = vec![false; self.paths.len()];
            if !matched(part, &can, &mut doing, &mut tried) {
                return None;
            }
        }
        let mut who: Vec<Option<usize>> = (0..threads)
            .map(|thread| {
                let is_bound = self.likes.get(thread).is_none_or(Option::is_none);
                is_bound.then_some(thread)
            })
            .collect();
        for (someone, part) in doing.iter().enumerate() {
            if let Some(part) = part {
                who[free[*part].thread] = Some(someone);
            }
        }
        Some(Having {
            made: self,
            who: Some(who),
        })
    }
}

/// Finds somebody for a part; others may have to change.
fn matched(
    part: usize,
    can: &dyn Fn(usize, usize) -> bool,
    doing: &mut [Option<usize>],
    tried: &mut [bool],
) -> bool {
    for who in 0..doing.len() {
        if tried[who] || !can(part, who) {
            continue;
        }
        tried[who] = true;
        if doing[who].is_none_or(|other| matched(other, can, doing, tried)) {
            doing[who] = Some(part);
            return true;
        }
    }
    false
}

impl Having<'_> {
    /// The places of whoever is this thread here.
    fn path(&self, thread: usize) -> &[Place] {
        let who = match &self.who {
            None => Some(thread),
            Some(who) => who[thread],
        };
        let path = who.and_then(|who| self.made.paths.get(who));
        path.map_or(&[][..], |path| path)
    }
}
