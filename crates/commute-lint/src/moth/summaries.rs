//! `spec(meth)` (MoTH, Figure 4, rule Meth Call): what a call does to the
//! versions of global variables, bottom-up over the call graph.
//!
//! A method may write a variable, and it may do so on every way to its end.
//! Versions are passed from a call to its caller only for variables that
//! somebody reads there (`wanted`), so that a program costs what it uses.
//!
//! Deviations: the rule as printed keeps the caller's versions whatever the
//! method did, `(v, h) ∉ H_f` being true for an `h` of the caller; and it
//! forgets the new version of `x`. The text says what is meant: versions of
//! what was redefined are replaced, others are kept, and `x` has a new one.
//! Recursive methods, about which the paper is silent, are taken together to a
//! fixpoint, without assuming that the others of the cycle replace anything.
//!
//! Cost: linear in the program, times the variables that are written.

use super::actions::{Action, Actions};
use super::bits::Bits;
use super::variables::{Global, Variable};
use crate::ir::{FunctionId, Program, Terminator};

/// What calls do to global variables, by function.
pub(crate) struct Summaries {
    /// Which variables may be written.
    pub(crate) written: Vec<Bits>,
    /// Which variables are written on every way to the end.
    pub(crate) replaced: Vec<Bits>,
    /// Which variables' last versions are asked for.
    pub(crate) wanted: Vec<Bits>,
}

impl Summaries {
    pub(crate) fn of(
        program: &Program,
        actions: &[Vec<Actions>],
        order: &[Vec<FunctionId>],
        globals: usize,
    ) -> Summaries {
        let functions = program.functions.len();
        let mut summaries = Summaries {
            written: vec![Bits::default(); functions],
            replaced: vec![Bits::default(); functions],
            wanted: vec![Bits::default(); functions],
        };
        for members in order {
            for member in members {
                summaries.written[member.index()] = Bits::new(globals);
                summaries.replaced[member.index()] = Bits::new(globals);
                summaries.wanted[member.index()] = Bits::new(globals);
            }
        }
        for members in order {
            let mut all = Bits::new(globals);
            for member in members {
                summaries.collect(&actions[member.index()], &mut all);
            }
            for member in members {
                summaries.written[member.index()] = all.clone();
            }
            if all.is_empty() {
                continue;
            }
            for member in members {
                let blocks = &actions[member.index()];
                let replaced = summaries.replaced(program, *member, blocks, globals);
                summaries.replaced[member.index()] = replaced;
            }
        }
        summaries.want(actions, order, globals);
        summaries
    }

    fn collect(&self, blocks: &[Actions], all: &mut Bits) {
        for step in blocks.iter().flat_map(|block| &block.steps) {
            for global in writes(&step.action) {
                all.insert(global.0 as usize);
            }
            if let Action::Call { callees, .. } = &step.action {
                for callee in callees {
                    all.union(&self.written[callee.index()]);
                }
            }
        }
    }

    /// What holds on every way from the beginning to an end.
    fn replaced(
        &self,
        program: &Program,
        function: FunctionId,
        blocks: &[Actions],
        globals: usize,
    ) -> Bits {
        let body = &program.function(function).blocks;
        let mut entry: Vec<Option<Bits>> = vec![None; body.len()];
        let mut waiting = Vec::new();
        if let Some(first) = entry.first_mut() {
            *first = Some(Bits::new(globals));
            waiting.push(0);
        }
        while let Some(block) = waiting.pop() {
            let Some(sure) = self.leaving(&blocks[block], &entry[block]) else {
                continue;
            };
            for target in body[block].terminator.targets() {
                let known = &mut entry[target.index()];
                let mut next = sure.clone();
                if let Some(known) = known {
                    next.intersect(known);
                }
                if known.as_ref() != Some(&next) {
                    *known = Some(next);
                    waiting.push(target.index());
                }
            }
        }
        let ends = (0..body.len()).filter(|b| body[*b].terminator == Terminator::Return);
        let sure = ends.filter_map(|block| self.leaving(&blocks[block], &entry[block]));
        let both = |mut one: Bits, other: Bits| {
            one.intersect(&other);
            one
        };
        sure.reduce(both).unwrap_or_else(|| Bits::new(globals))
    }

    /// What holds after a block, if the block is reached.
    fn leaving(&self, block: &Actions, entry: &Option<Bits>) -> Option<Bits> {
        let mut sure = entry.clone()?;
        for step in &block.steps {
            let targets = match &step.action {
                Action::Define(targets, _) => targets,
                Action::Call { to, callees, .. } => {
                    let replaced = callees.iter().map(|c| self.replaced[c.index()].clone());
                    let both = |mut one: Bits, other: Bits| {
                        one.intersect(&other);
                        one
                    };
                    if let Some(common) = replaced.reduce(both) {
                        sure.union(&common);
                    }
                    to
                }
                Action::Use(..) | Action::Together(_) => continue,
            };
            for target in targets.iter().filter(|target| target.whole) {
                if let Variable::Global(global) = target.variable {
                    sure.insert(global.0 as usize);
                }
            }
        }
        Some(sure)
    }

    /// Callers ask for what they read, and for what they are asked for.
    fn want(&mut self, actions: &[Vec<Actions>], order: &[Vec<FunctionId>], globals: usize) {
        for members in order.iter().rev() {
            let mut again = true;
            while again {
                again = false;
                for member in members {
                    again |= self.want_of(&actions[member.index()], *member, globals);
                }
                again &= members.len() > 1;
            }
        }
    }

    fn want_of(&mut self, blocks: &[Actions], function: FunctionId, globals: usize) -> bool {
        let mut here = self.wanted[function.index()].clone();
        here.union(&read(blocks, globals));
        let mut changed = false;
        for step in blocks.iter().flat_map(|block| &block.steps) {
            if let Action::Call { callees, .. } = &step.action {
                for callee in callees {
                    let mut asked = here.clone();
                    asked.intersect(&self.written[callee.index()]);
                    changed |= self.wanted[callee.index()].union(&asked);
                }
            }
        }
        changed
    }
}

/// The global variables that a function reads itself.
pub(crate) fn read(blocks: &[Actions], globals: usize) -> Bits {
    let mut found = Bits::new(globals);
    let mut add = |variables: &[Variable]| {
        for variable in variables {
            if let Variable::Global(global) = variable {
                found.insert(global.0 as usize);
            }
        }
    };
    for block in blocks {
        add(&block.condition);
        for step in &block.steps {
            match &step.action {
                Action::Define(_, from) | Action::Together(from) | Action::Use(_, from) => {
                    add(from);
                }
                Action::Call { arguments, .. } => arguments.iter().for_each(|a| add(a)),
            }
        }
    }
    found
}

/// The global variables that an action writes itself.
fn writes(action: &Action) -> impl Iterator<Item = Global> + '_ {
    let targets: &[_] = match action {
        Action::Define(to, _) | Action::Call { to, .. } => to,
        Action::Use(..) | Action::Together(_) => &[],
    };
    targets.iter().filter_map(|target| match target.variable {
        Variable::Global(global) => Some(global),
        Variable::Local(_) => None,
    })
}
