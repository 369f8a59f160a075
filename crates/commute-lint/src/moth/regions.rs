//! Atomic regions inside of functions: from where a lock is taken to where its
//! guard is dropped.
//!
//! MoTH has atomic methods only. A function that takes a lock itself has a
//! region per place where it does; with several, `push#1` and `push#2`. Where
//! two locks are held, the region is that of the one taken first in the order
//! of the blocks (MoTH forbids nesting; the outer one decides). A function
//! that returns a guard is, for its callers, a place where a lock is taken.
//! An operation that is atomic by itself (`Operation::atomic`) is a region of
//! its own if no lock is held.
//!
//! Cost: linear in the function, times its regions. Known gap: a guard in a
//! field of a structure is held until the structure is dropped; a wait for a
//! condition does not end a region.

use std::collections::BTreeMap;

use super::bits::Bits;
use crate::ir::{
    Callee, Effect, Function, FunctionId, Local, Operand, Place, Program, Rule, Statement,
};

/// The regions of one function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Regions {
    /// Where each begins: block and statement.
    pub(crate) begins: Vec<(usize, usize)>,
    /// The region of each statement, and of the block's end, by block.
    at: Vec<Vec<Option<u16>>>,
}

impl Regions {
    /// The region of a statement, or of the terminator that comes after all.
    pub(crate) fn at(&self, block: usize, statement: usize) -> Option<u16> {
        let statements = self.at.get(block)?;
        statements.get(statement).copied().flatten()
    }
}

/// Whether each function returns a guard that it took.
pub(crate) fn lenders(program: &Program) -> Bits {
    let mut lenders = Bits::new(program.functions.len());
    let mut callers: Vec<Vec<u32>> = vec![Vec::new(); program.functions.len()];
    let mut waiting = Vec::new();
    for (index, function) in program.functions.iter().enumerate() {
        for callee in callees(function) {
            callers[callee.index()].push(index as u32);
        }
        if !function.atomic && takes_lock(function) {
            waiting.push(index as u32);
        }
    }
    while let Some(index) = waiting.pop() {
        let function = &program.functions[index as usize];
        if lenders.contains(index as usize) || function.atomic {
            continue;
        }
        let begins = begins(function, &lenders, false);
        if holders(function, &begins).contains_key(&Local(0)) {
            lenders.insert(index as usize);
            waiting.extend(&callers[index as usize]);
        }
    }
    lenders
}

/// The functions with bodies that a function calls.
pub(crate) fn callees(function: &Function) -> impl Iterator<Item = FunctionId> + '_ {
    let statements = function.blocks.iter().flat_map(|block| &block.statements);
    let called = statements.map(|(statement, _)| match statement {
        Statement::Call {
            callee: Callee::Functions(functions),
            ..
        } => functions.as_slice(),
        _ => &[],
    });
    called.flatten().copied()
}

fn takes_lock(function: &Function) -> bool {
    let mut statements = function.blocks.iter().flat_map(|block| &block.statements);
    statements.any(|(statement, _)| library(statement).is_some_and(is_acquire))
}

fn is_acquire(effect: &Effect) -> bool {
    matches!(effect, Effect::Acquire(_) | Effect::Enter)
}

fn library(statement: &Statement) -> Option<&Effect> {
    match statement {
        Statement::Call {
            callee: Callee::Library { effect, .. },
            ..
        } => Some(effect),
        _ => None,
    }
}

/// How a region begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Begin {
    /// A lock is taken; the local holds the guard.
    Guard(Local),
    /// One operation is all of it.
    Single,
}

fn begins(function: &Function, lenders: &Bits, atomics: bool) -> BTreeMap<(usize, usize), Begin> {
    let mut found = BTreeMap::new();
    for (block, content) in function.blocks.iter().enumerate() {
        for (index, (statement, _)) in content.statements.iter().enumerate() {
            let Statement::Call {
                to,
                callee,
                arguments,
            } = statement
            else {
                continue;
            };
            let begin = match callee {
                Callee::Functions(functions) => {
                    let lends = functions.iter().any(|f| lenders.contains(f.index()));
                    lends.then_some(Begin::Guard(to.local))
                }
                Callee::Library { effect, .. } => match effect {
                    Effect::Acquire(_) => Some(Begin::Guard(to.local)),
                    Effect::Enter => match arguments.get(1) {
                        Some(Operand::Place(place, _)) => Some(Begin::Guard(place.local)),
                        _ => Some(Begin::Guard(to.local)),
                    },
                    Effect::Operation(operation) if operation.atomic && atomics => {
                        Some(Begin::Single)
                    }
                    _ => None,
                },
            };
            found.extend(begin.map(|begin| ((block, index), begin)));
        }
    }
    found
}

/// Which guards each local may hold, by the region they begin.
fn holders(function: &Function, begins: &BTreeMap<(usize, usize), Begin>) -> BTreeMap<Local, Bits> {
    let mut held: BTreeMap<Local, Bits> = BTreeMap::new();
    for (region, begin) in begins.values().enumerate() {
        if let Begin::Guard(local) = begin {
            let bits = held
                .entry(*local)
                .or_insert_with(|| Bits::new(begins.len()));
            bits.insert(region);
        }
    }
    if held.is_empty() {
        return held;
    }
    loop {
        let mut changed = false;
        let statements = function.blocks.iter().flat_map(|block| &block.statements);
        for (statement, _) in statements {
            let (to, from): (&Place, &[Operand]) = match statement {
                Statement::Assign { to, rule, from, .. } => match rule {
                    Rule::Copy | Rule::Aggregate => (to, from),
                    Rule::Borrow | Rule::Compute | Rule::Discriminant | Rule::New => continue,
                },
                Statement::Call {
                    to,
                    callee: Callee::Library { effect, .. },
                    arguments,
                } => match effect {
                    Effect::Same | Effect::Poll(_) | Effect::Wrap | Effect::Wait => (to, arguments),
                    _ => continue,
                },
                Statement::Call { .. } | Statement::Drop(_) => continue,
            };
            for operand in from {
                let Operand::Place(place, _) = operand else {
                    continue;
                };
                let Some(guards) = held.get(&place.local).cloned() else {
                    continue;
                };
                let bits = held
                    .entry(to.local)
                    .or_insert_with(|| Bits::new(begins.len()));
                changed |= bits.union(&guards);
            }
        }
        if !changed {
            return held;
        }
    }
}

/// The regions of a function that is not atomic as a whole.
pub(crate) fn regions(function: &Function, lenders: &Bits, atomics: bool) -> Regions {
    let begins = begins(function, lenders, atomics);
    if begins.is_empty() {
        return Regions::default();
    }
    let holders = holders(function, &begins);
    let numbers: BTreeMap<(usize, usize), usize> =
        begins.keys().enumerate().map(|(n, at)| (*at, n)).collect();
    let mut entry = vec![Bits::new(begins.len()); function.blocks.len()];
    let mut at: Vec<Vec<Option<u16>>> = vec![Vec::new(); function.blocks.len()];
    let mut waiting = vec![0];
    while let Some(block) = waiting.pop() {
        let mut held = entry[block].clone();
        let first = |held: &Bits| held.iter().next().map(|region| region as u16);
        let mut here = Vec::new();
        for (index, (statement, _)) in function.blocks[block].statements.iter().enumerate() {
            let number = numbers.get(&(block, index)).copied();
            let single = begins.get(&(block, index)) == Some(&Begin::Single);
            let own = number.filter(|_| single).map(|region| region as u16);
            here.push(first(&held).or(own));
            if let Some(number) = number.filter(|_| !single) {
                held.insert(number);
            }
            for region in given_up(statement, &holders) {
                held.remove(region);
            }
        }
        here.push(first(&held));
        at[block] = here;
        for target in function.blocks[block].terminator.targets() {
            let target = target.index();
            if entry[target].union(&held) || (at[target].is_empty() && target != block) {
                waiting.push(target);
            }
        }
    }
    Regions {
        begins: begins.into_keys().collect(),
        at,
    }
}

fn given_up(statement: &Statement, holders: &BTreeMap<Local, Bits>) -> Vec<usize> {
    let local = match statement {
        Statement::Drop(place) => place.local,
        Statement::Call {
            callee:
                Callee::Library {
                    effect: Effect::Release,
                    ..
                },
            arguments,
            ..
        } => match arguments.first() {
            Some(Operand::Place(place, _)) => place.local,
            _ => return Vec::new(),
        },
        _ => return Vec::new(),
    };
    holders
        .get(&local)
        .map(|bits| bits.iter().collect())
        .unwrap_or_default()
}
