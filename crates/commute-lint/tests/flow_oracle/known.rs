//! Programs that were found at random, made small by hand.

use commute_lint::ir::{FunctionId, Local, Operand, Place, Program, Rule, Terminator};

use crate::body::{Body, constant, place, through};
use crate::builder::Builder;
use crate::compare::{Miss, Tally};
use crate::schedule::Effort;

const EFFORT: Effort = Effort {
    values: 4,
    all: Some(500),
    chance: false,
};

/// What is missed in a program.
fn missed(program: &Program) -> Vec<(Miss, usize)> {
    let mut tally = Tally::default();
    tally.recall(0, program, EFFORT);
    assert!(
        tally.found + tally.missed.values().sum::<usize>() > 0,
        "something is stale"
    );
    tally.missed.into_iter().collect()
}

/// `Shared { m0: Mutex<Content { f0, f1 }>, n: AtomicI32 }` and `set_0(v)`.
fn shared() -> (Builder, FunctionId) {
    let mut builder = Builder::new(&["Content"], 2);
    let field = builder.shape.locks[0].1[0];
    let mut set = builder.function("set_0", "()", &["&Shared", "i32"]);
    let guard = set.lock(0);
    let content = set.deref(guard, 0);
    set.assign(through(content, field), Rule::Copy, vec![place(Local(2))]);
    set.drop(guard);
    set.end(Terminator::Return);
    let id = set.done(true);
    (builder, id)
}

/// `content.f`, in a local of its own.
fn read(body: &mut Body<'_>, content: Local, field: usize) -> Local {
    let to = body.local("i32");
    let field = body.builder.shape.locks[0].1[field];
    body.assign(
        Place::local(to),
        Rule::Copy,
        vec![Operand::Place(through(content, field), false)],
    );
    to
}

/// `set_0(value)`.
fn set(body: &mut Body<'_>, set: FunctionId, value: Operand) {
    let nothing = body.local("()");
    body.call(nothing, set, vec![place(Local(1)), value]);
}

/// A public function that does nothing but call another.
fn wrapped(builder: &mut Builder, inner: FunctionId) {
    let mut body = builder.function("public", "i32", &["&Shared", "i32"]);
    body.call(Local(0), inner, vec![place(Local(1)), place(Local(2))]);
    body.end(Terminator::Return);
    body.done(true);
}

/// `let g = lock(); g.f0; let v = g.f0; drop(g); set_0(v)`, behind a call or not.
fn read_again(private: bool, twice: bool) -> Program {
    let (mut builder, set_0) = shared();
    let name = if private { "helper" } else { "public" };
    let mut body = builder.function(name, "i32", &["&Shared", "i32"]);
    let guard = body.lock(0);
    let content = body.deref(guard, 0);
    if twice {
        read(&mut body, content, 0);
    }
    let value = read(&mut body, content, 0);
    body.drop(guard);
    set(&mut body, set_0, place(value));
    body.end(Terminator::Return);
    let id = body.done(!private);
    if private {
        wrapped(&mut builder, id);
    }
    builder.program
}

#[test]
fn a_value_that_is_written_back_is_found() {
    assert_eq!(missed(&read_again(false, false)), []);
    assert_eq!(missed(&read_again(true, false)), []);
    assert_eq!(missed(&read_again(false, true)), []);
}

/// Callers are told of one of two reads that are alike; what is known of
/// the other runner is looked up by the place of the read.
#[test]
fn a_second_read_in_a_private_function_is_missed() {
    let missed = missed(&read_again(true, true));
    assert!(
        matches!(missed[..], [] | [(Miss::ReadAgain, _)]),
        "{missed:?}"
    );
}

/// `v = g.f0; if v { g.f0 = 1; drop(g); return } drop(g); set_0(2)`: the way
/// that claims the variable does not lead to the second region.
#[test]
fn a_claim_on_a_way_that_returns_excuses() {
    let (mut builder, set_0) = shared();
    let field = builder.shape.locks[0].1[0];
    let mut body = builder.function("public", "i32", &["&Shared", "i32"]);
    let guard = body.lock(0);
    let content = body.deref(guard, 0);
    let value = read(&mut body, content, 0);
    let (claim, go_on) = (body.block(), body.block());
    body.end(Terminator::Branch {
        on: place(value),
        targets: vec![go_on, claim],
    });
    body.go_on_in(claim);
    body.assign(through(content, field), Rule::Copy, vec![constant(1)]);
    body.drop(guard);
    body.end(Terminator::Return);
    body.go_on_in(go_on);
    body.drop(guard);
    set(&mut body, set_0, constant(2));
    body.end(Terminator::Return);
    body.done(true);
    let missed = missed(&builder.program);
    assert!(
        matches!(missed[..], [] | [(Miss::ClaimedElsewhere, _)]),
        "{missed:?}"
    );
}

/// `v = n.fetch_add(1); n.store(v)`.
#[test]
fn what_an_update_returned_may_be_stored_later() {
    let (mut builder, _) = shared();
    let mut body = builder.function("public", "i32", &["&Shared", "i32"]);
    let value = body.atomic("fetch_add", vec![constant(1)]);
    body.atomic("store", vec![place(value)]);
    body.end(Terminator::Return);
    body.done(true);
    let missed = missed(&builder.program);
    assert!(
        matches!(missed[..], [] | [(Miss::Updated, _)]),
        "{missed:?}"
    );
}

/// `v = g.f0; g.f1 = v; w = g.f1; drop(g); set_0(w)`.
#[test]
fn a_value_that_was_in_another_field_is_missed() {
    let (mut builder, set_0) = shared();
    let other = builder.shape.locks[0].1[1];
    let mut body = builder.function("public", "i32", &["&Shared", "i32"]);
    let guard = body.lock(0);
    let content = body.deref(guard, 0);
    let value = read(&mut body, content, 0);
    body.assign(through(content, other), Rule::Copy, vec![place(value)]);
    let copy = read(&mut body, content, 1);
    body.drop(guard);
    set(&mut body, set_0, place(copy));
    body.end(Terminator::Return);
    body.done(true);
    let missed = missed(&builder.program);
    assert!(
        matches!(missed[..], [] | [(Miss::OwnMemory, _)]),
        "{missed:?}"
    );
}
