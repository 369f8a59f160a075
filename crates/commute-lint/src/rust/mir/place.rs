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
