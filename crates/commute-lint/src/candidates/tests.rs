//! What is a candidate, on small programs.

use super::*;
use crate::ir::{
    Block, BlockId, Callee, Effect, Field, FieldId, FileId, Mode, Operand, Operation, Place, Rule,
    Statement, Step as Hop, Terminator, Type, TypeId, Variable,
};

const MAP: FieldId = FieldId(0);

fn operation(atomic: bool) -> Effect {
    Effect::Operation(Operation {
        spec: Some("map"),
        method: "insert",
        reads: true,
        writes: true,
        atomic,
        key: Some(1),
        checks: false,
        lends: false,
    })
}

/// A call of a library with a local.
fn call(to: u32, name: &str, effect: Effect, with: u32) -> Statement {
    Statement::Call {
        to: Place::local(Local(to)),
        callee: Callee::Library {
            name: name.to_owned(),
            effect,
        },
        arguments: vec![Operand::Place(Place::local(Local(with)), false)],
    }
}

/// `to = &(*self).map`
fn borrow(to: u32) -> Statement {
    let place = Place {
        local: Local(1),
        steps: vec![Hop::Deref, Hop::Field(MAP)],
    };
    Statement::Assign {
        to: Place::local(Local(to)),
        rule: Rule::Borrow,
        from: vec![Operand::Place(place, false)],
        fields: Vec::new(),
    }
}

fn insert(from: u32) -> Statement {
    call(9, "DashMap::insert", operation(true), from)
}

/// Takes a lock, changes what is in it.
fn locked(from: u32) -> [Statement; 3] {
    [
        borrow(from),
        call(
            from + 1,
            "Mutex::lock",
            Effect::Acquire(Mode::Exclusive),
            from,
        ),
        call(9, "HashMap::insert", operation(false), from + 1),
    ]
}

/// A function of `&self` with these blocks.
fn function(name: &str, ty: u32, blocks: Vec<(Vec<Statement>, Terminator)>) -> Function {
    let site = |line| Site {
        file: FileId(0),
        line,
        column: 1,
    };
    let mut line = 0;
    let blocks = blocks.into_iter().map(|(statements, terminator)| Block {
        statements: { statements.into_iter() }
            .map(|statement| {
                line += 1;
                (statement, site(line))
            })
            .collect(),
        terminator,
        site: site(0),
    });
    let local = |at: u32| Variable {
        name: (at == 1).then(|| "self".to_owned()),
        ty: TypeId(if at == 1 { ty } else { 2 }),
    };
    Function {
        name: name.to_owned(),
        site: site(0),
        parameters: 1,
        blocks: blocks.collect(),
        locals: (0..10).map(local).collect(),
        atomic: false,
        public: true,
    }
}

/// The candidates of a program: `method object: operations`.
fn check(functions: Vec<Function>, expected: &[&str]) -> Vec<Candidate> {
    let ty = |name: &str, kind| Type {
        name: name.to_owned(),
        kind,
    };
    let program = Program {
        functions,
        fields: vec![Field {
            class: "Cache".to_owned(),
            name: "map".to_owned(),
        }],
        types: vec![
            ty("&Cache", TypeKind::Shared),
            ty("&mut Cache", TypeKind::Mutable),
            ty("u8", TypeKind::Scalar),
        ],
        files: vec!["src/lib.rs".to_owned()],
        guarded: true,
        ..Program::default()
    };
    let found = candidates(&program);
    let texts: Vec<String> = { found.iter() }
        .map(|candidate| {
            let method = &program.function(candidate.method).name;
            let object = candidate.object.text(&program, candidate.method);
            let operations = candidate.operations.iter().map(|step| {
                let repeats = if step.repeats { "…" } else { "" };
                format!(" {}{repeats}", step.site.line)
            });
            format!("{method} {object}:{}", operations.collect::<String>())
        })
        .collect();
    assert_eq!(texts, expected);
    found
}

fn to(block: u32) -> Terminator {
    Terminator::Goto(BlockId(block))
}

fn either(one: u32, other: u32) -> Terminator {
    Terminator::Branch {
        on: Operand::Constant(String::new()),
        targets: vec![BlockId(one), BlockId(other)],
    }
}

#[test]
fn several_operations_on_one_object_are_a_candidate() {
    let twice = || vec![borrow(2), insert(2), borrow(3), insert(3)];
    let blocks = |statements| vec![(statements, Terminator::Return)];
    let once = function("once", 0, blocks(vec![borrow(2), insert(2)]));
    let found = check(
        vec![function("twice", 0, blocks(twice())), once],
        &["twice self.map: 2 4"],
    );
    assert_eq!((&*found[0].collection, found[0].locked), ("DashMap", false));
    assert_eq!(found[0].peers.len(), 1);
    assert!(found[0].peers[0].writes);
    // Nobody else has it.
    check(vec![function("alone", 1, blocks(twice()))], &[]);
}

#[test]
fn operations_that_exclude_each_other_are_one() {
    let blocks = |then: Terminator| {
        vec![
            (vec![], either(1, 2)),
            (vec![borrow(2), insert(2)], then),
            (vec![borrow(3), insert(3)], Terminator::Return),
        ]
    };
    check(vec![function("one", 0, blocks(Terminator::Return))], &[]);
    let both = function("both", 0, blocks(to(2)));
    check(vec![both], &["both self.map: 2 4"]);
    let again = function("again", 0, blocks(to(0)));
    check(vec![again], &["again self.map: 2… 4"]);
}

#[test]
fn what_one_lock_guards_is_one_operation() {
    let [borrow, lock, change] = locked(2);
    let mut one = vec![borrow, lock, change.clone(), change];
    let blocks = |statements| vec![(statements, Terminator::Return)];
    check(vec![function("one", 0, blocks(one.clone()))], &[]);
    one.extend(locked(4));
    let two = function("two", 0, blocks(one));
    let found = check(vec![two], &["two self.map: 3 4 7"]);
    assert!(found[0].locked);
}

#[test]
fn a_function_that_is_called_counts() {
    let helper = function("helper", 0, vec![(locked(2).to_vec(), Terminator::Return)]);
    let call = |id| Statement::Call {
        to: Place::local(Local(9)),
        callee: Callee::Functions(vec![FunctionId(id)]),
        arguments: vec![Operand::Place(Place::local(Local(1)), false)],
    };
    let caller = function(
        "caller",
        0,
        vec![(vec![call(0), call(0)], Terminator::Return)],
    );
    let found = check(vec![helper, caller], &["caller self.map: 1 2"]);
    assert_eq!(found[0].operations[0].through, Some(FunctionId(0)));
}

/// Everything is on one line, and columns are not known, as in Java.
fn on_one_line(mut function: Function) -> Function {
    let blocks = function.blocks.iter_mut();
    for (_, site) in blocks.flat_map(|block| &mut block.statements) {
        (site.line, site.column) = (1, 0);
    }
    function
}

#[test]
fn two_operations_on_one_line_are_two() {
    let twice = vec![borrow(2), insert(2), borrow(3), insert(3)];
    let twice = function("twice", 0, vec![(twice, Terminator::Return)]);
    check(vec![on_one_line(twice)], &["twice self.map: 1 1"]);
    // One operation of the source, for each of two ways.
    let copies = vec![
        (vec![], either(1, 2)),
        (vec![borrow(2), insert(2)], to(3)),
        (vec![borrow(3), insert(3)], to(3)),
        (vec![borrow(4), insert(4)], Terminator::Return),
    ];
    let copies = on_one_line(function("copies", 0, copies));
    check(vec![copies], &["copies self.map: 1 1"]);
    let either_way = vec![
        (vec![], either(1, 2)),
        (vec![borrow(2), insert(2)], to(3)),
        (vec![borrow(3), insert(3)], to(3)),
        (vec![], Terminator::Return),
    ];
    check(vec![on_one_line(function("one", 0, either_way))], &[]);
}

#[test]
fn two_operations_of_a_function_that_is_called_are_two() {
    let twice = vec![borrow(2), insert(2), borrow(3), insert(3)];
    let helper = function("helper", 0, vec![(twice, Terminator::Return)]);
    let call = Statement::Call {
        to: Place::local(Local(9)),
        callee: Callee::Functions(vec![FunctionId(0)]),
        arguments: vec![Operand::Place(Place::local(Local(1)), false)],
    };
    let caller = function("caller", 0, vec![(vec![call.clone()], Terminator::Return)]);
    let both = &["caller self.map: 1 1", "helper self.map: 2 4"];
    check(vec![helper.clone(), caller], both);
    let either_way = vec![
        (vec![], either(1, 2)),
        (vec![borrow(2), insert(2)], Terminator::Return),
        (vec![borrow(3), insert(3)], Terminator::Return),
    ];
    let helper = function("helper", 0, either_way);
    let caller = function("caller", 0, vec![(vec![call], Terminator::Return)]);
    check(vec![helper, caller], &[]);
}
