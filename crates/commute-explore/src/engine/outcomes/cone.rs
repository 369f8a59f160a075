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
        // It has to be started, and whoever goes first to have begun.
        let history = &histories.threads[thread];
        if let Some((parent, index)) = history.started
            && self.lengths[parent] <= index
        {
            self.raise(histories, parent, index + 1);
        }
        if length > 0 {
            self.begin(histories, thread);
        }
    }

    /// The thread is to begin: whoever has to begin before it does.
    pub(super) fn begin(&mut self, histories: &Histories, thread: usize) {
        if let Some(other) = histories.threads[thread].follows
            && self.lengths[other] == 0
            && histories.threads[other].len() > 0
        {
            self.raise(histories, other, 1);
        }
    }

    pub(super) fn raise_all(&mut self, histories: &Histories, lasts: &Lasts) {
        for (thread, last) in lasts.iter().enumerate() {
            if *last > 0 {
                self.raise(histories, thread, *last as usize);
            }
        }
    }

    /// Adds what is needed by what is there; whether there is all of it.
    pub(super) fn close(
        &mut self,
        known: &Knowledge,
        relations: &mut Relations,
        histories: &Histories,
        ties: &mut Ties<'_>,
    ) -> bool {
        loop {
            if (0..self.lengths.len()).any(|t| self.lengths[t] > ties.limit(t)) {
                return false;
            }
            let open = |t: &usize| self.looked[*t] < self.lengths[*t];
            let Some(thread) = (0..self.lengths.len()).find(open) else {
                return true;
            };
            let index = self.looked[thread];
            self.looked[thread] += 1;
            let needs = ties.needs(known, relations, thread, index).clone();
            self.raise_all(histories, &needs);
        }
    }
}
