//! The specification language.
//!
//! ```text
//! file      = { "type" name [ "(" name ")" ] "{" { item [";"] } "}" }
//! item      = "model" name
//!           | "orders" ( "atomic" | "barrier" )
//!           | "orders" actions "->" actions [ "fifo" | "counting" [ "from" ( name | 12 ) ] ]
//!           | name "(" names ")" [ "->" results ] [ "mutates" [ condition ] ]
//!           | [ "order" ] pattern "~" pattern { "," pattern "~" pattern } ":" condition
//! pattern   = name [ "(" names ")" ] [ "/" results ]
//! results   = name | "(" names ")"
//! actions   = action { "|" action }
//! action    = name [ "(" slots ")" ] [ "/" ( slot | "(" slots ")" ) ] [ "if" condition ]
//! slot      = name | "nil" | "true" | "false" | 12 | 'text'
//! condition = "||", "&&", "==" "!=" "<" "<=" ">" ">=", "+" "-", "*" "/" "%", "!" "-"  (loosest first)
//!           | "nil" | "true" | "false" | "MIN" | "MAX" | "state" | "()" | 12 | 'text' | variable
//!           | ( "app" | "has" | "len" ) "(" conditions ")" | "(" condition ")"
//! ```
//!
//! `#` and `//` begin a comment. Several pairs may share a condition; each is
//! then read with its own variables. The parser is one of recursive descent
//! that goes on after an error with the next item and finds all errors of a
//! file in one pass. Time and memory are linear in the text; nesting is bounded
//! ([`expression`]), so no input exhausts the stack.

mod advice;
mod cursor;
mod diagnostics;
mod expression;
mod items;
mod judge;
mod lexer;
mod meaning;
mod pairs;
mod resolve;
#[cfg(test)]
mod robustness;
mod rules;
mod syntax;
#[cfg(test)]
mod tests;
mod types;

use commute_model::{Code, Diagnostic};
use rustc_hash::FxHashMap;

use crate::specification::Specification;
use cursor::{Cursor, shorten};

/// How many values the search for counterexamples tries in one file.
const MOST_TRIES: usize = 2_000_000;

/// What a text says, and what is wrong with it.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The types without errors, in the order of the text.
    pub specifications: Vec<Specification>,
    /// Errors, warnings and notes, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads the specifications of a file.
///
/// ```
/// let parsed = commute_spec::parse(
///     "type register {
///        read() -> v
///        write(v) -> p  mutates v != p
///        read ~ read : true
///        read() ~ write(v2)/p2 : v2 == p2
///        write(v1)/p1 ~ write(v2)/p2 : v1 == p1 && v2 == p2
///      }",
/// );
/// assert!(parsed.diagnostics.is_empty());
/// assert_eq!(parsed.specifications[0].methods.len(), 2);
/// ```
pub fn parse(text: &str) -> Parsed {
    let mut cursor = Cursor::new(text);
    let mut specifications = Vec::new();
    let mut names = FxHashMap::default();
    let mut budget = MOST_TRIES;
    while let Some((written, whole)) = cursor.next_type() {
        let name = written.name;
        let errors = cursor.diagnostics.errors();
        if let Some(first) = names.insert(name.text, name.span) {
            cursor.diagnostics.error(|| {
                let message = format!("type `{}` is declared twice", shorten(name.text));
                Diagnostic::error(Code::CM904, name.span, message).related(first, "first here")
            });
            names.insert(name.text, first);
        }
        let spec = resolve::resolve(&written, whole, &mut budget, &mut cursor.diagnostics);
        if whole && cursor.diagnostics.errors() == errors {
            specifications.push(spec);
        }
    }
    Parsed {
        specifications,
        diagnostics: cursor.diagnostics.finish(),
    }
}
