//! The first line of a body.

use super::cursor::{Cursor, Read, Stops};
use super::place::operand;
use super::syntax::{
    Block, Body, BodyKind, Local, LocalDecl, Operand, Place, Statement, Terminator, Value,
};

/// What follows a first line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Follows {
    /// The body.
    Body,
    /// What a coroutine yields, then the body.
    Yields,
    /// Nothing: a constant whose value is in the same line.
    Nothing,
}

/// The first line of a body: `fn f(_1: T) -> R {`, `const C: T = {`,
/// `static mut S: T = {`, `f::{constant#0}: usize = {`, `const C: T = const 1;`.
pub(super) fn header(line: &str, number: u32) -> Read<(Body, Follows)> {
    let mut cursor = Cursor::new(line);
    let mut body = Body {
        kind: BodyKind::Constant,
        name: String::new(),
        parameters: Vec::new(),
        result: String::new(),
        locals: Vec::new(),
        names: Vec::new(),
        blocks: Vec::new(),
        line: number,
    };
    let follows = if cursor.eat("fn ") {
        body.kind = BodyKind::Function;
        function(&mut cursor, &mut body)?
    } else {
        if cursor.eat("static ") {
            body.kind = BodyKind::Static;
            let _ = cursor.eat("mut ");
        } else {
            let _ = cursor.eat("const ");
        }
        constant(&mut cursor, &mut body)?
    };
    if cursor.at_end() {
        Ok((body, follows))
    } else {
        cursor.miss("the end of the line")
    }
}

fn function(cursor: &mut Cursor<'_>, body: &mut Body) -> Read<Follows> {
    cursor.path()?.clone_into(&mut body.name);
    cursor.expect("(")?;
    while !cursor.eat(")") {
        if !body.parameters.is_empty() {
            cursor.expect(", ")?;
        }
        let expected = u32::try_from(body.parameters.len() + 1).unwrap_or(u32::MAX);
        if cursor.local()? != Local(expected) {
            return cursor.miss("the next parameter");
        }
        cursor.expect(": ")?;
        body.parameters.push(cursor.ty(Stops::COMMA)?.to_owned());
    }
    cursor.expect(" -> ")?;
    // A type of a function may end in braces of its own, so the last brace of
    // the line is taken away first.
    let rest = cursor.rest();
    let (ty, follows) = match rest.strip_suffix(" {") {
        Some(ty) => (ty, Follows::Body),
        None => (rest, Follows::Yields),
    };
    let mut inner = Cursor::new(ty);
    if inner.ty(Stops::NONE).is_err() || !inner.at_end() {
        return cursor.miss("a type");
    }
    ty.clone_into(&mut body.result);
    cursor.go_to(cursor.at() + rest.len());
    Ok(follows)
}

fn constant(cursor: &mut Cursor<'_>, body: &mut Body) -> Read<Follows> {
    let name = cursor.text(Stops::COLON.and(Stops::SPACE), "the name of a body")?;
    name.text.clone_into(&mut body.name);
    cursor.expect(": ")?;
    cursor.ty(Stops::EQUALS)?.clone_into(&mut body.result);
    cursor.expect(" = ")?;
    if cursor.eat("{") {
        return Ok(Follows::Body);
    }
    let value = operand(cursor)?;
    if !matches!(value, Operand::Constant(_)) {
        return cursor.miss("a constant");
    }
    cursor.expect(";")?;
    let result = Local(0);
    body.locals.push(LocalDecl {
        local: result,
        ty: body.result.clone(),
        span: None,
    });
    let to = Place {
        local: result,
        steps: Vec::new(),
    };
    body.blocks.push(Block {
        cleanup: false,
        statements: vec![(Statement::Assign(to, Value::Use(value)), None)],
        terminator: Terminator::Return,
        span: None,
    });
    Ok(Follows::Nothing)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::header;

    fn check(lines: &str, expect: Expect) {
        let read = lines.lines().map(|line| match header(line, 1) {
            Ok((body, follows)) => format!(
                "{:?} {} {:?} -> {} {follows:?}\n",
                body.kind, body.name, body.parameters, body.result
            ),
            Err(miss) => format!("{}: expected {}\n", miss.at, miss.expected),
        });
        expect.assert_eq(&read.collect::<String>());
    }

    #[test]
    fn headers() {
        check(
            r#"fn main() -> () {
fn a::<impl at src/a (b).rs:5:1: 5:12>::get(_1: &S, _2: (A, B)) -> fn(A) -> B {
fn f::{closure#0}(_1: std::pin::Pin<&mut {async fn body of f<T>()}>) -> std::task::Poll<u8> {
fn f() -> fn() {f} {
fn f() -> u8
const C: [u8; 2] = {
const C: usize = const 8_usize;
const <impl at src/a.rs:5:1: 5:12>::C: u8 = {
const f::promoted[0]: &'static str = {
static S: Mutex<u8> = {
static mut S: u8 = {
A::{constant#0}: for<'a> fn(&'a u8) -> *const u8 = {"#,
            expect![[r#"
                Function main [] -> () Body
                Function a::<impl at src/a (b).rs:5:1: 5:12>::get ["&S", "(A, B)"] -> fn(A) -> B Body
                Function f::{closure#0} ["std::pin::Pin<&mut {async fn body of f<T>()}>"] -> std::task::Poll<u8> Body
                Function f [] -> fn() {f} Body
                Function f [] -> u8 Yields
                Constant C [] -> [u8; 2] Body
                Constant C [] -> usize Nothing
                Constant <impl at src/a.rs:5:1: 5:12>::C [] -> u8 Body
                Constant f::promoted[0] [] -> &'static str Body
                Static S [] -> Mutex<u8> Body
                Static S [] -> u8 Body
                Constant A::{constant#0} [] -> for<'a> fn(&'a u8) -> *const u8 Body
            "#]],
        );
    }

    #[test]
    fn damaged() {
        check(
            r#"fn
fn main( -> () {
fn main(_2: u8) -> () {
fn main() -> Vec<u8 {
const C = {
const C: u8 = copy _1;
hello
static S: u8 = { }"#,
            expect![[r#"
                2: expected : 
                8: expected a local
                10: expected the next parameter
                13: expected a type
                7: expected : 
                21: expected a constant
                5: expected : 
                16: expected the end of the line
            "#]],
        );
    }
}
