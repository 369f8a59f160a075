//! One line of a text trace, read with care: every mistake gets its own message
//! at its own column. The quick way through common lines is `quick`; whatever
//! that does not recognise ends here, and tests compare the two.

use commute_model::{Event, Id, NameTable, Names, Op};

use super::action::parse_action;
use super::value::shown;
use super::without_return;
use crate::declared::Declared;
use crate::error::{ErrorKind, Problem};
use crate::limits::MAX_LINE;
use crate::naming::{NameKind, check, is_blank, not_utf8};
use crate::recycle::Recycled;

/// Reads `line`, which has no line feed; `None` for blank lines and comments.
pub(super) fn parse_line(
    line: &[u8],
    names: &mut Names,
    declared: &mut Declared,
    recycled: &mut Recycled,
) -> Result<Option<Event>, Problem> {
    if line.len() > MAX_LINE {
        return Err(line_too_long());
    }
    let line = without_return(line);
    if is_skipped(line) {
        return Ok(None);
    }
    let (thread, operation, location) = split_fields(line)?;
    let thread = name(&mut names.threads, NameKind::Thread, line, thread)?;
    let op = parse_operation(line, operation, names, declared, recycled)?;
    let location = name(&mut names.locations, NameKind::Location, line, location)?;
    Ok(Some(Event {
        thread,
        location,
        op,
    }))
}

/// Whether the line is blank or a comment.
pub(super) fn is_skipped(line: &[u8]) -> bool {
    let first = line.iter().find(|&&b| !is_blank(b) && b != b'\r');
    matches!(first, None | Some(b'#'))
}

/// The one comment that says something: how many operations are not among the events.
pub(super) const MISSED: &[u8] = b"# missed: ";

/// How many operations this line, which is skipped, says are missed.
pub(super) fn missed(line: &[u8]) -> u64 {
    let number = without_return(line).strip_prefix(MISSED);
    let number = number.and_then(|number| std::str::from_utf8(number).ok());
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// The problem of a line that does not fit into the buffer.
pub(super) fn line_too_long() -> Problem {
    Problem::too_long(0, format!("the line is longer than {MAX_LINE} bytes"))
}

/// Where the operation of a line starts, for problems found later.
pub(super) fn operation_start(line: &[u8]) -> usize {
    split_fields(line).map_or(0, |(_, operation, _)| operation.start)
}

/// A part of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Part {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Part {
    /// The part without blanks around it.
    pub(super) fn new(line: &[u8], mut start: usize, mut end: usize) -> Part {
        while start < end && is_blank(line[start]) {
            start += 1;
        }
        while end > start && is_blank(line[end - 1]) {
            end -= 1;
        }
        Part { start, end }
    }

    pub(super) fn of(self, line: &[u8]) -> &[u8] {
        &line[self.start..self.end]
    }
}

fn split_fields(line: &[u8]) -> Result<(Part, Part, Part), Problem> {
    let mut bars = memchr::memchr_iter(b'|', line);
    let end = line.len();
    let Some(first) = bars.next() else {
        let message = "expected `thread|operation|location`, found no `|`";
        return Err(Problem::syntax(end, message));
    };
    let Some(second) = bars.next() else {
        let message = "expected `thread|operation|location`, found only two fields";
        return Err(Problem::syntax(end, message));
    };
    if let Some(third) = bars.next() {
        let message = "expected `thread|operation|location`, found a fourth field \
                       (in a string, write `|` as \\x7c)";
        return Err(Problem::syntax(third, message));
    }
    Ok((
        Part::new(line, 0, first),
        Part::new(line, first + 1, second),
        Part::new(line, second + 1, end),
    ))
}

/// Checks a part of the line and gives it its id.
pub(super) fn name<I: Id>(
    table: &mut NameTable<I>,
    kind: NameKind,
    line: &[u8],
    part: Part,
) -> Result<I, Problem> {
    let text = part.of(line);
    check(kind, text).map_err(|problem| problem.shifted(part.start))?;
    table
        .intern_bytes(text)
        .ok_or_else(|| not_utf8(text).shifted(part.start))
}

/// What is between the parentheses after a keyword.
enum Argument {
    /// There are no parentheses.
    None,
    Some(Part),
}

fn parse_operation(
    line: &[u8],
    operation: Part,
    names: &mut Names,
    declared: &mut Declared,
    recycled: &mut Recycled,
) -> Result<Op, Problem> {
    let text = operation.of(line);
    if text.is_empty() {
        return Err(Problem::syntax(operation.start, "empty operation"));
    }
    let open = memchr::memchr(b'(', text).map(|i| operation.start + i);
    let head = Part::new(line, operation.start, open.unwrap_or(operation.end));
    let keyword = head.of(line);
    if !is_keyword(keyword) {
        return match open {
            Some(open) if keyword.contains(&b'.') => {
                parse_action(line, head, open, operation.end, names, declared, recycled)
            }
            _ => Err(unknown_operation(keyword, operation.start)),
        };
    }
    let argument = match open {
        None => Argument::None,
        Some(open) if matches!(keyword, b"dummy" | b"branch") => {
            Argument::Some(Part::new(line, open, operation.end))
        }
        Some(open) => Argument::Some(between_parentheses(line, open, operation.end)?),
    };
    let needed = |example: &str| match &argument {
        Argument::Some(part) => Ok(*part),
        Argument::None => {
            let message = format!("expected an argument, as in `{example}`");
            Err(Problem::syntax(head.end, message))
        }
    };
    let variable = |names: &mut Names, example| {
        name(
            &mut names.variables,
            NameKind::Variable,
            line,
            needed(example)?,
        )
    };
    let lock =
        |names: &mut Names, example| name(&mut names.locks, NameKind::Lock, line, needed(example)?);
    let thread = |names: &mut Names, example| {
        name(&mut names.threads, NameKind::Thread, line, needed(example)?)
    };
    let condvar = |names: &mut Names, example| {
        name(
            &mut names.condvars,
            NameKind::Condvar,
            line,
            needed(example)?,
        )
    };
    let block = |names: &mut Names| match &argument {
        Argument::Some(part) if part.start < part.end => {
            name(&mut names.blocks, NameKind::Block, line, *part).map(Some)
        }
        _ => Ok(None),
    };
    Ok(match keyword {
        b"r" => Op::Read(variable(names, "r(x)")?),
        b"w" => Op::Write(variable(names, "w(x)")?),
        b"acq" => Op::Acquire(lock(names, "acq(l)")?),
        b"rel" => Op::Release(lock(names, "rel(l)")?),
        b"racq" => Op::ReadAcquire(lock(names, "racq(l)")?),
        b"rrel" => Op::ReadRelease(lock(names, "rrel(l)")?),
        b"fork" => Op::Fork(thread(names, "fork(T2)")?),
        b"join" => Op::Join(thread(names, "join(T2)")?),
        b"begin" => Op::Begin(block(names)?),
        b"end" => Op::End(block(names)?),
        b"alloc" => Op::Alloc(variable(names, "alloc(x)")?),
        b"free" => Op::Free(variable(names, "free(x)")?),
        b"notify" | b"signal" => Op::Notify(condvar(names, "notify(c)")?),
        b"notify_all" | b"broadcast" => Op::NotifyAll(condvar(names, "notify_all(c)")?),
        b"wait" | b"wait_begin" | b"wake" => {
            let part = needed("wait(c,m)")?;
            let (condvar, lock) = split_pair(line, part, b',', Search::First).ok_or_else(|| {
                Problem::syntax(part.end, "expected a condition variable and a lock: `c,m`")
            })?;
            let condvar = name(&mut names.condvars, NameKind::Condvar, line, condvar)?;
            let lock = name(&mut names.locks, NameKind::Lock, line, lock)?;
            if keyword == b"wake" {
                Op::Wake(condvar, lock)
            } else {
                Op::Wait(condvar, lock)
            }
        }
        b"new" => {
            let part = needed("new(o:type)")?;
            let (object, type_name) =
                split_pair(line, part, b':', Search::Last).ok_or_else(|| {
                    Problem::syntax(part.end, "expected an object and its type: `o:type`")
                })?;
            let object = name(&mut names.objects, NameKind::Object, line, object)?;
            let type_name = name(&mut names.types, NameKind::Type, line, type_name)?;
            declared.insert(object);
            Op::New(object, type_name)
        }
        b"drop" => {
            let part = needed("drop(o)")?;
            let object = name(&mut names.objects, NameKind::Object, line, part)?;
            if !declared.contains(object) {
                return Err(undeclared(part.of(line), operation.start));
            }
            Op::Drop(object)
        }
        b"dummy" => Op::Dummy,
        _ => Op::Branch,
    })
}

fn is_keyword(word: &[u8]) -> bool {
    matches!(
        word,
        b"r" | b"w"
            | b"acq"
            | b"rel"
            | b"racq"
            | b"rrel"
            | b"fork"
            | b"join"
            | b"begin"
            | b"end"
            | b"wait"
            | b"wait_begin"
            | b"wake"
            | b"notify"
            | b"signal"
            | b"notify_all"
            | b"broadcast"
            | b"alloc"
            | b"free"
            | b"new"
            | b"drop"
            | b"dummy"
            | b"branch"
    )
}

/// The part between the parenthesis at `open` and the one that closes it, which
/// must be the last character before `end`. Names may have parentheses of their
/// own if they match.
fn between_parentheses(line: &[u8], open: usize, end: usize) -> Result<Part, Problem> {
    let mut depth = 0usize;
    for at in open..end {
        match line[at] {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            let after = Part::new(line, at + 1, end);
            if after.start < after.end {
                let message = format!("unexpected `{}` after `)`", shown(after.of(line)));
                return Err(Problem::syntax(after.start, message));
            }
            return Ok(Part::new(line, open + 1, at));
        }
    }
    Err(Problem::syntax(end, "missing `)`"))
}

enum Search {
    First,
    Last,
}

fn split_pair(line: &[u8], part: Part, at: u8, search: Search) -> Option<(Part, Part)> {
    let text = part.of(line);
    let middle = part.start
        + match search {
            Search::First => memchr::memchr(at, text)?,
            Search::Last => memchr::memrchr(at, text)?,
        };
    Some((
        Part::new(line, part.start, middle),
        Part::new(line, middle + 1, part.end),
    ))
}

#[cold]
fn unknown_operation(word: &[u8], at: usize) -> Problem {
    let message = format!(
        "unknown operation `{}`; an action is written `object.method(arguments)/result`",
        shown(word)
    );
    Problem::syntax(at, message)
}

/// The problem of an action on an object that `new` never declared.
#[cold]
pub(super) fn undeclared(object: &[u8], at: usize) -> Problem {
    let object = shown(object);
    Problem {
        kind: ErrorKind::Undeclared,
        at,
        message: format!(
            "the type of object `{object}` is not declared; \
             write `new({object}:type)` before it or pass `--object {object}=type`"
        ),
    }
}
