//! Actions on library objects: `object.method(arguments)/result`.

use commute_model::{Names, Op};

use super::line::{Part, name, undeclared};
use super::value::{parse_value, shown, skip_blanks};
use crate::declared::Declared;
use crate::error::Problem;
use crate::naming::NameKind;
use crate::recycle::{Recycled, Slots};

/// Reads the action whose object and method are `head` and whose arguments
/// start after the parenthesis at `open`; the operation ends at `end`. The
/// method is what follows the last dot: names of objects may have dots.
pub(super) fn parse_action(
    line: &[u8],
    head: Part,
    open: usize,
    end: usize,
    names: &mut Names,
    declared: &Declared,
    recycled: &mut Recycled,
) -> Result<Op, Problem> {
    let text = head.of(line);
    let dot = head.start + memchr::memrchr(b'.', text).unwrap_or(0);
    let object_part = Part::new(line, head.start, dot);
    let method_part = Part::new(line, dot + 1, head.end);
    let object = name(&mut names.objects, NameKind::Object, line, object_part)?;
    if !declared.contains(object) {
        return Err(undeclared(object_part.of(line), head.start));
    }
    let method = name(&mut names.methods, NameKind::Method, line, method_part)?;
    let mut at = open + 1;
    let action = recycled.action(object, method, |slots| {
        parse_call(&line[..end], &mut at, slots)
    })?;
    if at < end {
        let message = format!("unexpected `{}` after the action", shown(&line[at..end]));
        return Err(Problem::syntax(at, message));
    }
    Ok(Op::Action(action))
}

/// Reads arguments, the closing parenthesis and the result, if there is one.
/// `at` starts after the opening parenthesis and ends after the last blank.
#[inline]
pub(super) fn parse_call(
    text: &[u8],
    at: &mut usize,
    slots: &mut Slots<'_>,
) -> Result<(), Problem> {
    let open = *at - 1;
    skip_blanks(text, at);
    if text.get(*at) != Some(&b')') {
        loop {
            if matches!(text.get(*at), None | Some(b'|')) {
                return Err(no_closing(open));
            }
            *slots.arg() = parse_value(text, at, 0)?;
            match text.get(*at) {
                Some(b',') => *at += 1,
                Some(b')') => break,
                None | Some(b'|') => return Err(no_closing(open)),
                Some(_) => {
                    return Err(Problem::syntax(
                        *at,
                        "expected `,` or `)` after an argument",
                    ));
                }
            }
        }
    }
    *at += 1;
    skip_blanks(text, at);
    if text.get(*at) == Some(&b'/') {
        *at += 1;
        *slots.result() = parse_value(text, at, 0)?;
    } else {
        slots.no_result();
    }
    Ok(())
}

#[cold]
fn no_closing(open: usize) -> Problem {
    Problem::syntax(open, "this `(` has no closing `)`")
}
