//! Which events of other threads an event is tied to.

use rustc_hash::FxHashMap;

use super::histories::{Event, Histories};
use super::relations::{Labelled, Relations};
use crate::knowledge::Knowledge;
use crate::words::ObjectId;

/// For each thread: one more than its last event of a kind; nought if there is none.
pub(super) type Lasts = Box<[u32]>;

/// The events of some histories, up to a limit in each, by what they use.
pub(super) struct Ties<'h> {
    histories: &'h Histories,
    /// By object: each label that a thread has there, with its last event.
    uses: FxHashMap<ObjectId, Vec<Use>>,
    /// Those that an event may need.
    needs: Vec<Vec<Option<Lasts>>>,
    /// Those that cannot be moved behind an event.
    pins: Vec<Vec<Option<Lasts>>>,
    /// Whether those that make an event impossible count among these.
    with_foes: bool,
}

struct Use {
    thread: usize,
    event: Event,
    last: u32,
}

impl<'h> Ties<'h> {
    pub(super) fn new(
        known: &Knowledge,
        histories: &'h Histories,
        limit: &[usize],
        with_foes: bool,
    ) -> Ties<'h> {
        let mut uses: FxHashMap<ObjectId, Vec<Use>> = FxHashMap::default();
        let mut seen: FxHashMap<(usize, Event), ()> = FxHashMap::default();
        for (thread, history) in histories.threads.iter().enumerate() {
            for index in (0..limit[thread]).rev() {
                let event = history.events[index];
                if seen.insert((thread, event), ()).is_some() {
                    continue;
                }
                for object in &known.operation(event.op).objects {
                    uses.entry(*object).or_default().push(Use {
                        thread,
                        event,
                        last: index as u32 + 1,
                    });
                }
            }
        }
        let none = |thread: usize| vec![None; limit[thread]];
        Ties {
            histories,
            uses,
            needs: (0..limit.len()).map(none).collect(),
            pins: (0..limit.len()).map(none).collect(),
            with_foes,
        }
    }

    fn lasts(
        &self,
        known: &Knowledge,
        thread: usize,
        of: Labelled,
        mut is_tied: impl FnMut(Labelled) -> bool,
    ) -> Lasts {
        let mut lasts: Lasts = vec![0; self.histories.threads.len()].into();
        for object in &known.operation(of.op).objects {
            for used in self.uses.get(object).into_iter().flatten() {
                // Later ones come first.
                if used.thread != thread
                    && lasts[used.thread] < used.last
                    && is_tied(used.event.labelled())
                {
                    lasts[used.thread] = used.last;
                }
            }
        }
        lasts
    }

    /// What an operation of a thread may need, of the others.
    pub(super) fn needs_of(
        &self,
        known: &Knowledge,
        relations: &mut Relations,
        thread: usize,
        of: Labelled,
    ) -> Lasts {
        self.lasts(known, thread, of, |x| relations.affects(known, x, of))
    }

    /// What an event may need, of the others.
    pub(super) fn needs(
        &mut self,
        known: &Knowledge,
        relations: &mut Relations,
        thread: usize,
        index: usize,
    ) -> &Lasts {
        if self.needs[thread][index].is_none() {
            let of = self.histories.threads[thread].events[index].labelled();
            let lasts = self.needs_of(known, relations, thread, of);
            self.needs[thread][index] = Some(lasts);
        }
        self.needs[thread][index].as_ref().expect("it is there now")
    }

    /// Which events of others cannot be moved behind it, if they come right before; if
    /// asked for, also those that make it impossible.
    pub(super) fn pins(
        &mut self,
        known: &Knowledge,
        relations: &mut Relations,
        thread: usize,
        index: usize,
    ) -> &Lasts {
        if self.pins[thread][index].is_none() {
            let of = self.histories.threads[thread].events[index].labelled();
            let lasts = self.lasts(known, thread, of, |x| {
                !relations.moves(known, x, of) || self.with_foes && relations.disturbs(known, x, of)
            });
            self.pins[thread][index] = Some(lasts);
        }
        self.pins[thread][index].as_ref().expect("it is there now")
    }
}
