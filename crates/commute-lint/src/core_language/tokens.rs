//! The words of a text, with their places.

use super::Error;
use super::syntax::Position;

/// A word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// A name or a keyword.
    Word(String),
    /// A number.
    Number(String),
    /// Anything else.
    Sign(&'static str),
    /// Nothing more.
    End,
}

impl Token {
    /// As an error message calls it.
    pub(super) fn describe(&self) -> String {
        match self {
            Token::Word(text) | Token::Number(text) => format!("`{text}`"),
            Token::Sign(text) => format!("`{text}`"),
            Token::End => "the end".to_owned(),
        }
    }
}

/// Longer signs come first: `:=` is not `:` and `=`.
const SIGNS: &[&str] = &[
    ":=", "==", "!=", "<=", ">=", "&&", "||", "{", "}", "(", ")", "[", "]", ".", ",", ";", ":",
    "<", ">", "+", "-", "*", "!",
];

/// The signs between two expressions.
pub(super) const OPERATORS: &[&str] =
    &["==", "!=", "<=", ">=", "&&", "||", "<", ">", "+", "-", "*"];

pub(super) fn tokens(text: &str) -> Result<Vec<(Token, Position)>, Error> {
    let mut found = Vec::new();
    let mut at = Position { line: 1, column: 1 };
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            let end = rest.find("*/").ok_or_else(|| Error {
                line: at.line,
                column: at.column,
                message: "this comment has no end".to_owned(),
            })?;
            end + 2
        } else if first.is_whitespace() {
            first.len_utf8()
        } else if first.is_alphabetic() || first == '_' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            let end = end.unwrap_or(rest.len());
            found.push((Token::Word(rest[..end].to_owned()), at));
            end
        } else if first.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_digit());
            let end = end.unwrap_or(rest.len());
            found.push((Token::Number(rest[..end].to_owned()), at));
            end
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            found.push((Token::Sign(sign), at));
            sign.len()
        } else {
            return Err(Error {
                line: at.line,
                column: at.column,
                message: format!("`{first}` has no meaning here"),
            });
        };
        for c in rest[..length].chars() {
            if c == '\n' {
                at = Position {
                    line: at.line.saturating_add(1),
                    column: 1,
                };
            } else {
                at.column = at.column.saturating_add(1);
            }
        }
        rest = &rest[length..];
    }
    found.push((Token::End, at));
    Ok(found)
}
