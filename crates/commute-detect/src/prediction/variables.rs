//! Plain variables: who accessed them, and what a read needs.

use commute_model::{Id, VariableId};
use rustc_hash::FxHashMap;

use super::access::{Access, Candidate, Subject, record};
use super::certify::Kind;
use super::cone::{Cones, Stamp};
use super::held::Held;
use super::options::Options;
use crate::locksets::LockSetId;

pub(super) const READ: u32 = 0;
pub(super) const WRITE: u32 = 1;
pub(super) const FREE: u32 = 2;

/// All variables.
#[derive(Debug, Default)]
pub(super) struct Variables {
    variables: Vec<Variable>,
    /// Variables that were allocated or freed.
    lives: FxHashMap<VariableId, Life>,
}

#[derive(Debug, Default)]
struct Variable {
    writer: Option<Stamp>,
    /// The locks that all accesses held, once there is one.
    common: Option<LockSetId>,
    writes: Vec<Access>,
    reads: Vec<Access>,
}

#[derive(Debug, Default)]
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
    ) {
        if x.index() >= self.variables.len() {
            let grown = (x.index() + 1).next_power_of_two();
            self.variables.resize_with(grown, Variable::default);
        }
        let variable = &mut self.variables[x.index()];
        let subject = Subject::Variable(x);
        let t = new.thread;
        let life = match self.lives.is_empty() && new.kind != FREE {
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
        let reads = (new.kind != READ).then_some(&variable.reads);
        let others = || variable.writes.iter().chain(reads.into_iter().flatten());
        if common == LockSetId::EMPTY {
            for old in others() {
                if old.may_race(&new, cones, held) {
                    pair(Kind::Race, old, new.kind == FREE);
                }
            }
        }
        if let Some(life) = life {
            for old in &life.frees {
                if old.may_race(&new, cones, held) {
                    pair(Kind::Race, old, true);
                }
            }
        }
        if new.kind == READ
            && let Some(writer) = &variable.writer
        {
            cones.learn(t, writer);
        }
        if let Some(life) = life {
            if let (Some(freed), false, false) = (&life.freed, life.freed_again, options.lax) {
                cones.learn(t, freed);
            }
            for old in &life.frees {
                if old.may_follow(&new, cones) {
                    pair(Kind::Order, old, true);
                }
            }
        }
        if new.kind == FREE || options.all_orders {
            for old in others() {
                if old.may_follow(&new, cones) {
                    pair(Kind::Order, old, new.kind == FREE);
                }
            }
        }
        match new.kind {
            READ => record(&mut variable.reads, new),
            WRITE => {
                variable.writer = Some(cones.stamp(t));
                record(&mut variable.writes, new);
            }
            _ => {
                let life = self.lives.entry(x).or_default();
                life.freed_again = life.freed.is_some();
                life.freed = Some(cones.stamp(t));
                record(&mut life.frees, new);
            }
        }
    }

    /// `alloc(x)`: a new variable of the same name.
    pub(super) fn allocate(&mut self, x: VariableId, stamp: Stamp) {
        if let Some(variable) = self.variables.get_mut(x.index()) {
            *variable = Variable::default();
        }
        let life = Life {
            allocated: Some(stamp),
            ..Life::default()
        };
        self.lives.insert(x, life);
    }

    /// Calls `show` with every stamp.
    pub(super) fn for_each(&self, show: &mut dyn FnMut(&Stamp)) {
        for variable in &self.variables {
            variable.writer.iter().for_each(&mut *show);
        }
        for life in self.lives.values() {
            life.allocated
                .iter()
                .chain(&life.freed)
                .for_each(&mut *show);
        }
    }
}
