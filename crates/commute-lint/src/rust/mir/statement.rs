//! One line of a block: a statement or a terminator.

use super::cursor::{Cursor, Read, Stops};
use super::place::{operand, place};
use super::syntax::{Statement, Terminator};
use super::terminator::{returns, terminator, yields};
use super::value::{Assigned, assigned};

/// One line of a block.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Line {
    /// A statement.
    Statement(Statement),
    /// The terminator.
    Terminator(Terminator),
}

/// A line of a block, with its semicolon and without its comment.
pub(super) fn line(cursor: &mut Cursor<'_>) -> Read<Line> {
    let line = match cursor.peek() {
        Some(b'_' | b'(') => assignment(cursor)?,
        _ => other(cursor)?,
    };
    cursor.expect(";")?;
    Ok(line)
}

fn assignment(cursor: &mut Cursor<'_>) -> Read<Line> {
    let to = place(cursor)?;
    cursor.expect(" = ")?;
    if cursor.eat("yield") {
        return yields(cursor).map(Line::Terminator);
    }
    Ok(match assigned(cursor)? {
        Assigned::Value(value) => Line::Statement(Statement::Assign(to, value)),
        Assigned::Call(function, arguments) => Line::Terminator(Terminator::Call {
            to,
            function,
            arguments,
            target: returns(cursor)?,
        }),
    })
}

/// A line that begins with a word.
fn other(cursor: &mut Cursor<'_>) -> Read<Line> {
    let begin = cursor.at();
    let word = cursor.word()?;
    let statement = match word {
        "StorageLive" | "StorageDead" => {
            cursor.expect("(")?;
            cursor.local()?;
            cursor.expect(")")?;
            Statement::Inert
        }
        "PlaceMention" => {
            cursor.expect("(")?;
            place(cursor)?;
            cursor.expect(")")?;
            Statement::Inert
        }
        "nop" | "ConstEvalCounter" => Statement::Inert,
        // What these say about their place matters to the compiler only.
        "FakeRead" | "Retag" | "AscribeUserType" | "BackwardIncompatibleDropHint" => {
            cursor.expect("(")?;
            cursor.text(Stops::NONE, "a place")?;
            cursor.expect(")")?;
            Statement::Inert
        }
        "Coverage" => {
            cursor.expect("::")?;
            cursor.text(Stops::SEMICOLON, "a counter")?;
            Statement::Inert
        }
        "discriminant" => {
            cursor.expect("(")?;
            let place = place(cursor)?;
            cursor.expect(") = ")?;
            let variant = cursor.number()?;
            Statement::SetDiscriminant(place, variant)
        }
        "assume" => {
            cursor.expect("(")?;
            let condition = operand(cursor)?;
            cursor.expect(")")?;
            Statement::Intrinsic(word.to_owned(), vec![condition])
        }
        "copy_nonoverlapping" => {
            cursor.expect("(dst = ")?;
            let to = operand(cursor)?;
            cursor.expect(", src = ")?;
            let from = operand(cursor)?;
            cursor.expect(", count = ")?;
            let count = operand(cursor)?;
            cursor.expect(")")?;
            Statement::Intrinsic(word.to_owned(), vec![to, from, count])
        }
        _ => {
            return match terminator(cursor, word)? {
                Some(terminator) => Ok(Line::Terminator(terminator)),
                None => {
                    cursor.go_to(begin);
                    cursor.miss("a statement or a terminator")
                }
            };
        }
    };
    Ok(Line::Statement(statement))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::super::cursor::Cursor;
    use super::line;

    fn check(lines: &str, expect: Expect) {
        let read = lines.lines().map(|text| {
            let mut cursor = Cursor::new(text);
            match line(&mut cursor) {
                Ok(read) => format!("{read:?}\n"),
                Err(miss) => format!("{}: expected {}\n", miss.at, miss.expected),
            }
        });
        expect.assert_eq(&read.collect::<String>());
    }

    #[test]
    fn statements() {
        check(
            r#"_1 = copy _2;
((*_1).0: u8) = const 1_u8;
StorageLive(_1);
StorageDead(_1);
nop;
ConstEvalCounter;
PlaceMention(_1);
FakeRead(ForLet(None), _1);
Retag([fn entry] _1);
Coverage::CounterIncrement(0);
discriminant((*_1)) = 3;
assume(copy _1);
copy_nonoverlapping(dst = copy _1, src = copy _2, count = const 1_usize);"#,
            expect![[r#"
                Statement(Assign(Place { local: Local(1), steps: [] }, Use(Copy(Place { local: Local(2), steps: [] }))))
                Statement(Assign(Place { local: Local(1), steps: [Deref, Field(0, "u8")] }, Use(Constant("1_u8"))))
                Statement(Inert)
                Statement(Inert)
                Statement(Inert)
                Statement(Inert)
                Statement(Inert)
                Statement(Inert)
                Statement(Inert)
                Statement(Inert)
                Statement(SetDiscriminant(Place { local: Local(1), steps: [Deref] }, 3))
                Statement(Intrinsic("assume", [Copy(Place { local: Local(1), steps: [] })]))
                Statement(Intrinsic("copy_nonoverlapping", [Copy(Place { local: Local(1), steps: [] }), Copy(Place { local: Local(2), steps: [] }), Constant("1_usize")]))
            "#]],
        );
    }

    #[test]
    fn terminators() {
        check(
            r#"goto -> bb1;
return;
coroutine_drop;
resume;
unreachable;
terminate(cleanup);
drop(_1) -> [return: bb1, unwind continue];
drop((*_1)) -> [return: bb1, unwind: bb2, drop: bb3];
switchInt(move _1) -> [0: bb1, 340282366920938463463374607431768211455: bb2, otherwise: bb3];
_1 = f() -> [return: bb1, unwind terminate(abi)];
_1 = f() -> bb2;
_1 = f() -> unwind unreachable;
_1 = yield(move _2) -> [resume: bb1, drop: bb2];
_1 = yield(const ()) -> bb1;
assert(!move (_1.1: bool), "a `{}` // \" )", copy _2) -> [success: bb1, unwind: bb2];
falseEdge -> [real: bb1, imaginary: bb2];
falseUnwind -> [real: bb1, unwind continue];
asm!("nop", in(reg) copy _1, options(NOMEM | NOSTACK)) -> [return: bb1, label: bb2, unwind unreachable];
asm!("ud2", options(NORETURN)) -> unwind unreachable;"#,
            expect![[r#"
                Terminator(Goto(BlockId(1)))
                Terminator(Return)
                Terminator(Return)
                Terminator(Stop)
                Terminator(Stop)
                Terminator(Stop)
                Terminator(Drop(Place { local: Local(1), steps: [] }, BlockId(1)))
                Terminator(Drop(Place { local: Local(1), steps: [Deref] }, BlockId(1)))
                Terminator(Switch(Move(Place { local: Local(1), steps: [] }), [(Some("0"), BlockId(1)), (Some("340282366920938463463374607431768211455"), BlockId(2)), (None, BlockId(3))]))
                Terminator(Call { to: Place { local: Local(1), steps: [] }, function: Path("f"), arguments: [], target: Some(BlockId(1)) })
                Terminator(Call { to: Place { local: Local(1), steps: [] }, function: Path("f"), arguments: [], target: None })
                Terminator(Call { to: Place { local: Local(1), steps: [] }, function: Path("f"), arguments: [], target: None })
                Terminator(Yield(Move(Place { local: Local(2), steps: [] }), BlockId(1)))
                Terminator(Yield(Constant("()"), BlockId(1)))
                Terminator(Assert(Move(Place { local: Local(1), steps: [Field(1, "bool")] }), BlockId(1)))
                Terminator(Goto(BlockId(1)))
                Terminator(Goto(BlockId(1)))
                Terminator(Asm([BlockId(1), BlockId(2)]))
                Terminator(Asm([]))
            "#]],
        );
    }

    #[test]
    fn damaged() {
        check(
            r#"
_1 = copy _2
_1 copy _2;
goto bb1;
goto -> 1;
drop(_1) -> bb1;
drop(_1) -> [unwind continue];
switchInt(_1) -> [otherwise: bb1];
switchInt(copy _1) -> [0: bb1];
assert(copy _1) -> [success: bb1, unwind continue];
_1 = f() -> [return: bb1, unwnd: bb2];
frobnicate(_1);
asm!("nop");"#,
            expect![[r#"
                0: expected a word
                12: expected ;
                2: expected  = 
                4: expected  -> 
                8: expected a block
                15: expected return
                29: expected return
                10: expected a path
                29: expected , 
                14: expected , 
                26: expected the label of an edge
                0: expected a statement or a terminator
                5: expected , options(
            "#]],
        );
    }
}
