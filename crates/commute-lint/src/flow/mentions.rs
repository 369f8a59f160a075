//! Which locals are assigned in several places, and which are still mentioned
//! behind a block.
//!
//! MIR drops every guard that is there, so a guard in a local that nobody
//! mentions any more is not there: it was in the other arm of
//! `if let Some(guard) = …`.

use crate::flow::state::State;
use crate::ir::{Function, Local, Operand, Place, Statement, Step, Terminator};

pub(crate) struct Mentions<'f> {
    function: &'f Function,
    behind: Vec<Option<Vec<bool>>>,
}

impl<'f> Mentions<'f> {
    pub(crate) fn of(function: &'f Function) -> Mentions<'f> {
        Mentions {
            function,
            behind: vec![None; function.blocks.len()],
        }
    }

    /// Whether a local is mentioned in a block or behind it.
    pub(crate) fn is_alive(&mut self, block: usize, local: Local) -> bool {
        let function = self.function;
        let alive = self.behind[block].get_or_insert_with(|| mentioned(function, block));
        alive.get(local.index()).copied().unwrap_or(true)
    }
}

/// Regions end whose guards nobody mentions any more.
pub(crate) fn gone(state: &mut State, mentions: &mut Mentions<'_>, block: usize) {
    for region in state.maybe.clone() {
        let owners = state.owners(region);
        let mut alive = |at: &usize| mentions.is_alive(block, Local(*at as u32));
        if !owners.is_empty() && !owners.iter().any(&mut alive) {
            state.release(region);
        }
    }
}

fn mentioned(function: &Function, block: usize) -> Vec<bool> {
    let mut alive = vec![false; function.locals.len()];
    let mut seen = vec![false; function.blocks.len()];
    let mut todo = vec![block];
    while let Some(at) = todo.pop() {
        if std::mem::replace(&mut seen[at], true) {
            continue;
        }
        let block = &function.blocks[at];
        for (statement, _) in &block.statements {
            mention(statement, &mut alive);
        }
        if let Terminator::Branch { on, .. } = &block.terminator {
            operand(on, &mut alive);
        }
        todo.extend(
            block
                .terminator
                .targets()
                .iter()
                .map(|target| target.index()),
        );
    }
    alive[0] = true;
    alive
}

/// Which locals are assigned in several places. What is written through a
/// pointer does not make it another one.
pub(crate) fn assigned_often(function: &Function) -> Vec<bool> {
    let mut times = vec![0u8; function.locals.len()];
    for (statement, _) in function.blocks.iter().flat_map(|block| &block.statements) {
        if let Statement::Assign { to, .. } | Statement::Call { to, .. } = statement
            && to.steps.first() != Some(&Step::Deref)
            && let Some(count) = times.get_mut(to.local.index())
        {
            *count = count.saturating_add(1);
        }
    }
    times.into_iter().map(|count| count > 1).collect()
}

fn mention(statement: &Statement, alive: &mut [bool]) {
    match statement {
        Statement::Assign { to, from, .. } => {
            place(to, alive);
            from.iter().for_each(|from| operand(from, alive));
        }
        Statement::Call { to, arguments, .. } => {
            place(to, alive);
            arguments.iter().for_each(|from| operand(from, alive));
        }
        Statement::Drop(dropped) => place(dropped, alive),
    }
}

fn operand(operand: &Operand, alive: &mut [bool]) {
    if let Operand::Place(used, _) = operand {
        place(used, alive);
    }
}

fn place(place: &Place, alive: &mut [bool]) {
    let mut mark = |local: Local| {
        if let Some(alive) = alive.get_mut(local.index()) {
            *alive = true;
        }
    };
    mark(place.local);
    for step in &place.steps {
        if let Step::Element(Some(index)) = step {
            mark(*index);
        }
    }
}
