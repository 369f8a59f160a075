//! Which tuples of histories are parts of a run that was made.

use std::rc::Rc;

use super::histories::Histories;
use crate::code::NodeId;

/// The runs, by the places that they went through.
#[derive(Debug, Default)]
pub(super) struct Covered {
    /// The places of each thread of each run.
    runs: Vec<Vec<Rc<[NodeId]>>>,
    /// By place.
    through: Vec<Vec<u32>>,
    entries: usize,
}

/// More than that is not remembered.
const MOST_ENTRIES: usize = 100_000_000;

impl Covered {
    pub(super) fn add(&mut self, run: &Histories) {
        let number = self.runs.len() as u32;
        for node in run.threads.iter().flat_map(|history| history.nodes.iter()) {
            let index = node.0 as usize;
            if self.through.len() <= index {
                self.through.resize_with(index + 1, Vec::new);
            }
            self.through[index].push(number);
            self.entries += 1;
        }
        let nodes = run.threads.iter().map(|history| Rc::clone(&history.nodes));
        self.runs.push(nodes.collect());
    }

    pub(super) fn is_full(&self) -> bool {
        self.entries > MOST_ENTRIES
    }

    /// The runs that have so much of these histories as `lengths` says.
    fn having<'a>(
        &'a self,
        histories: &'a Histories,
        lengths: &'a [usize],
    ) -> impl Iterator<Item = u32> + 'a {
        let nodes = move || {
            let threads = histories.threads.iter().zip(lengths).enumerate();
            threads.filter_map(|(thread, (history, length))| {
                let node = history.nodes.get(*length)?;
                // Whoever did nothing need not have been started.
                (*length > 0).then_some((thread, *length, *node))
            })
        };
        let through = |node: NodeId| { self.through.get(node.0 as usize) }.map_or(&[][..], |t| t);
        let rarest = nodes().map(|(_, _, node)| through(node));
        let rarest = rarest.min_by_key(|runs| runs.len());
        let anything = rarest.is_none().then_some(0..self.runs.len() as u32);
        let runs = rarest.into_iter().flatten().copied();
        runs.chain(anything.into_iter().flatten())
            .filter(move |run| {
                let run = &self.runs[*run as usize];
                nodes().all(|(thread, length, node)| {
                    { run.get(thread) }.is_some_and(|path| path.get(length) == Some(&node))
                })
            })
    }

    /// Whether some run has so much of these histories.
    pub(super) fn has(&self, histories: &Histories, lengths: &[usize]) -> bool {
        self.having(histories, lengths).next().is_some()
    }

    /// How much of these histories a run has that has at least `lengths`: as much as
    /// can be, but not more than `most`.
    pub(super) fn largest(
        &self,
        histories: &Histories,
        lengths: &[usize],
        most: &[usize],
    ) -> Option<Vec<usize>> {
        /// Runs that are looked at.
        const SOME: usize = 64;
        let agreement = |run: u32| -> Vec<usize> {
            let run = &self.runs[run as usize];
            let threads = histories.threads.iter().enumerate();
            let shared = threads.map(|(thread, history)| {
                let path = run.get(thread).map_or(&[][..], |path| path);
                let both = history.nodes.iter().zip(path);
                let same = both.take_while(|(a, b)| a == b).count();
                same.saturating_sub(1).min(most[thread])
            });
            shared.collect()
        };
        { self.having(histories, lengths).take(SOME) }
            .map(agreement)
            .max_by_key(|shared| shared.iter().sum::<usize>())
    }
}
