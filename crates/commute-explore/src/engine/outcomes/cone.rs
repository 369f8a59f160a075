//! The cone of influence: the events that something may need, those that these may need,
//! and so on, with all that their threads did before.
//!
//! Nothing else has to happen. Take, in a run in which what is asked for happens, the
//! last event that is not in the cone. No event behind it needs it, so it can be moved
//! to the end, or has no effect, and be left out.

use super::histories::Histories;
use super::relations::Relations;
use super::ties::{Lasts, Ties};
use crate::knowledge::Knowledge;

/// A cone that grows.
#[derive(Clone, Debug)]
pub(super) struct Cone {
    /// How much of each history is in it.
    pub(super) lengths: Vec<usize>,
    /// Up to where what the events need was looked at.
    looked: Vec<usize>,
}

impl Cone {
    pub(super) fn nothing(threads: usize) -> Cone {
        Cone {
            lengths: vec![0; threads],
            looked: vec![0; threads],
        }
    }

    /// So much of that thread is needed.
    pub(super) fn raise(&mut self, histories: &Histories, thread: usize, length: usize) {
        if self.lengths[thread] < length {
            self.lengths[thread] = length;
        }
        // It has to be started.
        let mut thread = thread;
        while let Some((parent, index)) = histories.threads[thread].started {
            if self.lengths[parent] > index {
                break;
            }
            self.lengths[parent] = index + 1;
            thread = parent;
        }
    }

    pub(super) fn raise_all(&mut self, histories: &Histories, lasts: &Lasts) {
        for (thread, last) in lasts.iter().enumerate() {
            if *last > 0 {
                self.raise(histories, thread, *last as usize);
            }
        }
    }

    /// Adds what is needed by what is there.
    pub(super) fn close(
        &mut self,
        known: &Knowledge,
        relations: &mut Relations,
        histories: &Histories,
        ties: &mut Ties<'_>,
    ) {
        loop {
            let open = |t: &usize| self.looked[*t] < self.lengths[*t];
            let Some(thread) = (0..self.lengths.len()).find(open) else {
                return;
            };
            let index = self.looked[thread];
            self.looked[thread] += 1;
            let needs = ties.needs(known, relations, thread, index).clone();
            self.raise_all(histories, &needs);
        }
    }
}
