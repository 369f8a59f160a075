//! What `main` does before it starts a thread: nobody else is there yet.

use std::collections::BTreeSet;

use crate::flow::order::Order;
use crate::flow::world::called;
use crate::ir::{Callee, Effect, FunctionId, Program, Statement};

/// Where a function starts threads, itself or through others.
pub(crate) struct Beginning {
    order: Order,
    starts: Vec<(u32, u32)>,
}

impl Beginning {
    pub(crate) fn of(program: &Program, root: FunctionId) -> Beginning {
        let body = program.function(root);
        let mut starts = Vec::new();
        let mut quiet = BTreeSet::new();
        for (block, number, statement) in statements(program, root) {
            let starting = match statement {
                Statement::Call { callee, .. } => match callee {
                    Callee::Library { effect, .. } => may_start(effect),
                    Callee::Functions(functions) => functions
                        .iter()
                        .any(|function| reaches_start(program, *function, &mut quiet)),
                },
                _ => false,
            };
            if starting {
                starts.push((block, number));
            }
        }
        Beginning {
            order: Order::of(body),
            starts,
        }
    }

    /// Whether no thread can have been started before this place.
    pub(crate) fn covers(&self, spot: (u32, u32)) -> bool {
        let mut starts = self.starts.iter();
        !starts.any(|start| *start == spot || self.order.may_follow(*start, spot))
    }
}

/// Nobody knows what an unknown function starts.
fn may_start(effect: &Effect) -> bool {
    matches!(
        effect,
        Effect::Spawn(_) | Effect::Unknown | Effect::Parallel { .. }
    )
}

fn statements(
    program: &Program,
    function: FunctionId,
) -> impl Iterator<Item = (u32, u32, &Statement)> {
    let blocks = program.function(function).blocks.iter().enumerate();
    blocks.flat_map(|(block, body)| {
        let statements = body.statements.iter().enumerate();
        statements.map(move |(number, (statement, _))| (block as u32, number as u32, statement))
    })
}

/// Whether a function, or one that it calls, may start a thread. Those that do
/// not are noted.
fn reaches_start(
    program: &Program,
    function: FunctionId,
    quiet: &mut BTreeSet<FunctionId>,
) -> bool {
    let mut todo = vec![function];
    let mut seen = BTreeSet::new();
    while let Some(next) = todo.pop() {
        if quiet.contains(&next) || !seen.insert(next) {
            continue;
        }
        let starts = statements(program, next).any(|(_, _, statement)| match statement {
            Statement::Call {
                callee: Callee::Library { effect, .. },
                ..
            } => may_start(effect),
            _ => false,
        });
        if starts {
            return true;
        }
        todo.extend(called(program, next.0).into_iter().map(FunctionId));
    }
    quiet.extend(seen);
    false
}
