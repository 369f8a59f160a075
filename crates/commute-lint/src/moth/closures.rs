//! Closures: where one is passed to a library it is called, where one is passed
//! to a thread it is a process.
//!
//! The paper's core language has neither. A call of a library that calls
//! closures (`Option::map`) becomes a call of each closure, with whatever the
//! library got, and the library's own call, whose result holds theirs; if they
//! run in parallel, each is a process besides. What a thread is started with
//! begins a process, and as a process of the paper it begins with nothing but
//! what is shared: captured values are not followed, captured references are.
//!
//! Cost: linear in the program, which is copied if there are closures.

use std::borrow::Cow;

use crate::ir::{
    Callee, Effect, Function, FunctionId, Local, Operand, Place, Process, Program, Rule, Statement,
    TypeId, Variable,
};

/// The body that runs when this value is called, if it is known.
pub(crate) fn body(
    program: &Program,
    function: &Function,
    operand: &Operand,
) -> Option<FunctionId> {
    match operand {
        Operand::Place(place, _) if place.steps.is_empty() => {
            let ty = function.locals.get(place.local.index())?.ty;
            program.bodies.get(&ty).copied()
        }
        Operand::Place(..) | Operand::Constant(_) | Operand::Static(_) => None,
    }
}

/// The program with calls of closures as calls, and threads as processes.
pub(crate) fn followed(program: &Program) -> Cow<'_, Program> {
    if program.bodies.is_empty() {
        return Cow::Borrowed(program);
    }
    let mut followed = program.clone();
    for (id, function) in program.functions.iter().enumerate() {
        for (index, block) in function.blocks.iter().enumerate() {
            let mut statements = Vec::new();
            for (statement, site) in &block.statements {
                started(program, function, statement, &mut followed.processes);
                let locals = &mut followed.functions[id].locals;
                match applied(program, function, statement, locals) {
                    Some(calls) => statements.extend(calls.into_iter().map(|call| (call, *site))),
                    None => statements.push((statement.clone(), *site)),
                }
            }
            followed.functions[id].blocks[index].statements = statements;
        }
    }
    Cow::Owned(followed)
}

fn started(
    program: &Program,
    function: &Function,
    statement: &Statement,
    processes: &mut Vec<Process>,
) {
    let Statement::Call {
        callee: Callee::Library { effect, .. },
        arguments,
        ..
    } = statement
    else {
        return;
    };
    let started = match effect {
        Effect::Spawn(number) => arguments.get(*number..=*number).unwrap_or_default(),
        Effect::Parallel { .. } => arguments.as_slice(),
        _ => return,
    };
    for argument in started {
        if let Some(started) = body(program, function, argument)
            && processes.iter().all(|known| known.function != started)
        {
            processes.push(Process {
                name: program.function(started).name.clone(),
                function: started,
                several: true,
            });
        }
    }
}

/// A call of a library that calls closures, as the calls it makes.
fn applied(
    program: &Program,
    function: &Function,
    statement: &Statement,
    locals: &mut Vec<Variable>,
) -> Option<Vec<Statement>> {
    let Statement::Call {
        to,
        callee:
            Callee::Library {
                name,
                effect: Effect::Apply | Effect::Scope | Effect::Parallel { .. },
            },
        arguments,
    } = statement
    else {
        return None;
    };
    let mut local = |ty: TypeId| {
        locals.push(Variable { name: None, ty });
        Place::local(Local(locals.len() as u32 - 1))
    };
    let is_closure = |argument: &&Operand| body(program, function, argument).is_some();
    let others: Vec<Operand> = arguments
        .iter()
        .filter(|a| !is_closure(a))
        .cloned()
        .collect();
    let closures: Vec<&Operand> = arguments.iter().filter(is_closure).collect();
    let first = closures.first()?;
    let Operand::Place(closure, _) = first else {
        return None;
    };
    let result = function.locals.get(to.local.index())?.ty;
    let given = local(function.locals.get(closure.local.index())?.ty);
    let mut calls = vec![Statement::Assign {
        to: given.clone(),
        rule: Rule::Aggregate,
        from: others,
        fields: Vec::new(),
    }];
    let own = local(result);
    let mut results = vec![Operand::Place(own.clone(), true)];
    for closure in closures {
        let called = body(program, function, closure)?;
        let parameters = program.function(called).parameters as usize;
        let mut passed = vec![closure.clone()];
        passed.resize(parameters.max(1), Operand::Place(given.clone(), false));
        let returned = local(program.function(called).locals.first()?.ty);
        results.push(Operand::Place(returned.clone(), true));
        calls.push(Statement::Call {
            to: returned,
            callee: Callee::Functions(vec![called]),
            arguments: passed,
        });
    }
    let library = |effect| Callee::Library {
        name: name.clone(),
        effect,
    };
    calls.push(Statement::Call {
        to: own,
        callee: library(Effect::Pure),
        arguments: arguments.clone(),
    });
    calls.push(Statement::Call {
        to: to.clone(),
        callee: library(Effect::Wrap),
        arguments: results,
    });
    Some(calls)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Block, Site, Terminator, Type, TypeKind};

    /// `main` gives a closure to a library.
    fn program(effect: Effect) -> Program {
        let local = |number| Place::local(Local(number));
        let function = |name: &str, statements| Function {
            name: name.to_owned(),
            site: Site::UNKNOWN,
            parameters: 0,
            locals: [0, 1]
                .map(|ty| Variable {
                    name: None,
                    ty: TypeId(ty),
                })
                .to_vec(),
            blocks: vec![Block {
                statements,
                terminator: Terminator::Return,
                site: Site::UNKNOWN,
            }],
            atomic: false,
            public: false,
        };
        let call = Statement::Call {
            to: local(0),
            callee: Callee::Library {
                name: "for_each".to_owned(),
                effect,
            },
            arguments: vec![Operand::Place(local(1), true)],
        };
        let ty = |name: &str| Type {
            name: name.to_owned(),
            kind: TypeKind::Other,
        };
        Program {
            functions: vec![
                function("main", vec![(call, Site::UNKNOWN)]),
                function("closure", Vec::new()),
            ],
            types: vec![ty("()"), ty("{closure}")],
            bodies: [(TypeId(1), FunctionId(1))].into(),
            ..Program::default()
        }
    }

    /// Whether the closure is called, and which processes there are.
    #[track_caller]
    fn check(effect: Effect, called: bool, processes: &[&str]) {
        let program = program(effect);
        let followed = followed(&program);
        let statements = &followed.functions[0].blocks[0].statements;
        let calls = |statement: &Statement| match statement {
            Statement::Call { callee, .. } => *callee == Callee::Functions(vec![FunctionId(1)]),
            _ => false,
        };
        assert_eq!(statements.iter().any(|(s, _)| calls(s)), called);
        let names: Vec<&str> = followed.processes.iter().map(|p| p.name.as_str()).collect();
        assert_eq!(names, processes);
    }

    #[test]
    fn what_runs_in_parallel_is_called_and_a_process() {
        check(Effect::Apply, true, &[]);
        check(Effect::Spawn(0), false, &["closure"]);
        check(Effect::Spawn(7), false, &[]);
        check(Effect::Parallel { often: true }, true, &["closure"]);
    }
}
