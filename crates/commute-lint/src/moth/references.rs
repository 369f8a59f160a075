//! What locals stand for, and which locals they point to.
//!
//! A reference to a global variable stands for it; one to a local points to it,
//! so that a value that is put into a local collection stays to be followed.
//!
//! Known gap: a local that another function writes through a parameter.

use super::closures::body;
use super::variables::Variables;
use crate::ir::{
    Callee, Effect, FunctionId, Local, Operand, Place, Program, Rule, Statement, Step, TypeKind,
};

/// Where references go.
#[derive(Clone, Copy)]
struct Flow {
    to: u32,
    /// Whether a function that is not known passes them on.
    called: bool,
}

fn is_unknown(statement: &Statement) -> bool {
    match statement {
        Statement::Call {
            callee: Callee::Library { effect, .. },
            ..
        } => *effect == Effect::Unknown,
        Statement::Call { .. } | Statement::Assign { .. } | Statement::Drop(_) => false,
    }
}

impl Variables {
    /// Finds what locals stand for.
    pub(super) fn references(&mut self, program: &Program) {
        let mut flows: Vec<Vec<Flow>> = vec![Vec::new(); self.stands_for.len()];
        let mut waiting = Vec::new();
        for (index, function) in program.functions.iter().enumerate() {
            let id = FunctionId(index as u32);
            let statements = function.blocks.iter().flat_map(|block| &block.statements);
            for (statement, _) in statements {
                for (from, to, value) in passes(program, id, statement) {
                    let to = self.offsets[to.0.index()] + to.1.index();
                    let flow = Flow {
                        to: to as u32,
                        called: is_unknown(statement),
                    };
                    self.pass(id, from, flow, value, &mut flows, &mut waiting);
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
                        flows[self.offsets[callee.index()]].push(Flow {
                            to: to as u32,
                            called: true,
                        });
                    }
                }
            }
        }
        while let Some(from) = waiting.pop() {
            let found = self.stands_for[from].clone();
            let pointees = self.points_to[from].clone();
            let function = self.function_of(from);
            for flow in std::mem::take(&mut flows[from]) {
                let at = flow.to as usize;
                let mut more = unite(&mut self.stands_for[at], &found);
                if self.function_of(at) == function {
                    // An item points into what is iterated over, and not at
                    // the iterator.
                    let id = FunctionId(function as u32);
                    let holds = |local: &Local| holds_references(program, id, *local);
                    let passed = pointees.iter().filter(|p| !flow.called || !holds(p));
                    let passed: Vec<Local> = passed.copied().collect();
                    more |= unite(&mut self.points_to[at], &passed);
                }
                if more {
                    waiting.push(at);
                }
                flows[from].push(flow);
            }
        }
        self.stands_for
            .iter_mut()
            .for_each(|known| known.sort_unstable());
    }

    /// The function that has a local.
    fn function_of(&self, local: usize) -> usize {
        self.offsets.partition_point(|offset| *offset <= local) - 1
    }

    fn pass(
        &mut self,
        function: FunctionId,
        from: &Operand,
        flow: Flow,
        value: bool,
        flows: &mut [Vec<Flow>],
        waiting: &mut Vec<usize>,
    ) {
        let to = flow.to as usize;
        let direct = match from {
            Operand::Constant(_) => None,
            Operand::Static(name) => self.of_static(name),
            Operand::Place(place, _) => {
                let field = self.field(place);
                // What a pointer to a value shows is the value, unless it is a
                // reference that a closure captured.
                let shown = value && place.steps.last() == Some(&Step::Deref);
                if field.is_none() && !shown {
                    let from = self.offsets[function.index()] + place.local.index();
                    if !value && !place.steps.contains(&Step::Deref) {
                        unite(&mut self.points_to[to], &[place.local]);
                        waiting.push(to);
                    }
                    flows[from].push(flow);
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
                    Effect::Same | Effect::Poll(_) | Effect::Acquire(_) => 1,
                    Effect::Operation(operation) if operation.lends => 1,
                    Effect::Wrap | Effect::Wait => arguments.len(),
                    Effect::Unknown if holds_references(program, function, to.1) => arguments.len(),
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

/// Whether something was not there yet.
fn unite<T: Copy + Ord>(known: &mut Vec<T>, found: &[T]) -> bool {
    let before = known.len();
    known.extend(found);
    known.sort_unstable();
    known.dedup();
    known.len() > before
}

/// Whether a local's type says that references are in it: an iterator of Rust
/// points into what it was made of.
pub(crate) fn holds_references(program: &Program, function: FunctionId, local: Local) -> bool {
    let ty = program.function(function).locals[local.index()].ty;
    let name = program.types.get(ty.index()).map_or("", |ty| &ty.name);
    name.contains(['&', '\''])
}

/// Whether what a local stands for may be changed by whoever gets the local.
/// `&mut Iter<'_, T>` changes the iterator and not what it points into.
pub(crate) fn changes(program: &Program, function: FunctionId, local: Local) -> bool {
    let ty = program.function(function).locals[local.index()].ty;
    let Some(ty) = program.types.get(ty.index()) else {
        return false;
    };
    let inside = ty.name.strip_prefix("&mut ").unwrap_or(&ty.name);
    match inside.contains(['&', '\'']) {
        true => inside.contains("mut ") || inside.contains("Mut<") || inside.contains("Guard<"),
        false => ty.kind == TypeKind::Mutable,
    }
}
