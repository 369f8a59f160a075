//! The comments behind lines, which say where in the source they come from.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::cursor::{Cursor, Read};
use super::syntax::Span;

/// The names of files, each once.
#[derive(Default)]
pub(super) struct Files {
    known: FxHashSet<Arc<str>>,
    /// The one before: most lines are of the same file.
    last: Option<Arc<str>>,
}

impl Files {
    fn get(&mut self, name: &str) -> Arc<str> {
        if let Some(last) = &self.last
            && **last == *name
        {
            return Arc::clone(last);
        }
        let file = match self.known.get(name) {
            Some(file) => Arc::clone(file),
            None => {
                let file: Arc<str> = name.into();
                self.known.insert(Arc::clone(&file));
                file
            }
        };
        self.last = Some(Arc::clone(&file));
        file
    }
}

/// The rest of a line: nothing, or `// scope 0 at src/main.rs:6:32: 6:42` with
/// these words before `scope`.
pub(super) fn comment(
    cursor: &mut Cursor<'_>,
    words: &'static str,
    files: &mut Files,
) -> Read<Option<Span>> {
    if cursor.at_end() {
        return Ok(None);
    }
    while cursor.eat(" ") {}
    cursor.expect("//")?;
    cursor.expect(words)?;
    cursor.expect(" scope ")?;
    cursor.digits()?;
    cursor.expect(" at ")?;
    location(cursor, files)
}

/// `src/main.rs:6:32: 6:42`, up to the end of the line.
pub(super) fn location(cursor: &mut Cursor<'_>, files: &mut Files) -> Read<Option<Span>> {
    let rest = cursor.rest();
    if rest == "no-location" {
        return Ok(None);
    }
    // From behind, because a path may contain anything.
    let mut left = rest;
    let mut numbers = [0; 4];
    for (number, before) in numbers.iter_mut().zip([":", ": ", ":", ":"]) {
        let digits = left.bytes().rev().take_while(u8::is_ascii_digit).count();
        let (rest, digits) = left.split_at(left.len() - digits);
        let parsed = digits.parse();
        let (Ok(parsed), Some(rest)) = (parsed, rest.strip_suffix(before)) else {
            return cursor.miss("a place in the source");
        };
        *number = parsed;
        left = rest;
    }
    if left.is_empty() {
        return cursor.miss("a file");
    }
    let [end_column, end_line, column, line] = numbers;
    Ok(Some(Span {
        file: files.get(left),
        line,
        column,
        end_line,
        end_column,
    }))
}
