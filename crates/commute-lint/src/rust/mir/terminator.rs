//! Terminators and their edges.

use super::cursor::{Cursor, Read, Stops};
use super::place::{operand, place};
use super::syntax::{BlockId, Place, Terminator};

/// Edges: ` -> bb1`, ` -> unwind continue`, ` -> [return: bb1, unwind: bb2]`.
#[derive(Default)]
struct Edges<'a> {
    /// A block without a label.
    plain: Option<BlockId>,
    /// Blocks with labels, in order.
    labelled: Vec<(&'a str, BlockId)>,
}

impl Edges<'_> {
    fn get(&self, label: &str) -> Option<BlockId> {
        let edge = self.labelled.iter().find(|(known, _)| *known == label);
        edge.map(|(_, block)| *block)
    }
}

/// Reads edges and refuses labels that the terminator does not have.
fn edges<'a>(cursor: &mut Cursor<'a>, labels: &[&str]) -> Read<Edges<'a>> {
    let mut edges = Edges::default();
    if !cursor.eat(" -> ") {
        return cursor.miss(" -> ");
    }
    if cursor.sees("bb") {
        edges.plain = Some(cursor.block()?);
        return Ok(edges);
    }
    if !cursor.eat("[") {
        unwind(cursor)?;
        return Ok(edges);
    }
    loop {
        if cursor.sees("unwind ") {
            unwind(cursor)?;
        } else {
            let at = cursor.at();
            let label = cursor.word()?;
            if !labels.contains(&label) {
                cursor.go_to(at);
                return cursor.miss("the label of an edge");
            }
            cursor.expect(": ")?;
            edges.labelled.push((label, cursor.block()?));
        }
        if cursor.eat("]") {
            return Ok(edges);
        }
        cursor.expect(", ")?;
    }
}

/// `unwind continue`, `unwind unreachable`, `unwind terminate(cleanup)`.
fn unwind(cursor: &mut Cursor<'_>) -> Read<()> {
    if cursor.eat("unwind continue") || cursor.eat("unwind unreachable") {
        return Ok(());
    }
    cursor.expect("unwind terminate(")?;
    reason(cursor)
}

/// `cleanup)`, `abi)`.
fn reason(cursor: &mut Cursor<'_>) -> Read<()> {
    if cursor.eat("cleanup)") || cursor.eat("abi)") {
        return Ok(());
    }
    cursor.miss("why it terminates")
}

/// The edge with a label, which must be there.
fn edge(cursor: &mut Cursor<'_>, label: &'static str, others: &[&str]) -> Read<BlockId> {
    let edges = edges(cursor, others)?;
    match edges.get(label) {
        Some(block) => Ok(block),
        None => cursor.miss(label),
    }
}

/// The edge that a call takes when it returns, from behind its arguments on.
pub(super) fn returns(cursor: &mut Cursor<'_>) -> Read<Option<BlockId>> {
    // A call that returns prints how it unwinds too, so a lone block without a
    // label is where one that never returns unwinds to.
    Ok(edges(cursor, &["return", "unwind"])?.get("return"))
}

/// Behind `place = yield`.
pub(super) fn yields(cursor: &mut Cursor<'_>) -> Read<Terminator> {
    cursor.expect("(")?;
    let value = operand(cursor)?;
    cursor.expect(")")?;
    let edges = edges(cursor, &["resume", "drop"])?;
    match edges.get("resume").or(edges.plain) {
        Some(next) => Ok(Terminator::Yield(value, next)),
        None => cursor.miss("resume"),
    }
}

/// A terminator that begins with this word, from behind it on. None if the
/// word begins none.
pub(super) fn terminator(cursor: &mut Cursor<'_>, word: &str) -> Read<Option<Terminator>> {
    Ok(Some(match word {
        "goto" => {
            cursor.expect(" -> ")?;
            Terminator::Goto(cursor.block()?)
        }
        "return" | "coroutine_drop" => Terminator::Return,
        "unreachable" | "resume" => Terminator::Stop,
        "terminate" => {
            cursor.expect("(")?;
            reason(cursor)?;
            Terminator::Stop
        }
        "drop" => {
            let place = in_parentheses(cursor)?;
            let next = edge(cursor, "return", &["return", "unwind", "drop"])?;
            Terminator::Drop(place, next)
        }
        "switchInt" => switch(cursor)?,
        "assert" => assert(cursor)?,
        "falseEdge" => Terminator::Goto(edge(cursor, "real", &["real", "imaginary"])?),
        "falseUnwind" => Terminator::Goto(edge(cursor, "real", &["real", "unwind"])?),
        "asm" | "naked_asm" => {
            cursor.expect("!(")?;
            asm(cursor)?
        }
        _ => return Ok(None),
    }))
}

fn in_parentheses(cursor: &mut Cursor<'_>) -> Read<Place> {
    cursor.expect("(")?;
    let place = place(cursor)?;
    cursor.expect(")")?;
    Ok(place)
}

/// Behind `switchInt`.
fn switch(cursor: &mut Cursor<'_>) -> Read<Terminator> {
    cursor.expect("(")?;
    let value = operand(cursor)?;
    cursor.expect(") -> [")?;
    let mut targets = Vec::new();
    loop {
        if cursor.eat("otherwise: ") {
            targets.push((None, cursor.block()?));
            cursor.expect("]")?;
            return Ok(Terminator::Switch(value, targets));
        }
        let number = cursor.digits()?.to_owned();
        cursor.expect(": ")?;
        targets.push((Some(number), cursor.block()?));
        cursor.expect(", ")?;
    }
}

/// Behind `assert`: `(!cond, "message", a, b) -> …`.
fn assert(cursor: &mut Cursor<'_>) -> Read<Terminator> {
    cursor.expect("(")?;
    let _ = cursor.eat("!");
    let condition = operand(cursor)?;
    cursor.expect(", ")?;
    if cursor.peek() != Some(b'"') {
        return cursor.miss("a message");
    }
    cursor.text(Stops::COMMA, "a message")?;
    while cursor.eat(", ") {
        operand(cursor)?;
    }
    cursor.expect(")")?;
    let next = edge(cursor, "success", &["success", "unwind"])?;
    Ok(Terminator::Assert(condition, next))
}

/// Behind `asm!(`. The template is printed as it is, quotes and line ends too,
/// so the options at the end are looked for.
fn asm(cursor: &mut Cursor<'_>) -> Read<Terminator> {
    const OPTIONS: &str = ", options(";
    let rest = cursor.rest();
    let Some(options) = rest.find(OPTIONS) else {
        return cursor.miss(OPTIONS);
    };
    cursor.go_to(cursor.at() + options + OPTIONS.len() - 1);
    cursor.expect("(")?;
    if !cursor.sees(")") {
        cursor.text(Stops::NONE, "options")?;
    }
    cursor.expect("))")?;
    if cursor.sees(";") {
        return Ok(Terminator::Asm(Vec::new()));
    }
    let edges = edges(cursor, &["return", "label", "unwind"])?;
    let labelled = edges
        .labelled
        .iter()
        .filter(|(label, _)| *label != "unwind");
    let targets = labelled.map(|(_, block)| *block).chain(edges.plain);
    Ok(Terminator::Asm(targets.collect()))
}

/// The blocks that a terminator leads to.
pub(super) fn targets(terminator: &Terminator) -> impl Iterator<Item = BlockId> + '_ {
    let (one, switch, many): (_, &[(Option<String>, BlockId)], &[BlockId]) = match terminator {
        Terminator::Goto(block)
        | Terminator::Drop(_, block)
        | Terminator::Assert(_, block)
        | Terminator::Yield(_, block) => (Some(*block), &[], &[]),
        Terminator::Call { target, .. } => (*target, &[], &[]),
        Terminator::Switch(_, targets) => (None, targets, &[]),
        Terminator::Asm(targets) => (None, &[], targets),
        Terminator::Return | Terminator::Stop => (None, &[], &[]),
    };
    let switch = switch.iter().map(|(_, block)| *block);
    one.into_iter().chain(switch).chain(many.iter().copied())
}
