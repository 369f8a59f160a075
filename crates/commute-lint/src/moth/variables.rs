//! Variables (MoTH, §3): local ones, and global ones, which are fields.
//!
//! A global variable is (class, field); two objects of a class are not told
//! apart. Of a place it is the last field that is reached through a pointer;
//! elements count as their array's field. A static is a global variable with a
//! name of its own.
//!
//! Deviation: the paper's locals hold objects; Rust's also hold references
//! into them, and guards. A local that borrows a global variable *stands for*
//! it, also where it was passed to another function or returned from one. This
//! is found without regard to the order of statements and to calling contexts.
//!
//! Cost: linear in the program, times the variables a reference may stand for.
//! Known gap: a reference that is stored in a structure and taken out again
//! stands for the field it was stored in.

use std::collections::BTreeMap;

use super::closures::body;
use crate::ir::{
    Callee, Effect, FunctionId, Local, Operand, Place, Program, Rule, Statement, Step, TypeKind,
};

/// A global variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Global(pub(crate) u32);

/// A variable as one function sees it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Variable {
    /// A local of the function.
    Local(Local),
    /// A global variable.
    Global(Global),
}

/// All global variables, and which locals stand for them.
pub(crate) struct Variables {
    names: Vec<String>,
    of_field: Vec<Global>,
    of_static: BTreeMap<String, Global>,
    /// Of each function, where its locals begin in `stands_for`.
    offsets: Vec<usize>,
    stands_for: Vec<Vec<Global>>,
}

impl Variables {
    pub(crate) fn of(program: &Program) -> Variables {
        let mut names: Vec<String> = program.fields.iter().map(|f| f.to_string()).collect();
        names.sort_unstable();
        names.dedup();
        let global = |name: &String| {
            let index = names.binary_search(name).unwrap_or_default();
            Global(index as u32)
        };
        let fields = program
            .fields
            .iter()
            .map(|field| global(&field.to_string()));
        let of_field = fields.collect();
        let mut of_static = BTreeMap::new();
        for name in statics(program) {
            if !of_static.contains_key(name) {
                of_static.insert(name.to_owned(), Global(names.len() as u32));
                names.push(name.to_owned());
            }
        }
        let mut offsets = vec![0];
        for function in &program.functions {
            offsets.push(offsets[offsets.len() - 1] + function.locals.len());
        }
        let mut variables = Variables {
            names,
            of_field,
            of_static,
            stands_for: vec![Vec::new(); offsets[offsets.len() - 1]],
            offsets,
        };
        variables.references(program);
        variables
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    pub(crate) fn name(&self, global: Global) -> &str {
        &self.names[global.0 as usize]
    }

    /// What a local stands for.
    pub(crate) fn behind(&self, function: FunctionId, local: Local) -> &[Global] {
        &self.stands_for[self.offsets[function.index()] + local.index()]
    }

    /// The global variables that a place may be; none if it is in a local.
    pub(crate) fn globals(&self, function: FunctionId, place: &Place) -> Vec<Global> {
        match self.field(place) {
            Some(global) => vec![global],
            None if place.steps.contains(&Step::Deref) => {
                self.behind(function, place.local).to_vec()
            }
            None => Vec::new(),
        }
    }

    /// The last field that is reached through a pointer.
    fn field(&self, place: &Place) -> Option<Global> {
        let pointer = place.steps.iter().position(|step| *step == Step::Deref)?;
        let behind = place.steps[pointer..].iter().rev();
        behind
            .filter_map(|step| match step {
                Step::Field(field) => Some(self.of_field[field.index()]),
                Step::Deref | Step::Element(_) => None,
            })
            .next()
    }

    /// The variable behind the address of a static.
    pub(crate) fn of_static(&self, name: &str) -> Option<Global> {
        self.of_static.get(name).copied()
    }

    /// Finds what locals stand for.
    fn references(&mut self, program: &Program) {
        let mut flows: Vec<Vec<u32>> = vec![Vec::new(); self.stands_for.len()];
        let mut waiting = Vec::new();
        for (index, function) in program.functions.iter().enumerate() {
            let id = FunctionId(index as u32);
            let statements = function.blocks.iter().flat_map(|block| &block.statements);
            for (statement, _) in statements {
                for (from, to, value) in passes(program, id, statement) {
                    let to = self.offsets[to.0.index()] + to.1.index();
                    self.pass(id, from, to, value, &mut flows, &mut waiting);
                }
                if let Statement::Call {
                    to,
                    callee: Callee::Functions(callees),
                    ..
                } = statement
                {
                    // What a function returns stands for what it returned.
                    let to = self.offsets[index] + to.local.index();
                    for callee in callees {
                        flows[self.offsets[callee.index()]].push(to as u32);
                    }
                }
            }
        }
        while let Some(from) = waiting.pop() {
            let found = self.stands_for[from].clone();
            for to in std::mem::take(&mut flows[from]) {
                let known = &mut self.stands_for[to as usize];
                let before = known.len();
                known.extend(&found);
                known.sort_unstable();
                known.dedup();
                if known.len() > before {
                    waiting.push(to as usize);
                }
                flows[from].push(to);
            }
        }
        self.stands_for
            .iter_mut()
            .for_each(|known| known.sort_unstable());
    }

    fn pass(
        &mut self,
        function: FunctionId,
        from: &Operand,
        to: usize,
        value: bool,
        flows: &mut [Vec<u32>],
        waiting: &mut Vec<usize>,
    ) {
        let direct = match from {
            Operand::Constant(_) => None,
            Operand::Static(name) => self.of_static(name),
            Operand::Place(place, _) => {
                let field = self.field(place);
                if field.is_none() && !(value && place.steps.contains(&Step::Deref)) {
                    let from = self.offsets[function.index()] + place.local.index();
                    flows[from].push(to as u32);
                    waiting.push(from);
                }
                field
            }
        };
        if let Some(global) = direct {
            if !self.stands_for[to].contains(&global) {
                self.stands_for[to].push(global);
            }
            waiting.push(to);
        }
    }
}

fn statics(program: &Program) -> impl Iterator<Item = &str> {
    let blocks = program.functions.iter().flat_map(|f| &f.blocks);
    let statements = blocks.flat_map(|block| &block.statements);
    let operands = statements.flat_map(|(statement, _)| match statement {
        Statement::Assign { from, .. } => from.as_slice(),
        Statement::Call { arguments, .. } => arguments,
        Statement::Drop(_) => &[],
    });
    operands.filter_map(|operand| match operand {
        Operand::Static(name) => Some(name.as_str()),
        Operand::Place(..) | Operand::Constant(_) => None,
    })
}

/// Where a statement passes references on: the operand, the local that gets
/// it, and whether it is the value of the operand (and not its address).
fn passes<'a>(
    program: &'a Program,
    function: FunctionId,
    statement: &'a Statement,
) -> Vec<(&'a Operand, (FunctionId, Local), bool)> {
    let kind = |(function, local): (FunctionId, Local)| {
        let variable = &program.function(function).locals[local.index()];
        let ty = program.types.get(variable.ty.index());
        ty.map_or(TypeKind::Other, |ty| ty.kind)
    };
    let pointer = |to| matches!(kind(to), TypeKind::Shared | TypeKind::Mutable);
    let whole = |place: &Place| (place.steps.is_empty()).then_some((function, place.local));
    match statement {
        Statement::Assign { to, rule, from, .. } => {
            let Some(to) = whole(to) else {
                return Vec::new();
            };
            let passes = match rule {
                Rule::Borrow => true,
                Rule::Copy => kind(to) != TypeKind::Scalar,
                Rule::Aggregate => true,
                Rule::Compute | Rule::Discriminant | Rule::New => false,
            };
            let value = *rule != Rule::Borrow;
            let operands = from.iter().filter(|_| passes);
            // A structure that is moved out of a field is not the field.
            let operands = operands.filter(|operand| match operand {
                Operand::Place(place, _) if value && !place.steps.is_empty() => pointer(to),
                _ => true,
            });
            operands.map(|operand| (operand, to, value)).collect()
        }
        Statement::Call {
            to,
            callee,
            arguments,
        } => match callee {
            Callee::Functions(functions) => {
                let mut found = Vec::new();
                for callee in functions {
                    let parameters = program.function(*callee).parameters as usize;
                    for (index, operand) in arguments.iter().enumerate().take(parameters) {
                        let parameter = (*callee, Local(index as u32 + 1));
                        if kind(parameter) != TypeKind::Scalar {
                            found.push((operand, parameter, true));
                        }
                    }
                }
                found
            }
            Callee::Library {
                effect: Effect::Spawn(number),
                ..
            } => {
                let argument = arguments.get(*number);
                let started = argument.and_then(|a| body(program, program.function(function), a));
                let passed = argument.zip(started);
                let passed = passed.map(|(argument, body)| (argument, (body, Local(1)), true));
                passed
                    .filter(|(_, (body, _), _)| program.function(*body).parameters > 0)
                    .into_iter()
                    .collect()
            }
            Callee::Library { effect, .. } => {
                let Some(to) = whole(to) else {
                    return Vec::new();
                };
                let taken = match effect {
                    Effect::Same | Effect::Acquire(_) => 1,
                    Effect::Operation(operation) if operation.lends => 1,
                    Effect::Wrap | Effect::Wait => arguments.len(),
                    _ => 0,
                };
                let taken = if kind(to) == TypeKind::Scalar {
                    0
                } else {
                    taken
                };
                let operands = arguments.iter().take(taken);
                operands.map(|operand| (operand, to, true)).collect()
            }
        },
        Statement::Drop(_) => Vec::new(),
    }
}
