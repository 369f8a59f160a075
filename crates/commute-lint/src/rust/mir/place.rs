//! Places and operands.

use smallvec::SmallVec;

use super::cursor::{Cursor, Read, Stops};
use super::syntax::{Operand, Place, Step};

/// A parenthesis of a place, by what is behind it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Paren {
    /// `(*`.
    Deref,
    /// `(`.
    Other,
}

/// `_1`, `(*_1)`, `((*_1).0: T)`, `(_1 as Some)`, `_1[_2]`.
///
/// rustc prints a parenthesis per step before the local and what the step is
/// behind it, so this is a loop and not a recursion.
pub(super) fn place(cursor: &mut Cursor<'_>) -> Read<Place> {
    let mut parens: SmallVec<[Paren; 16]> = SmallVec::new();
    while cursor.eat("(") {
        parens.push(if cursor.eat("*") {
            Paren::Deref
        } else {
            Paren::Other
        });
    }
    let local = cursor.local()?;
    let mut steps = Vec::new();
    loop {
        if cursor.eat("[") {
            steps.push(index(cursor)?);
            continue;
        }
        match parens.pop() {
            None => return Ok(Place { local, steps }),
            Some(Paren::Deref) => steps.push(Step::Deref),
            Some(Paren::Other) => steps.push(field_or_variant(cursor)?),
        }
        cursor.expect(")")?;
    }
}

fn field_or_variant(cursor: &mut Cursor<'_>) -> Read<Step> {
    if cursor.eat(".") {
        let field = cursor.number()?;
        cursor.expect(": ")?;
        return Ok(Step::Field(field, cursor.ty(Stops::NONE)?.to_owned()));
    }
    if !cursor.eat(" as ") {
        return cursor.miss("a field or a variant");
    }
    // A variant whose name is not known is `variant#3`, a raw one `r#try`.
    let name = cursor.word()?;
    if cursor.eat("#") {
        let rest = cursor.word()?;
        return Ok(Step::Downcast(format!("{name}#{rest}")));
    }
    Ok(Step::Downcast(name.to_owned()))
}

/// Behind the bracket: `_3]`, `0 of 2]`, `-1 of 2]`, `1:]`, `:-1]`, `1:-1]`,
/// `1..2]`.
fn index(cursor: &mut Cursor<'_>) -> Read<Step> {
    if cursor.peek() == Some(b'_') {
        let local = cursor.local()?;
        cursor.expect("]")?;
        return Ok(Step::Index(local));
    }
    if cursor.eat(":-") {
        cursor.digits()?;
    } else if cursor.eat("-") {
        cursor.digits()?;
        cursor.expect(" of ")?;
        cursor.digits()?;
    } else {
        cursor.digits()?;
        if cursor.eat(" of ") || cursor.eat("..") {
            cursor.digits()?;
        } else {
            cursor.expect(":")?;
            if cursor.eat("-") {
                cursor.digits()?;
            }
        }
    }
    cursor.expect("]")?;
    Ok(Step::Constant)
}

/// `copy _1`, `move _1`, `const 1_u8`, and a function by its path.
pub(super) fn operand(cursor: &mut Cursor<'_>) -> Read<Operand> {
    if cursor.eat("copy ") {
        place(cursor).map(Operand::Copy)
    } else if cursor.eat("move ") {
        place(cursor).map(Operand::Move)
    } else if cursor.eat("const ") {
        let stops = Stops::COMMA.and(Stops::SEMICOLON).and(Stops::AS);
        let constant = cursor.text(stops, "a constant")?.text;
        Ok(Operand::Constant(constant.to_owned()))
    } else {
        cursor.path().map(|path| Operand::Function(path.to_owned()))
    }
}

/// `(a, b)`, also with a comma behind the only one, from its parenthesis on.
pub(super) fn arguments(cursor: &mut Cursor<'_>) -> Read<Vec<Operand>> {
    cursor.expect("(")?;
    let mut operands = Vec::new();
    if cursor.eat(")") {
        return Ok(operands);
    }
    loop {
        operands.push(operand(cursor)?);
        if cursor.eat(")") || operands.len() == 1 && cursor.eat(",)") {
            return Ok(operands);
        }
        cursor.expect(", ")?;
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::super::cursor::Cursor;
    use super::operand;

    fn check(lines: &str, expect: Expect) {
        let read = lines.lines().map(|line| {
            let mut cursor = Cursor::new(line);
            match operand(&mut cursor).map(|read| (read, cursor.rest())) {
                Ok(read) => format!("{read:?}\n"),
                Err(miss) => format!("{}: expected {}\n", miss.at, miss.expected),
            }
        });
        expect.assert_eq(&read.collect::<String>());
    }

    #[test]
    fn places() {
        check(
            r#"copy _1
move (*_12)
copy ((*_1).0: &dyn Fn(u8) -> [T; 2])
move ((_3 as Some).0: Vec<<T as A>::B>)
copy (*_1)[_2]
copy _1[0 of 2]
copy _1[-1 of 2]
copy _1[1:]
copy _1[:-1]
copy _1[1:-1]
copy _1[1..2]
copy (_1 as variant#3)
copy (((*(_1.0: &mut {async fn body of f()})) as variant#3).1: {closure@src/a b.rs:1:2: 3:4})"#,
            expect![[r#"
                (Copy(Place { local: Local(1), steps: [] }), "")
                (Move(Place { local: Local(12), steps: [Deref] }), "")
                (Copy(Place { local: Local(1), steps: [Deref, Field(0, "&dyn Fn(u8) -> [T; 2]")] }), "")
                (Move(Place { local: Local(3), steps: [Downcast("Some"), Field(0, "Vec<<T as A>::B>")] }), "")
                (Copy(Place { local: Local(1), steps: [Deref, Index(Local(2))] }), "")
                (Copy(Place { local: Local(1), steps: [Constant] }), "")
                (Copy(Place { local: Local(1), steps: [Constant] }), "")
                (Copy(Place { local: Local(1), steps: [Constant] }), "")
                (Copy(Place { local: Local(1), steps: [Constant] }), "")
                (Copy(Place { local: Local(1), steps: [Constant] }), "")
                (Copy(Place { local: Local(1), steps: [Constant] }), "")
                (Copy(Place { local: Local(1), steps: [Downcast("variant#3")] }), "")
                (Copy(Place { local: Local(1), steps: [Field(0, "&mut {async fn body of f()}"), Deref, Downcast("variant#3"), Field(1, "{closure@src/a b.rs:1:2: 3:4}")] }), "")
            "#]],
        );
    }

    #[test]
    fn constants() {
        check(
            r#"const 1_u8, const 2_u8
const "a, \") // -> b")
const ')')
const '\'';
const {alloc4: &std::sync::Mutex<u8>};
const ZeroSized: {closure@src/x.rs:1:2: 3:4})
const <T as A<'_>>::B;
const f::promoted[0];
const b"\x00\"";
const -1.5E-3f64 as f32 (FloatToFloat)
std::mem::drop::<fn(A) -> B>)"#,
            expect![[r#"
                (Constant("1_u8"), ", const 2_u8")
                (Constant("\"a, \\\") // -> b\""), ")")
                (Constant("')'"), ")")
                (Constant("'\\''"), ";")
                (Constant("{alloc4: &std::sync::Mutex<u8>}"), ";")
                (Constant("ZeroSized: {closure@src/x.rs:1:2: 3:4}"), ")")
                (Constant("<T as A<'_>>::B"), ";")
                (Constant("f::promoted[0]"), ";")
                (Constant("b\"\\x00\\\"\""), ";")
                (Constant("-1.5E-3f64"), " as f32 (FloatToFloat)")
                (Function("std::mem::drop::<fn(A) -> B>"), ")")
            "#]],
        );
    }

    #[test]
    fn damaged() {
        check(
            r#"_1
copy
copy _
copy (*_1
copy (_1.0)
copy (_1.0: )
copy _1[2]
copy _99999999999
const 
const "a
const (]
a b
a=b"#,
            expect![[r#"
                0: expected a path
                (Function("copy"), "")
                6: expected a number
                9: expected )
                10: expected : 
                12: expected a type
                9: expected :
                6: expected a number below 2^32
                6: expected a constant
                6: expected "
                7: expected another closing bracket
                (Function("a"), " b")
                0: expected a path
            "#]],
        );
    }
}
