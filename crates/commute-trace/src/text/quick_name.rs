//! The quick way through names.

use commute_model::{Id, NameTable};

use super::memory::{Field, Numbered, Numbers};
use crate::naming::{NameKind, check, is_blank};

/// A short name between parentheses, at the end of its field.
pub(super) struct Argument<'a> {
    text: &'a [u8],
    /// Its parts, if it is even shorter and ends with a number.
    pub(super) numbered: Option<Numbered>,
    /// Where the next field starts.
    pub(super) next: usize,
}

impl<'a> Argument<'a> {
    /// The name that starts at `at`, after the parenthesis.
    #[inline(always)]
    pub(super) fn read(bytes: &'a [u8], at: usize) -> Option<Argument<'a>> {
        let field = Field::read(bytes, at, b')')?;
        let next = at + field.len + 2;
        if bytes.get(next - 1) != Some(&b'|') {
            return None;
        }
        Some(Argument {
            text: bytes.get(at..at + field.len)?,
            numbered: match field.len {
                0..=7 => Numbered::split(field.low(), field.len),
                _ => None,
            },
            next,
        })
    }

    /// Its id.
    #[inline(always)]
    pub(super) fn id<I: Id>(
        &self,
        numbers: &mut Numbers,
        kind: NameKind,
        table: &mut NameTable<I>,
    ) -> Option<I> {
        let Some(numbered) = self.numbered else {
            return known(table, kind, self.text);
        };
        if let Some(id) = numbers.get(numbered) {
            return Some(I::from_index(id as usize));
        }
        let id = known(table, kind, self.text)?;
        numbers.put(numbered, id.index() as u32);
        Some(id)
    }
}

/// The id of a name that is probably in the table. A name that is not must be
/// legal; if it is not, the careful way finds out why, and reading ends there.
/// Only blanks around a name are no mistake, so they must not get this far.
#[inline]
pub(super) fn known<I: Id>(table: &mut NameTable<I>, kind: NameKind, text: &[u8]) -> Option<I> {
    let (&first, &last) = (text.first()?, text.last()?);
    if first <= b' ' || last <= b' ' {
        return None;
    }
    let before = table.len();
    let id = table.intern_bytes(text)?;
    (id.index() < before || check(kind, text).is_ok()).then_some(id)
}

/// The id of a name after the full check. Blanks around it are not part of it.
pub(super) fn fresh<I: Id>(table: &mut NameTable<I>, kind: NameKind, text: &[u8]) -> Option<I> {
    let text = trim(text);
    check(kind, text).ok()?;
    table.intern_bytes(text)
}

/// The field without blanks around it.
pub(super) fn trim(text: &[u8]) -> &[u8] {
    let start = text
        .iter()
        .position(|&b| !is_blank(b))
        .unwrap_or(text.len());
    let end = text
        .iter()
        .rposition(|&b| !is_blank(b))
        .map_or(start, |i| i + 1);
    &text[start..end]
}
