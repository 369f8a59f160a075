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
