//! Views (MoTH, §5.1): what an atomic method reads and writes.
//!
//! As the paper has it, a method has one view, the union over its branches.
//! With views per path it has one for each way through it, so that a method
//! that reads a flag and then one of two fields does not seem to read both
//! (VectorFail). Ways are not listed: each block has the set of views that
//! ways to it may have, a set of at most [`PATHS`]; beyond that they are
//! united, which is the paper's answer.
//!
//! Cost: linear in the region's functions, times the views. Recursive methods
//! are united.

use std::collections::BTreeSet;

use super::actions::Action;
use super::dependencies::Dependencies;
use super::variables::{Global, Variable};
use crate::ir::{FunctionId, Program};

/// How many views a region may have.
pub(crate) const PATHS: usize = 16;

/// The accesses of an atomic block (the paper's `Accesses`): variable and
/// whether it is written, in order.
pub(crate) type View = BTreeSet<(Global, bool)>;

/// `V(p)` restricted to reads or to writes, as Definition 5 has it.
pub(crate) fn only(view: &View, write: bool) -> BTreeSet<Global> {
    let of_kind = view.iter().filter(|access| access.1 == write);
    of_kind.map(|access| access.0).collect()
}

type Views = BTreeSet<View>;

/// `Γ⁻¹`: the views of each region. With `limit` 1 there is one for each.
pub(crate) fn views(program: &Program, found: &Dependencies, limit: usize) -> Vec<Vec<View>> {
    let mut maker = Maker {
        program,
        found,
        limit,
        whole: vec![None; program.functions.len()],
    };
    let mut inside = vec![false; program.functions.len()];
    for instance in &found.instances {
        inside[instance.function.index()] |= instance.region.is_some();
    }
    for members in &found.order {
        if members.iter().any(|member| inside[member.index()]) {
            maker.cycle(members);
        }
    }
    let of_region = |region: &super::dependencies::Region| {
        let views = match region.part {
            None => maker.whole[region.function.index()]
                .clone()
                .unwrap_or_default(),
            Some(part) => maker.flow(region.function, Some(part)),
        };
        views.into_iter().filter(|view| !view.is_empty()).collect()
    };
    found.regions.iter().map(of_region).collect()
}

struct Maker<'a> {
    program: &'a Program,
    found: &'a Dependencies,
    limit: usize,
    /// The views of functions that are inside of a region as a whole.
    whole: Vec<Option<Views>>,
}

impl Maker<'_> {
    fn cycle(&mut self, members: &[FunctionId]) {
        if let [member] = members
            && !self.calls_itself(*member)
        {
            self.whole[member.index()] = Some(self.flow(*member, None));
            return;
        }
        let mut all = View::new();
        for member in members {
            for step in self.found.actions[member.index()]
                .iter()
                .flat_map(|b| &b.steps)
            {
                all.extend(touched(&step.action));
                if let Action::Call { callees, .. } = &step.action {
                    for callee in callees {
                        all.extend(self.whole[callee.index()].iter().flatten().flatten());
                    }
                }
            }
            let blocks = self.found.actions[member.index()].iter();
            all.extend(blocks.flat_map(|block| read(&block.condition)));
        }
        for member in members {
            self.whole[member.index()] = Some(Views::from([all.clone()]));
        }
    }

    fn calls_itself(&self, function: FunctionId) -> bool {
        let mut steps = self.found.actions[function.index()]
            .iter()
            .flat_map(|b| &b.steps);
        steps.any(|step| match &step.action {
            Action::Call { callees, .. } => callees.contains(&function),
            _ => false,
        })
    }

    /// The views of a function, or of one region in it, by the way taken.
    fn flow(&self, function: FunctionId, part: Option<u16>) -> Views {
        let blocks = &self.program.function(function).blocks;
        let regions = &self.found.parts[function.index()];
        let actions = &self.found.actions[function.index()];
        let mut entry = vec![Views::new(); blocks.len()];
        let mut leaving = vec![Views::new(); blocks.len()];
        let mut waiting = BTreeSet::new();
        if let Some(first) = entry.first_mut() {
            first.insert(View::new());
            waiting.insert(0);
        }
        while let Some(block) = waiting.pop_first() {
            let mut views = entry[block].clone();
            for step in &actions[block].steps {
                if part.is_none() || regions.at(block, step.statement) == part {
                    views = self.step(views, &step.action);
                }
            }
            let end = blocks[block].statements.len();
            if part.is_none() || regions.at(block, end) == part {
                views = self.each(views, read(&actions[block].condition));
            }
            for target in blocks[block].terminator.targets() {
                let known = &mut entry[target.index()];
                let before = known.clone();
                known.extend(views.iter().cloned());
                let joined = self.bounded(std::mem::take(known));
                if joined != before {
                    waiting.insert(target.index());
                }
                entry[target.index()] = joined;
            }
            leaving[block] = views;
        }
        let ends: Vec<usize> = (0..blocks.len())
            .filter(|block| blocks[*block].terminator.targets().is_empty())
            .filter(|block| !leaving[*block].is_empty())
            .collect();
        // What never ends is seen wherever it is.
        let ends = if ends.is_empty() {
            (0..blocks.len()).collect()
        } else {
            ends
        };
        self.bounded(
            ends.into_iter()
                .flat_map(|block| leaving[block].clone())
                .collect(),
        )
    }

    fn step(&self, views: Views, action: &Action) -> Views {
        let views = self.each(views, touched(action));
        let Action::Call { callees, .. } = action else {
            return views;
        };
        let mut called = Views::new();
        for callee in callees {
            called.extend(self.whole[callee.index()].iter().flatten().cloned());
        }
        if called.is_empty() {
            return views;
        }
        if views.len() * called.len() > self.limit {
            called = Views::from([called.into_iter().flatten().collect()]);
        }
        let mut joined = Views::new();
        for view in &views {
            joined.extend(
                called
                    .iter()
                    .map(|other| view.union(other).copied().collect::<View>()),
            );
        }
        self.bounded(joined)
    }

    fn each(&self, views: Views, accesses: Vec<(Global, bool)>) -> Views {
        if accesses.is_empty() {
            return views;
        }
        let add = |mut view: View| {
            view.extend(&accesses);
            view
        };
        views.into_iter().map(add).collect()
    }

    fn bounded(&self, views: Views) -> Views {
        if views.len() <= self.limit {
            return views;
        }
        Views::from([views.into_iter().flatten().collect()])
    }
}

fn read(variables: &[Variable]) -> Vec<(Global, bool)> {
    let globals = variables.iter().filter_map(|variable| match variable {
        Variable::Global(global) => Some((*global, false)),
        Variable::Local(_) => None,
    });
    globals.collect()
}

/// What an action reads and writes itself.
fn touched(action: &Action) -> Vec<(Global, bool)> {
    let (to, mut found) = match action {
        Action::Define(to, from) => (to.as_slice(), read(from)),
        Action::Call { to, arguments, .. } => {
            let read = arguments.iter().flat_map(|argument| read(argument));
            (to.as_slice(), read.collect())
        }
        Action::Use(global, from) => {
            let mut found = read(from);
            found.push((*global, false));
            (&[][..], found)
        }
        Action::Together(from) => (&[][..], read(from)),
    };
    let written = to.iter().filter_map(|target| match target.variable {
        Variable::Global(global) if !target.new => Some((global, true)),
        _ => None,
    });
    found.extend(written);
    found
}
