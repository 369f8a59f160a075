//! Plain variables: who accessed them, and what a read needs.

use commute_model::{Id, VariableId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::access::{Access, Candidate, FREE, READ, Subject, WRITE};
use super::certify::Kind;
use super::cone::{Cones, Stamp};
use super::held::Held;
use super::kept::{each, like, place_of, record};
use super::observed::Watch;
use super::options::Options;
use crate::locksets::LockSetId;

/// All variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Variables {
    /// Pieces of [`PIECE`] variables each, which never move.
    pieces: Vec<Box<[Variable]>>,
    /// Variables that were allocated or freed.
    lives: FxHashMap<VariableId, Life>,
}

/// Variables per piece of memory.
const PIECE: usize = 1 << 12;

#[derive(Clone, Debug, Default)]
struct Variable {
    writer: Option<Stamp>,
    /// The locks that all accesses held, once there is one.
    common: Option<LockSetId>,
    /// Reads and writes.
    accesses: SmallVec<[Access; 2]>,
}

#[derive(Clone, Debug, Default)]
struct Life {
    allocated: Option<Stamp>,
    /// The event that freed it, if it is one.
    freed: Option<Stamp>,
    freed_again: bool,
    frees: Vec<Access>,
}

impl Variables {
    /// An access to a variable by the current event.
    #[inline]
    pub(super) fn access(
        &mut self,
        x: VariableId,
        new: Access,
        (cones, held): (&mut Cones, &mut Held),
        options: &Options,
        out: &mut Vec<Candidate>,
        watch: &mut Watch,
    ) {
        let (piece, place) = (x.index() / PIECE, x.index() % PIECE);
        if piece >= self.pieces.len() {
            self.grow(piece);
        }
        let variable = &mut self.pieces[piece][place];
        let subject = Subject::Variable(x);
        let t = new.thread;
        let life = match self.lives.is_empty() && new.kind() != FREE {
            true => None,
            false => self.lives.get(&x),
        };
        if let Some(life) = life {
            { life.allocated.iter() }.for_each(|stamp| cones.learn(t, stamp));
        }
        let before = variable.common.unwrap_or(new.held);
        let common = held.in_all(before, new.held);
        variable.common = Some(common);
        let mut pair = |kind, earlier: &Access, order_only| {
            out.push(Candidate {
                kind,
                subject,
                earlier: *earlier,
                later: new,
                order_only,
            });
        };
        let conflicts = |old: &&Access| new.kind() != READ || old.kind() != READ;
        let others = || each(&variable.accesses).filter(conflicts);
        let is_outdated =
            |old: &Access, list: &[Access]| old.is_outdated(&new, options, || like(list, old));
        if common == LockSetId::EMPTY {
            for old in others() {
                if old.may_race(&new, cones, held) && !is_outdated(old, &variable.accesses) {
                    pair(Kind::Race, old, new.kind() == FREE);
                }
            }
        }
        if let Some(life) = life {
            // Of the same life: whoever comes now comes too late.
            if let Some(old) = life.frees.iter().max_by_key(|old| old.index()) {
                watch.add(subject, *old, new);
            }
            for old in each(&life.frees) {
                if old.may_race(&new, cones, held) && !is_outdated(old, &life.frees) {
                    pair(Kind::Race, old, true);
                }
            }
        }
        if new.kind() == READ
            && let Some(writer) = &variable.writer
        {
            cones.learn(t, writer);
        }
        if let Some(life) = life {
            if let (Some(freed), false, false) = (&life.freed, life.freed_again, options.lax) {
                cones.learn(t, freed);
            }
            for old in each(&life.frees) {
                if old.may_follow(&new, cones) && !is_outdated(old, &life.frees) {
                    pair(Kind::Order, old, true);
                }
            }
        }
        if new.kind() == FREE || options.all_orders {
            for old in others() {
                if old.may_follow(&new, cones) && !is_outdated(old, &variable.accesses) {
                    pair(Kind::Order, old, new.kind() == FREE);
                }
            }
        }
        match new.kind() {
            READ => record(&mut variable.accesses, new, options),
            WRITE => {
                variable.writer = Some(cones.stamp(t));
                record(&mut variable.accesses, new, options);
            }
            _ => {
                let life = self.lives.entry(x).or_default();
                life.freed_again = life.freed.is_some();
                life.freed = Some(cones.stamp(t));
                record(&mut life.frees, new, options);
            }
        }
    }

    /// The current event uses locks and condition variables that have the names of
    /// variables which are freed. A wait uses two: their races are told before anything
    /// is learned of either.
    #[cold]
    pub(super) fn use_freed(
        &self,
        used: &[(VariableId, Subject)],
        new: Access,
        (cones, held): (&mut Cones, &mut Held),
        options: &Options,
        out: &mut Vec<Candidate>,
        watch: &mut Watch,
    ) {
        let t = new.thread;
        let life = |&(x, subject): &(VariableId, Subject)| Some((self.lives.get(&x)?, subject));
        let subjects: SmallVec<[(&Life, Subject); 2]> = used.iter().filter_map(life).collect();
        let mut pair = |kind, earlier: &Access, subject| {
            out.push(Candidate {
                kind,
                subject,
                earlier: *earlier,
                later: new,
                order_only: true,
            });
        };
        for (life, subject) in &subjects {
            { life.allocated.iter() }.for_each(|stamp| cones.learn(t, stamp));
            if let Some(old) = life.frees.iter().max_by_key(|old| old.index()) {
                watch.add(*subject, *old, new);
            }
        }
        let is_outdated =
            |old: &Access, life: &Life| old.is_outdated(&new, options, || like(&life.frees, old));
        for (life, subject) in &subjects {
            for old in each(&life.frees).filter(|old| old.may_race(&new, cones, held)) {
                if !is_outdated(old, life) {
                    pair(Kind::Race, old, *subject);
                }
            }
        }
        for (life, _) in &subjects {
            if let (Some(freed), false, false) = (&life.freed, life.freed_again, options.lax) {
                cones.learn(t, freed);
            }
        }
        for (life, subject) in &subjects {
            for old in each(&life.frees).filter(|old| old.may_follow(&new, cones)) {
                if !is_outdated(old, life) {
                    pair(Kind::Order, old, *subject);
                }
            }
        }
    }

    /// `alloc(x)`: a new variable of the same name.
    pub(super) fn allocate(&mut self, x: VariableId, stamp: Stamp) {
        if let Some(piece) = self.pieces.get_mut(x.index() / PIECE) {
            piece[x.index() % PIECE] = Variable::default();
        }
        let life = Life {
            allocated: Some(stamp),
            ..Life::default()
        };
        self.lives.insert(x, life);
    }

    /// Brings variables and the accesses of threads to them into the cache, all at
    /// once: misses that do not depend on each other overlap. The result means
    /// nothing.
    #[inline]
    pub(super) fn prefetch(
        &self,
        accesses: impl Iterator<Item = (u32, VariableId)> + Clone,
    ) -> u64 {
        let known = accesses.filter_map(|(t, x)| {
            let piece = self.pieces.get(x.index() / PIECE)?;
            Some((t, piece.get(x.index() % PIECE)?))
        });
        let lengths = known
            .clone()
            .map(|(_, variable)| variable.accesses.len() as u64);
        let lengths = lengths.sum();
        // Two accesses fill a line of the cache.
        let own = known.flat_map(|(t, variable)| {
            let own = variable.accesses.get(place_of(t)..).unwrap_or_default();
            own.iter().step_by(2).take(3)
        });
        { own.map(Access::index) }.fold(lengths, |sum, index| sum ^ index)
    }

    /// Whether there are so many variables that looking them up in advance pays.
    pub(super) fn is_large(&self) -> bool {
        self.pieces.len() > 1
    }

    #[cold]
    fn grow(&mut self, piece: usize) {
        let new = || {
            { std::iter::repeat_with(Variable::default) }
                .take(PIECE)
                .collect()
        };
        self.pieces.resize_with(piece + 1, new);
    }

    /// Calls `show` with every stamp.
    pub(super) fn for_each(&self, show: &mut dyn FnMut(&Stamp)) {
        for variable in self.pieces.iter().flat_map(|piece| piece.iter()) {
            variable.writer.iter().for_each(&mut *show);
        }
        // order: stamps are only marked.
        for life in self.lives.values() {
            life.allocated
                .iter()
                .chain(&life.freed)
                .for_each(&mut *show);
        }
    }
}
