//! Which events of other threads an event is tied to.

use rustc_hash::FxHashMap;

use super::histories::{Event, Histories};
use super::relations::{Labelled, Relations};
use crate::knowledge::Knowledge;
use crate::words::{ObjectId, OpId};
use crate::world::World;

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
    count: u32,
}

impl<'h> Ties<'h> {
    pub(super) fn new(
        known: &Knowledge,
        histories: &'h Histories,
        limit: &[usize],
        with_foes: bool,
    ) -> Ties<'h> {
        let mut uses: FxHashMap<ObjectId, Vec<Use>> = FxHashMap::default();
        let mut seen: FxHashMap<(usize, Event), usize> = FxHashMap::default();
        for (thread, history) in histories.threads.iter().enumerate() {
            for index in (0..limit[thread]).rev() {
                let event = history.events[index];
                let objects = &known.operation(event.op).objects;
                if let Some(at) = seen.get(&(thread, event)) {
                    // Of the first object, that is enough.
                    let uses = uses.get_mut(&objects[0]).expect("it was used");
                    uses[*at].count += 1;
                    continue;
                }
                for (n, object) in objects.iter().enumerate() {
                    let uses = uses.entry(*object).or_default();
                    if n == 0 {
                        seen.insert((thread, event), uses.len());
                    }
                    uses.push(Use {
                        thread,
                        event,
                        last: index as u32 + 1,
                        count: 1,
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

    /// How much of a history is looked at.
    pub(super) fn limit(&self, thread: usize) -> usize {
        self.needs[thread].len()
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

    /// What other threads do to the objects of an operation: each label once, where it is
    /// last.
    pub(super) fn others<'t>(
        &'t self,
        known: &'t Knowledge,
        thread: usize,
        op: OpId,
    ) -> impl Iterator<Item = (usize, usize, Event)> + 't {
        let objects = known.operation(op).objects.iter();
        let uses = objects.flat_map(|object| self.uses.get(object).into_iter().flatten());
        let others = uses.filter(move |used| used.thread != thread);
        others.map(|used| (used.thread, used.last as usize - 1, used.event))
    }

    /// The only event without which an event is not possible at all, if there is one:
    /// its thread and its number. This is asked of joins and the like only: what else a
    /// thread has done to an object may be what makes its next operation possible.
    pub(super) fn requires(
        &self,
        known: &mut Knowledge,
        relations: &mut Relations,
        of: Event,
    ) -> Option<(usize, usize)> {
        let operation = known.operation(of.op);
        let [object] = operation.objects[..] else {
            return None;
        };
        let model = known.model(object);
        let is_join = model.returns(operation.method) && model.returns_one(operation.method);
        if !is_join || known.peek(&World::default(), of.op) == Some(of.result) {
            return None;
        }
        let mut only = None;
        for used in self.uses.get(&object).into_iter().flatten() {
            if relations.affects(known, used.event.labelled(), of.labelled()) {
                if only.is_some() || used.count > 1 {
                    return None;
                }
                only = Some((used.thread, used.last as usize - 1));
            }
        }
        only
    }

    /// Whether all that happens to the object of an operation, except by its own thread,
    /// is in front of these lengths, and the order of it makes no difference.
    pub(super) fn is_settled(
        &self,
        known: &Knowledge,
        relations: &mut Relations,
        thread: usize,
        of: Labelled,
        lengths: &[usize],
    ) -> bool {
        let [object] = known.operation(of.op).objects[..] else {
            return false;
        };
        let uses = self.uses.get(&object).into_iter().flatten();
        let changes = uses.filter(|used| !relations.only_reads(known, used.event.labelled()));
        let changes: Vec<&Use> = changes.collect();
        let in_front =
            |used: &&Use| used.thread == thread || used.last as usize <= lengths[used.thread];
        changes.iter().all(in_front)
            && changes.iter().enumerate().all(|(n, one)| {
                changes[..n].iter().all(|other| {
                    let (x, y) = (one.event.labelled(), other.event.labelled());
                    one.thread == other.thread
                        || relations.moves(known, x, y) && relations.moves(known, y, x)
                })
            })
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
