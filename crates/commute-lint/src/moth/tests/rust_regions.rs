//! Regions that are parts of functions: guards, as they come from Rust.

use crate::ir::{
    Block, BlockId, Callee, Effect, Field, FieldId, Function, FunctionId, Local, Mode, Operand,
    Operation, Place, Process, Program, Rule, Site, Statement, Step, Terminator, Type, TypeId,
    TypeKind, Variable,
};
use crate::{Algorithm, Options, lint};

const SCALAR: u32 = 0;
const SHARED: u32 = 1;
const GUARD: u32 = 2;
const POINTER: u32 = 3;

fn local(index: u32) -> Place {
    Place::local(Local(index))
}

fn value(index: u32) -> Operand {
    Operand::Place(local(index), false)
}

fn pointee(index: u32) -> Place {
    Place {
        local: Local(index),
        steps: vec![Step::Deref],
    }
}

/// `(*_1).field`
fn field(field: u32) -> Place {
    Place {
        local: Local(1),
        steps: vec![Step::Deref, Step::Field(FieldId(field))],
    }
}

fn assign(to: Place, rule: Rule, from: Vec<Operand>) -> Statement {
    Statement::Assign {
        to,
        rule,
        from,
        fields: Vec::new(),
    }
}

fn library(to: u32, effect: Effect, arguments: Vec<Operand>) -> Statement {
    Statement::Call {
        to: local(to),
        callee: Callee::Library {
            name: "library".to_owned(),
            effect,
        },
        arguments,
    }
}

/// `guard = (*_1).field.lock().unwrap(); pointer = &mut *guard`
fn lock(mutex: u32, [reference, result, guard, pointer]: [u32; 4]) -> Vec<Statement> {
    let from = Operand::Place(field(mutex), false);
    vec![
        assign(local(reference), Rule::Borrow, vec![from]),
        library(
            result,
            Effect::Acquire(Mode::Exclusive),
            vec![value(reference)],
        ),
        library(guard, Effect::Same, vec![value(result)]),
        library(pointer, Effect::Same, vec![value(guard)]),
    ]
}

fn function(name: &str, kinds: &[u32], parameters: u32, blocks: Vec<Block>) -> Function {
    let variable = |kind: &u32| Variable {
        name: None,
        ty: TypeId(*kind),
    };
    Function {
        name: name.to_owned(),
        site: Site::UNKNOWN,
        parameters,
        locals: kinds.iter().map(variable).collect(),
        blocks,
        atomic: false,
        public: true,
    }
}

fn block(statements: Vec<Statement>, terminator: Terminator) -> Block {
    Block {
        statements: statements.into_iter().map(|s| (s, Site::UNKNOWN)).collect(),
        terminator,
        site: Site::UNKNOWN,
    }
}

/// All functions are public: processes.
fn program(functions: Vec<Function>) -> Program {
    let kinds = [
        TypeKind::Scalar,
        TypeKind::Shared,
        TypeKind::Other,
        TypeKind::Mutable,
    ];
    let processes = functions
        .iter()
        .enumerate()
        .map(|(index, function)| Process {
            name: function.name.clone(),
            function: FunctionId(index as u32),
            several: true,
        });
    Program {
        processes: processes.collect(),
        functions,
        fields: ["n", "other"]
            .map(|name| Field {
                class: "Shared".to_owned(),
                name: name.to_owned(),
            })
            .to_vec(),
        types: kinds
            .map(|kind| Type {
                name: format!("{kind:?}"),
                kind,
            })
            .to_vec(),
        files: vec!["lib.rs".to_owned()],
        guarded: true,
        ..Program::default()
    }
}

fn summary(program: &Program, atomics: bool) -> Vec<String> {
    let options = Options {
        algorithm: Algorithm::MothExtended,
        atomics,
        ..Options::default()
    };
    let outcome = lint(program, &options);
    let lines = outcome.violations.iter().map(|violation| {
        let (first, second) = &violation.regions;
        format!(
            "{:?} {} {first} {second}",
            violation.kind, violation.variable
        )
    });
    lines.collect()
}

const INC: [u32; 11] = [
    SCALAR, SHARED, SHARED, GUARD, GUARD, POINTER, SCALAR, SHARED, GUARD, GUARD, POINTER,
];

/// `let v = *n.lock(); (drop?) *n.lock() = v + 1;`
fn increment(split: bool) -> Vec<Statement> {
    let mut statements = lock(0, [2, 3, 4, 5]);
    statements.push(assign(
        local(6),
        Rule::Copy,
        vec![Operand::Place(pointee(5), false)],
    ));
    if split {
        statements.push(Statement::Drop(local(4)));
        statements.extend(lock(0, [7, 8, 9, 10]));
    }
    statements.push(assign(local(6), Rule::Compute, vec![value(6)]));
    let pointer = if split { 10 } else { 5 };
    statements.push(assign(pointee(pointer), Rule::Copy, vec![value(6)]));
    statements.push(Statement::Drop(local(if split { 9 } else { 4 })));
    statements
}

#[test]
fn a_value_leaves_one_guard_and_comes_back_under_another() {
    let of = |split| {
        let body = block(increment(split), Terminator::Return);
        program(vec![function("inc", &INC, 1, vec![body])])
    };
    assert_eq!(
        summary(&of(true), true),
        ["StaleValue Shared.n inc#1 inc#2"]
    );
    assert_eq!(summary(&of(false), true), [""; 0]);
}

#[test]
fn what_a_region_reads_anew_is_not_stale() {
    // `*n.lock() = 1; drop; let v = *n.lock(); *n.lock() = v` in one region each.
    let mut statements = lock(0, [2, 3, 4, 5]);
    let one = Operand::Constant("1".to_owned());
    statements.push(assign(pointee(5), Rule::Copy, vec![one]));
    statements.push(Statement::Drop(local(4)));
    statements.extend(lock(0, [7, 8, 9, 10]));
    statements.push(assign(
        local(6),
        Rule::Copy,
        vec![Operand::Place(pointee(10), false)],
    ));
    statements.push(assign(pointee(10), Rule::Copy, vec![value(6)]));
    statements.push(Statement::Drop(local(9)));
    let body = block(statements, Terminator::Return);
    assert_eq!(
        summary(&program(vec![function("f", &INC, 1, vec![body])]), true),
        [""; 0]
    );
}

#[test]
fn a_guard_that_is_returned_begins_a_region_of_the_caller() {
    let mut lend = lock(0, [2, 3, 4, 5]);
    lend.push(assign(
        local(0),
        Rule::Copy,
        vec![Operand::Place(local(4), true)],
    ));
    let lend = function(
        "lend",
        &[GUARD, SHARED, SHARED, GUARD, GUARD, POINTER],
        1,
        vec![block(lend, Terminator::Return)],
    );
    let guard = |to| Statement::Call {
        to: local(to),
        callee: Callee::Functions(vec![FunctionId(0)]),
        arguments: vec![value(1)],
    };
    let body = vec![
        guard(2),
        library(3, Effect::Same, vec![value(2)]),
        assign(
            local(4),
            Rule::Copy,
            vec![Operand::Place(pointee(3), false)],
        ),
        Statement::Drop(local(2)),
        guard(5),
        library(6, Effect::Same, vec![value(5)]),
        assign(pointee(6), Rule::Copy, vec![value(4)]),
        library(7, Effect::Release, vec![value(5)]),
    ];
    let kinds = [
        SCALAR, SHARED, GUARD, POINTER, SCALAR, GUARD, POINTER, SCALAR,
    ];
    let user = function("user", &kinds, 1, vec![block(body, Terminator::Return)]);
    assert_eq!(
        summary(&program(vec![lend, user]), true),
        ["StaleValue Shared.n user#1 user#2"]
    );
}

fn atomic(method: &'static str, reads: bool, writes: bool) -> Effect {
    Effect::Operation(Operation {
        spec: None,
        method,
        reads,
        writes,
        atomic: true,
        key: None,
        checks: false,
        lends: false,
    })
}

#[test]
fn load_and_store_of_an_atomic_are_two_regions() {
    let from = Operand::Place(field(0), false);
    let body = vec![
        assign(local(2), Rule::Borrow, vec![from]),
        library(3, atomic("load", true, false), vec![value(2)]),
        assign(local(3), Rule::Compute, vec![value(3)]),
        library(4, atomic("store", false, true), vec![value(2), value(3)]),
    ];
    let kinds = [SCALAR, SHARED, SHARED, SCALAR, SCALAR];
    let program = program(vec![function(
        "f",
        &kinds,
        1,
        vec![block(body, Terminator::Return)],
    )]);
    assert_eq!(summary(&program, true), ["StaleValue Shared.n f#1 f#2"]);
    assert_eq!(summary(&program, false), [""; 0]);
    // The published algorithms know atomic methods only.
    for algorithm in [Algorithm::Moth, Algorithm::Artho] {
        assert_eq!(lint(&program, &Options::of(algorithm)).regions, 0);
    }
}

/// Reads `n` under a lock, branches on it, and writes `other` under another
/// lock after the branch; what the branch's other target is is the question.
fn check_then_write(other: Vec<Block>) -> Vec<String> {
    let mut first = lock(0, [2, 3, 4, 5]);
    first.push(assign(
        local(6),
        Rule::Copy,
        vec![Operand::Place(pointee(5), false)],
    ));
    first.push(Statement::Drop(local(4)));
    let branch = Terminator::Branch {
        on: value(6),
        targets: vec![BlockId(1), BlockId(2)],
    };
    let mut second = lock(0, [7, 8, 9, 10]);
    second.push(assign(
        pointee(10),
        Rule::Copy,
        vec![Operand::Constant("1".to_owned())],
    ));
    second.push(Statement::Drop(local(9)));
    let mut blocks = vec![block(first, branch), block(second, Terminator::Return)];
    blocks.extend(other);
    summary(&program(vec![function("f", &INC, 1, blocks)]), true)
}

#[test]
fn a_panic_decides_nothing() {
    let stop = block(Vec::new(), Terminator::Stop);
    assert_eq!(check_then_write(vec![stop]), [""; 0]);
    let join = block(Vec::new(), Terminator::Goto(BlockId(1)));
    assert_eq!(check_then_write(vec![join]), [""; 0]);
    let leave = block(Vec::new(), Terminator::Return);
    assert_eq!(
        check_then_write(vec![leave]),
        ["StaleCheck Shared.n f#1 f#2"]
    );
}

#[test]
fn a_loop_without_an_end_has_control_dependencies() {
    let again = block(Vec::new(), Terminator::Goto(BlockId(0)));
    // Block 1 goes round, too, and nothing ever returns.
    let mut first = lock(0, [2, 3, 4, 5]);
    first.push(assign(
        local(6),
        Rule::Copy,
        vec![Operand::Place(pointee(5), false)],
    ));
    first.push(Statement::Drop(local(4)));
    let branch = Terminator::Branch {
        on: value(6),
        targets: vec![BlockId(1), BlockId(2)],
    };
    let mut second = lock(0, [7, 8, 9, 10]);
    second.push(assign(
        pointee(10),
        Rule::Copy,
        vec![Operand::Constant("1".to_owned())],
    ));
    second.push(Statement::Drop(local(9)));
    let blocks = vec![
        block(first, branch),
        block(second, Terminator::Goto(BlockId(0))),
        again,
    ];
    let program = program(vec![function("f", &INC, 1, blocks)]);
    assert_eq!(summary(&program, true), ["StaleCheck Shared.n f#1 f#2"]);
}

/// `fn helper(&self) { other += 1 }`, a region of its own, and
/// `fn outer(&self) { let guard = n.lock(); helper(); drop(guard); helper() }`.
fn nested() -> Program {
    let mut statements = lock(1, [2, 3, 4, 5]);
    let old = Operand::Place(pointee(5), false);
    statements.push(assign(local(6), Rule::Copy, vec![old]));
    statements.push(assign(pointee(5), Rule::Copy, vec![value(6)]));
    statements.push(Statement::Drop(local(4)));
    let helper = function(
        "helper",
        &INC,
        1,
        vec![block(statements, Terminator::Return)],
    );
    let call = || Statement::Call {
        to: local(6),
        callee: Callee::Functions(vec![FunctionId(0)]),
        arguments: vec![value(1)],
    };
    let mut statements = lock(0, [2, 3, 4, 5]);
    statements.push(call());
    statements.push(Statement::Drop(local(4)));
    statements.push(call());
    let outer = block(statements, Terminator::Return);
    program(vec![helper, function("outer", &INC, 1, vec![outer])])
}

/// The outermost region counts: `helper` has a region where it is called outside of
/// regions, and belongs to `outer` where it is called inside.
#[test]
fn a_function_that_takes_a_lock_is_called_under_another_lock() {
    for algorithm in Algorithm::ALL.into_iter().skip(1) {
        let outcome = lint(&nested(), &Options::of(algorithm));
        assert_eq!(outcome.regions, 2, "{algorithm:?}: {outcome:?}");
        assert_eq!(outcome.violations.len(), 0, "{algorithm:?}: {outcome:?}");
    }
}
