//! What is behind the `=` of an assignment: a value, or a call.

use super::cursor::{Cursor, Read, Stops};
use super::place::{arguments, operand, place};
use super::syntax::{Function, Operand, Value};

/// What is assigned.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Assigned {
    /// A value.
    Value(Value),
    /// The result of a call; its edges follow.
    Call(Function, Vec<Operand>),
}

/// Operations on two operands. With `WithOverflow` and `Unchecked` behind some
/// of them.
const BINARY: [&str; 18] = [
    "Add", "BitAnd", "BitOr", "BitXor", "Cmp", "Div", "Eq", "Ge", "Gt", "Le", "Lt", "Mul", "Ne",
    "Offset", "Rem", "Shl", "Shr", "Sub",
];
/// Operations on one operand.
const UNARY: [&str; 3] = ["Neg", "Not", "PtrMetadata"];
/// Operations on a type.
const NULLARY: [&str; 6] = [
    "AlignOf",
    "ContractChecks",
    "OffsetOf",
    "OverflowChecks",
    "SizeOf",
    "UbChecks",
];

/// What is behind the `=`, up to the semicolon or the edges.
pub(super) fn assigned(cursor: &mut Cursor<'_>) -> Read<Assigned> {
    match cursor.peek() {
        Some(b'&') => reference(cursor).map(Assigned::Value),
        Some(b'[') => array(cursor).map(Assigned::Value),
        Some(b'(') => {
            let fields = arguments(cursor)?;
            Ok(aggregate("", fields))
        }
        Some(b'*') => raw_pointer(cursor).map(Assigned::Value),
        Some(b'c') if cursor.eat("const ") => constant(cursor),
        Some(b'c' | b'm') if cursor.sees("copy ") || cursor.sees("move ") => {
            let operand = operand(cursor)?;
            if cursor.peek() == Some(b'(') {
                let arguments = arguments(cursor)?;
                return Ok(Assigned::Call(Function::Pointer(operand), arguments));
            }
            used_or_cast(cursor, operand)
        }
        Some(b'd') if cursor.eat("discriminant(") => {
            let place = place(cursor)?;
            cursor.expect(")")?;
            Ok(Assigned::Value(Value::Discriminant(place)))
        }
        Some(b'd') if cursor.eat("deref_copy ") => {
            let place = place(cursor)?;
            Ok(Assigned::Value(Value::Use(Operand::Copy(place))))
        }
        _ => named(cursor),
    }
}

/// `&place`, `&mut place`, `&raw const place`, `&/*tls*/ path`.
fn reference(cursor: &mut Cursor<'_>) -> Read<Value> {
    let begin = cursor.rest();
    if cursor.eat("&/*tls*/ ") {
        let _ = cursor.eat("mut ");
        cursor.path()?;
        let length = begin.len() - cursor.rest().len();
        let text = begin[..length].to_owned();
        return Ok(Value::Use(Operand::Constant(text)));
    }
    cursor.expect("&")?;
    let mutable = cursor.eat("mut ") || cursor.eat("raw mut ");
    if !mutable {
        // Fake ones are there for the compiler's own checks.
        let _ = ["raw const (fake) ", "raw const ", "fake shallow ", "fake "]
            .into_iter()
            .any(|kind| cursor.eat(kind));
    }
    Ok(Value::Ref(mutable, place(cursor)?))
}

/// `[a; N]`, `[a, b]`.
fn array(cursor: &mut Cursor<'_>) -> Read<Value> {
    cursor.expect("[")?;
    let mut fields = Vec::new();
    if cursor.eat("]") {
        return Ok(Value::Aggregate(String::new(), fields));
    }
    loop {
        let element = operand(cursor)?;
        if fields.is_empty() && cursor.eat("; ") {
            cursor.text(Stops::NONE, "a length")?;
            cursor.expect("]")?;
            return Ok(Value::Repeat(element));
        }
        fields.push((None, element));
        if cursor.eat("]") {
            return Ok(Value::Aggregate(String::new(), fields));
        }
        cursor.expect(", ")?;
    }
}

/// `*const T from (pointer, metadata)`.
fn raw_pointer(cursor: &mut Cursor<'_>) -> Read<Value> {
    let begin = cursor.at();
    let text = cursor.text(Stops::SEMICOLON, "a raw pointer")?;
    let Some(group) = text.group else {
        return cursor.miss("(");
    };
    let Some(name) = text.text[..group - begin].strip_suffix(" from ") else {
        return cursor.miss(" from ");
    };
    if !name.starts_with("*const ") && !name.starts_with("*mut ") {
        cursor.go_to(begin);
        return cursor.miss("a raw pointer");
    }
    cursor.go_to(group);
    let fields = arguments(cursor)?;
    match aggregate(name, fields) {
        Assigned::Value(value) => Ok(value),
        Assigned::Call(..) => cursor.miss("a raw pointer"),
    }
}

/// Behind `const `: the constant, also cast, also called.
fn constant(cursor: &mut Cursor<'_>) -> Read<Assigned> {
    let begin = cursor.at();
    let stops = Stops::SEMICOLON.and(Stops::AS).and(Stops::ARROW);
    let text = cursor.text(stops, "a constant")?;
    if cursor.sees(" -> ") {
        let Some(group) = text.group else {
            return cursor.miss("arguments");
        };
        let function = Operand::Constant(text.text[..group - begin].to_owned());
        cursor.go_to(group);
        let arguments = arguments(cursor)?;
        return Ok(Assigned::Call(Function::Pointer(function), arguments));
    }
    used_or_cast(cursor, Operand::Constant(text.text.to_owned()))
}

/// Behind an operand: nothing, or ` as T (Kind)`.
fn used_or_cast(cursor: &mut Cursor<'_>, operand: Operand) -> Read<Assigned> {
    if !cursor.eat(" as ") {
        return Ok(Assigned::Value(Value::Use(operand)));
    }
    let begin = cursor.at();
    let text = cursor.text(Stops::SEMICOLON, "a type")?;
    // The kind is the last group: function types may have groups of their own.
    let kind = text.group.map(|group| &text.text[group - begin..]);
    let ty = text.group.map(|group| &text.text[..group - begin]);
    match (ty.and_then(|ty| ty.strip_suffix(' ')), kind) {
        (Some(ty), Some(kind)) if !ty.is_empty() && is_kind(kind) => {
            Ok(Assigned::Value(Value::Cast(operand, ty.to_owned())))
        }
        _ => cursor.miss("the kind of the cast"),
    }
}

/// `(IntToInt)`, `(PointerCoercion(Unsize, Implicit))`.
fn is_kind(kind: &str) -> bool {
    const KINDS: [&str; 10] = [
        "FloatToFloat",
        "FloatToInt",
        "FnPtrToPtr",
        "IntToFloat",
        "IntToInt",
        "PointerExposeProvenance",
        "PointerWithExposedProvenance",
        "PtrToPtr",
        "Subtype",
        "Transmute",
    ];
    let inner = kind
        .strip_prefix('(')
        .and_then(|kind| kind.strip_suffix(')'));
    inner.is_some_and(|inner| {
        inner.starts_with("PointerCoercion(") && inner.ends_with(')') || KINDS.contains(&inner)
    })
}

/// What begins with a name: an operation, an aggregate, a call, a function.
fn named(cursor: &mut Cursor<'_>) -> Read<Assigned> {
    let name = cursor.path()?;
    match cursor.peek() {
        Some(b'(') => {
            if let Some(value) = operation(cursor, name)? {
                return Ok(Assigned::Value(value));
            }
            let arguments = arguments(cursor)?;
            if cursor.sees(" -> ") {
                return Ok(Assigned::Call(Function::Path(name.to_owned()), arguments));
            }
            Ok(aggregate(name, arguments))
        }
        Some(b' ') if cursor.eat(" { ") => fields(cursor, name).map(Assigned::Value),
        Some(b' ') => used_or_cast(cursor, Operand::Function(name.to_owned())),
        _ => Ok(aggregate(name, Vec::new())),
    }
}

/// An operation, if the name is one, from its parenthesis on. Users' types may
/// have the same names; they are told apart by what is in the parentheses.
fn operation(cursor: &mut Cursor<'_>, name: &str) -> Read<Option<Value>> {
    let begin = cursor.at();
    if NULLARY.contains(&name) {
        cursor.expect("(")?;
        if !cursor.sees(")") {
            cursor.text(Stops::NONE, "a type")?;
        }
        cursor.expect(")")?;
        return Ok(Some(Value::Compute(name.to_owned(), Vec::new())));
    }
    let operands = match name {
        "Len" => {
            cursor.expect("(")?;
            let place = place(cursor)?;
            cursor.expect(")")?;
            vec![Operand::Copy(place)]
        }
        "ShallowInitBox" => {
            cursor.expect("(")?;
            let pointer = operand(cursor)?;
            cursor.expect(", ")?;
            cursor.ty(Stops::NONE)?;
            cursor.expect(")")?;
            vec![pointer]
        }
        _ if arity(name) != 0 => {
            let operands = arguments(cursor)?;
            if operands.len() != arity(name) || cursor.sees(" -> ") {
                cursor.go_to(begin);
                return Ok(None);
            }
            operands
        }
        _ => return Ok(None),
    };
    Ok(Some(Value::Compute(name.to_owned(), operands)))
}

fn arity(name: &str) -> usize {
    let base = name
        .strip_suffix("WithOverflow")
        .or_else(|| name.strip_suffix("Unchecked"))
        .unwrap_or(name);
    if BINARY.contains(&base) {
        2
    } else {
        usize::from(UNARY.contains(&name))
    }
}

/// Behind `Name { `: `f: a, g: b }`.
fn fields(cursor: &mut Cursor<'_>, name: &str) -> Read<Value> {
    let mut fields = Vec::new();
    loop {
        // A raw name keeps its prefix.
        let raw = cursor.eat("r#");
        let field = cursor.word()?;
        let field = if raw {
            format!("r#{field}")
        } else {
            field.to_owned()
        };
        cursor.expect(": ")?;
        fields.push((Some(field), operand(cursor)?));
        if cursor.eat(" }") {
            return Ok(Value::Aggregate(name.to_owned(), fields));
        }
        cursor.expect(", ")?;
    }
}

fn aggregate(name: &str, operands: Vec<Operand>) -> Assigned {
    let fields = operands.into_iter().map(|operand| (None, operand));
    Assigned::Value(Value::Aggregate(name.to_owned(), fields.collect()))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::super::cursor::Cursor;
    use super::assigned;

    fn check(lines: &str, expect: Expect) {
        let read = lines.lines().map(|line| {
            let mut cursor = Cursor::new(line);
            match assigned(&mut cursor).map(|read| (read, cursor.rest())) {
                Ok(read) => format!("{read:?}\n"),
                Err(miss) => format!("{}: expected {}\n", miss.at, miss.expected),
            }
        });
        expect.assert_eq(&read.collect::<String>());
    }

    #[test]
    fn values() {
        check(
            r#"&_1;
&mut (*_1);
&raw const _1;
&raw mut _1;
&raw const (fake) (*_1);
&/*tls*/ a::B;
[copy _1; 8];
[copy _1, move _2];
[];
();
(copy _1,);
(copy _1, const 2_u8);
*const [u8] from (copy _1, copy _2);
discriminant((*_1));
move _1 as fn() -> (A, B) (PointerCoercion(ReifyFnPointer(Safe), Implicit));
f::<u8> as fn(u8) (PointerCoercion(ReifyFnPointer(Safe), AsCast));
const 1_u8 as u16 (IntToInt);"#,
            expect![[r#"
                (Value(Ref(false, Place { local: Local(1), steps: [] })), ";")
                (Value(Ref(true, Place { local: Local(1), steps: [Deref] })), ";")
                (Value(Ref(false, Place { local: Local(1), steps: [] })), ";")
                (Value(Ref(true, Place { local: Local(1), steps: [] })), ";")
                (Value(Ref(false, Place { local: Local(1), steps: [Deref] })), ";")
                (Value(Use(Constant("&/*tls*/ a::B"))), ";")
                (Value(Repeat(Copy(Place { local: Local(1), steps: [] }))), ";")
                (Value(Aggregate("", [(None, Copy(Place { local: Local(1), steps: [] })), (None, Move(Place { local: Local(2), steps: [] }))])), ";")
                (Value(Aggregate("", [])), ";")
                (Value(Aggregate("", [])), ";")
                (Value(Aggregate("", [(None, Copy(Place { local: Local(1), steps: [] }))])), ";")
                (Value(Aggregate("", [(None, Copy(Place { local: Local(1), steps: [] })), (None, Constant("2_u8"))])), ";")
                (Value(Aggregate("*const [u8]", [(None, Copy(Place { local: Local(1), steps: [] })), (None, Copy(Place { local: Local(2), steps: [] }))])), ";")
                (Value(Discriminant(Place { local: Local(1), steps: [Deref] })), ";")
                (Value(Cast(Move(Place { local: Local(1), steps: [] }), "fn() -> (A, B)")), ";")
                (Value(Cast(Function("f::<u8>"), "fn(u8)")), ";")
                (Value(Cast(Constant("1_u8"), "u16")), ";")
            "#]],
        );
    }

    #[test]
    fn operations() {
        check(
            r#"Add(copy _1, const 1_u8);
AddWithOverflow(copy _1, copy _2);
Not(move _1);
PtrMetadata(copy _1);
Len((*_1));
SizeOf(Vec<u8>);
UbChecks();
Not(copy _1, copy _2);"#,
            expect![[r#"
                (Value(Compute("Add", [Copy(Place { local: Local(1), steps: [] }), Constant("1_u8")])), ";")
                (Value(Compute("AddWithOverflow", [Copy(Place { local: Local(1), steps: [] }), Copy(Place { local: Local(2), steps: [] })])), ";")
                (Value(Compute("Not", [Move(Place { local: Local(1), steps: [] })])), ";")
                (Value(Compute("PtrMetadata", [Copy(Place { local: Local(1), steps: [] })])), ";")
                (Value(Compute("Len", [Copy(Place { local: Local(1), steps: [Deref] })])), ";")
                (Value(Compute("SizeOf", [])), ";")
                (Value(Compute("UbChecks", [])), ";")
                (Value(Aggregate("Not", [(None, Copy(Place { local: Local(1), steps: [] })), (None, Copy(Place { local: Local(2), steps: [] }))])), ";")
            "#]],
        );
    }

    #[test]
    fn aggregates() {
        check(
            r#"A { x: copy _1, r#type: const 1_u8 };
std::option::Option::<u8>::Some(copy _1);
std::sync::atomic::Ordering::SeqCst;
{closure@src/x.rs:1:2: 3:4};
{closure@src/x.rs:1:2: 3:4} { s: move _3 };
{coroutine@src/x.rs:1:2: 3:4 (#0)} { s: move _3 };"#,
            expect![[r#"
                (Value(Aggregate("A", [(Some("x"), Copy(Place { local: Local(1), steps: [] })), (Some("r#type"), Constant("1_u8"))])), ";")
                (Value(Aggregate("std::option::Option::<u8>::Some", [(None, Copy(Place { local: Local(1), steps: [] }))])), ";")
                (Value(Aggregate("std::sync::atomic::Ordering::SeqCst", [])), ";")
                (Value(Aggregate("{closure@src/x.rs:1:2: 3:4}", [])), ";")
                (Value(Aggregate("{closure@src/x.rs:1:2: 3:4}", [(Some("s"), Move(Place { local: Local(3), steps: [] }))])), ";")
                (Value(Aggregate("{coroutine@src/x.rs:1:2: 3:4 (#0)}", [(Some("s"), Move(Place { local: Local(3), steps: [] }))])), ";")
            "#]],
        );
    }

    #[test]
    fn calls() {
        check(
            r#"std::sync::Mutex::<A>::lock(move _1) -> [return: bb1, unwind continue];
<dyn Fn(A) -> B as Fn<(A,)>>::call(copy _1, move _2) -> bb2;
move _1(copy _2) -> [return: bb1, unwind: bb2];
const F(copy _1) -> unwind continue;"#,
            expect![[r#"
                (Call(Path("std::sync::Mutex::<A>::lock"), [Move(Place { local: Local(1), steps: [] })]), " -> [return: bb1, unwind continue];")
                (Call(Path("<dyn Fn(A) -> B as Fn<(A,)>>::call"), [Copy(Place { local: Local(1), steps: [] }), Move(Place { local: Local(2), steps: [] })]), " -> bb2;")
                (Call(Pointer(Move(Place { local: Local(1), steps: [] })), [Copy(Place { local: Local(2), steps: [] })]), " -> [return: bb1, unwind: bb2];")
                (Call(Pointer(Constant("F")), [Copy(Place { local: Local(1), steps: [] })]), " -> unwind continue;")
            "#]],
        );
    }

    #[test]
    fn damaged() {
        check(
            r#"& _1;
&muts _1;
[copy _1 copy _2];
A { copy _1 };
A { x: copy _1;
copy _1 as u8;
copy _1 as u8 (Foo);
*const u8 (copy _1);
"#,
            expect![[r#"
                1: expected a local
                1: expected a local
                8: expected , 
                8: expected : 
                14: expected , 
                13: expected the kind of the cast
                19: expected the kind of the cast
                19: expected  from 
            "#]],
        );
    }
}
