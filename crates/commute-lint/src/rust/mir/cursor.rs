//! A cursor over one line. Everything that MIR prints in a line of its own is
//! read with it, from left to right and without going back.

use memchr::memchr2;
use smallvec::SmallVec;

use super::syntax::{BlockId, Local};

/// What was expected where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Miss {
    /// The byte of the line.
    pub(super) at: usize,
    /// What was expected there.
    pub(super) expected: &'static str,
}

/// What reading gives.
pub(super) type Read<T> = Result<T, Miss>;

/// Where text that is not looked into ends, outside of brackets and strings. A
/// closing bracket that was not opened always ends it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Stops(u8);

impl Stops {
    pub(super) const NONE: Stops = Stops(0);
    pub(super) const COMMA: Stops = Stops(1);
    pub(super) const SEMICOLON: Stops = Stops(2);
    /// `(`.
    pub(super) const PAREN: Stops = Stops(4);
    /// Any space.
    pub(super) const SPACE: Stops = Stops(8);
    /// ` as `.
    pub(super) const AS: Stops = Stops(16);
    /// ` -> `.
    pub(super) const ARROW: Stops = Stops(32);
    /// A colon and a space.
    pub(super) const COLON: Stops = Stops(64);
    /// ` = `.
    pub(super) const EQUALS: Stops = Stops(128);

    pub(super) const fn and(self, other: Stops) -> Stops {
        Stops(self.0 | other.0)
    }

    fn has(self, other: Stops) -> bool {
        self.0 & other.0 != 0
    }
}

/// Text that is not looked into.
#[derive(Clone, Copy)]
pub(super) struct Text<'a> {
    pub(super) text: &'a str,
    /// Where its last group in parentheses begins that is in no other bracket.
    pub(super) group: Option<usize>,
}

/// Bytes that mean something in text; all others are passed over quickly.
const SPECIAL: [bool; 256] = {
    let mut special = [false; 256];
    let bytes = b"()[]{}<>\"',;: ";
    let mut next = 0;
    while next < bytes.len() {
        special[bytes[next] as usize] = true;
        next += 1;
    }
    special
};

/// A cursor over one line.
pub(super) struct Cursor<'a> {
    line: &'a str,
    at: usize,
    /// How many locals there are, as far as that is known.
    locals: u32,
}

impl<'a> Cursor<'a> {
    /// At the beginning of a line.
    pub(super) fn new(line: &'a str) -> Cursor<'a> {
        Cursor {
            line,
            at: 0,
            locals: u32::MAX,
        }
    }

    /// Behind the spaces that a line of a body with so many locals begins with.
    pub(super) fn indented(line: &'a str, locals: u32) -> Cursor<'a> {
        let at = line.bytes().take_while(|byte| *byte == b' ').count();
        Cursor { line, at, locals }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn go_to(&mut self, at: usize) {
        self.at = at;
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.line.as_bytes().get(self.at).copied()
    }

    /// The rest of the line.
    pub(super) fn rest(&self) -> &'a str {
        &self.line[self.at..]
    }

    pub(super) fn at_end(&self) -> bool {
        self.at == self.line.len()
    }

    pub(super) fn sees(&self, token: &str) -> bool {
        self.line.as_bytes()[self.at..].starts_with(token.as_bytes())
    }

    pub(super) fn eat(&mut self, token: &str) -> bool {
        let there = self.sees(token);
        if there {
            self.at += token.len();
        }
        there
    }

    pub(super) fn miss<T>(&self, expected: &'static str) -> Read<T> {
        Err(Miss {
            at: self.at,
            expected,
        })
    }

    pub(super) fn expect(&mut self, token: &'static str) -> Read<()> {
        if self.eat(token) {
            Ok(())
        } else {
            self.miss(token)
        }
    }

    /// Digits, as they are.
    pub(super) fn digits(&mut self) -> Read<&'a str> {
        let rest = self.rest();
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        if length == 0 {
            return self.miss("a number");
        }
        self.at += length;
        Ok(&rest[..length])
    }

    pub(super) fn number(&mut self) -> Read<u32> {
        let at = self.at;
        let digits = self.digits()?;
        digits.parse().map_err(|_| Miss {
            at,
            expected: "a number below 2^32",
        })
    }

    /// `_3`.
    pub(super) fn local(&mut self) -> Read<Local> {
        let at = self.at;
        if !self.eat("_") {
            return self.miss("a local");
        }
        let local = self.number()?;
        if local < self.locals {
            Ok(Local(local))
        } else {
            Err(Miss {
                at,
                expected: "a local that is declared",
            })
        }
    }

    /// `bb3`.
    pub(super) fn block(&mut self) -> Read<BlockId> {
        if !self.eat("bb") {
            return self.miss("a block");
        }
        self.number().map(BlockId)
    }

    /// A word: letters, digits and underscores, also beyond ASCII.
    pub(super) fn word(&mut self) -> Read<&'a str> {
        let rest = self.rest();
        let length = rest.bytes().take_while(|byte| is_word(*byte)).count();
        if length == 0 {
            return self.miss("a word");
        }
        self.at += length;
        Ok(&rest[..length])
    }

    /// A path of a function, constant or type, as values have it: no spaces
    /// outside of its brackets.
    pub(super) fn path(&mut self) -> Read<&'a str> {
        let begin = self.at;
        let stops = Stops::SPACE.and(Stops::COMMA).and(Stops::SEMICOLON);
        let path = self.text(stops.and(Stops::PAREN), "a path")?.text;
        let bytes = path.as_bytes();
        let starts_well = matches!(bytes[0], b'<' | b'{') || is_word(bytes[0]);
        if !starts_well || bytes[0].is_ascii_digit() || is_local(bytes) || !is_path(bytes) {
            self.at = begin;
            return self.miss("a path");
        }
        Ok(path)
    }

    /// A type: everything up to where it stops.
    pub(super) fn ty(&mut self, stops: Stops) -> Read<&'a str> {
        Ok(self.text(stops, "a type")?.text)
    }

    /// Text in which only brackets, strings and characters count, at least one
    /// byte.
    pub(super) fn text(&mut self, stops: Stops, expected: &'static str) -> Read<Text<'a>> {
        let bytes = self.line.as_bytes();
        let begin = self.at;
        let mut at = begin;
        let mut group = None;
        let mut open: SmallVec<[u8; 64]> = SmallVec::new();
        while let Some(&byte) = bytes.get(at) {
            if !SPECIAL[byte as usize] {
                at += 1;
                continue;
            }
            let outside = open.is_empty();
            match byte {
                b'"' => at = string_end(bytes, at).ok_or(Miss { at, expected: "\"" })?,
                b'\'' => at = character_end(self.line, at),
                // `<` in braces may be an operator, for example of a constant
                // expression: only what is between the braces' own brackets
                // is matched.
                b'<' | b'>' if open.last() == Some(&b'{') => at += 1,
                b'>' if at > begin && matches!(bytes[at - 1], b'-' | b'=') => at += 1,
                b'(' | b'[' | b'{' | b'<' => {
                    if outside && byte == b'(' {
                        if stops.has(Stops::PAREN) {
                            break;
                        }
                        group = Some(at);
                    }
                    open.push(byte);
                    at += 1;
                }
                b')' | b']' | b'}' | b'>' => {
                    if outside {
                        // The space of `{ f: const 1_u8 }` is the brace's.
                        if byte == b'}' && at > begin && bytes[at - 1] == b' ' {
                            at -= 1;
                        }
                        break;
                    }
                    if open.pop() != Some(opening(byte)) {
                        return Err(Miss {
                            at,
                            expected: "another closing bracket",
                        });
                    }
                    at += 1;
                }
                _ if !outside => at += 1,
                b',' if stops.has(Stops::COMMA) => break,
                b';' if stops.has(Stops::SEMICOLON) => break,
                b':' if stops.has(Stops::COLON) && bytes.get(at + 1) == Some(&b' ') => break,
                b' ' if stops_at_space(stops, &bytes[at..]) => break,
                _ => at += 1,
            }
        }
        if !open.is_empty() {
            return Err(Miss {
                at,
                expected: "a closing bracket",
            });
        }
        self.at = at;
        if at == begin {
            return self.miss(expected);
        }
        Ok(Text {
            text: &self.line[begin..at],
            group,
        })
    }
}

fn stops_at_space(stops: Stops, rest: &[u8]) -> bool {
    stops.has(Stops::SPACE)
        || stops.has(Stops::AS) && rest.starts_with(b" as ")
        || stops.has(Stops::ARROW) && rest.starts_with(b" -> ")
        || stops.has(Stops::EQUALS) && rest.starts_with(b" = ")
}

fn opening(closing: u8) -> u8 {
    match closing {
        b')' => b'(',
        b']' => b'[',
        b'}' => b'{',
        _ => b'<',
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn is_local(path: &[u8]) -> bool {
    path[0] == b'_' && path.len() > 1 && path[1..].iter().all(u8::is_ascii_digit)
}

/// Whether only what belongs into a path is outside of its brackets. The
/// brackets themselves match.
fn is_path(path: &[u8]) -> bool {
    let mut depth = 0;
    let mut before = 0;
    for &byte in path {
        match byte {
            b'<' | b'{' | b'[' | b'(' => depth += 1,
            b'>' if before == b'-' || before == b'=' => {}
            b'>' | b'}' | b']' | b')' => depth -= 1,
            // Strings and characters may have brackets in them.
            b'"' | b'\'' => return true,
            _ if depth > 0 => {}
            b':' | b'#' => {}
            _ if is_word(byte) => {}
            _ => return false,
        }
        before = byte;
    }
    true
}

/// Where the string that begins here is over.
fn string_end(bytes: &[u8], quote: usize) -> Option<usize> {
    let mut at = quote + 1;
    loop {
        at += memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b'"' {
            return Some(at + 1);
        }
        at += 2;
    }
}

/// Where the character that begins here is over; a lifetime is over behind its
/// apostrophe.
fn character_end(line: &str, quote: usize) -> usize {
    let mut rest = line[quote + 1..].char_indices();
    match rest.next() {
        Some((_, '\\')) => {
            rest.next();
            match rest.find(|(_, character)| *character == '\'') {
                Some((end, _)) => quote + 1 + end + 1,
                None => quote + 1,
            }
        }
        Some(_) => match rest.next() {
            Some((end, '\'')) => quote + 1 + end + 1,
            _ => quote + 1,
        },
        None => quote + 1,
    }
}
