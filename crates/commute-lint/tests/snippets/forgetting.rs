//! What is forgotten on the way changes nothing that is said, nor does it matter how many
//! threads judge.

use commute_lint::ir::{
    Block, Callee, Function, FunctionId, Local, Operand, Place, Program, Statement, Terminator,
};
use commute_lint::{Options, Outcome, lint};

/// What is said of a program, which is the same if nothing is forgotten, and if several
/// threads judge. So it is if all that runs by itself is called: of a process everything
/// is kept, of the functions that it calls only what is asked for.
pub(crate) fn outcome(program: &Program, name: &str) -> Outcome {
    let outcome = lint(program, &Options::default());
    let all = Options {
        forget: false,
        ..Options::default()
    };
    assert_eq!(outcome, lint(program, &all), "{name}");
    let by_many = Options {
        judges: Some(3),
        ..Options::default()
    };
    assert_eq!(outcome, lint(program, &by_many), "{name}, by three judges");
    let called = called(program);
    assert_eq!(
        lint(&called, &Options::default()),
        lint(&called, &all),
        "{name}, called by others"
    );
    outcome
}

/// The same program, but processes and what values hold are functions that
/// call those.
fn called(program: &Program) -> Program {
    let mut called = program.clone();
    let mut callers = vec![None; program.functions.len()];
    let mut caller_of = |functions: &mut Vec<Function>, id: FunctionId| {
        *callers[id.index()].get_or_insert_with(|| {
            let caller = caller(&functions[id.index()], id);
            functions[id.index()].public = false;
            functions.push(caller);
            FunctionId(functions.len() as u32 - 1)
        })
    };
    for process in &mut called.processes {
        process.function = caller_of(&mut called.functions, process.function);
    }
    for body in called.bodies.values_mut() {
        *body = caller_of(&mut called.functions, *body);
    }
    let confined = program.confined.iter();
    let confined = confined.filter_map(|id| callers[id.index()]);
    called.confined.extend(confined);
    called
}

/// A function that does nothing but call another.
fn caller(function: &Function, id: FunctionId) -> Function {
    let parameters = 1..=function.parameters;
    let argument = |number| Operand::Place(Place::local(Local(number)), true);
    let call = Statement::Call {
        to: Place::local(Local(0)),
        callee: Callee::Functions(vec![id]),
        arguments: parameters.map(argument).collect(),
    };
    Function {
        name: format!("{} of another", function.name),
        locals: function.locals[..=function.parameters as usize].to_vec(),
        blocks: vec![Block {
            statements: vec![(call, function.site)],
            terminator: Terminator::Return,
            site: function.site,
        }],
        atomic: false,
        ..function.clone()
    }
}
