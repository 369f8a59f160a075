//! The core language of MoTH (§3, Figure 2) as text.
//!
//! Programs are written as the paper prints them, so that its figures can be
//! typed in and new examples need no compiler:
//!
//! ```
//! let program = commute_lint::core_language::program("
//!     class Cell {
//!         x
//!         atomic getX() { t := this.x; return t }
//!         atomic setX(p0) { this.x := p0 }
//!         incX(val) { tmp := getX(); tmp := tmp + val; setX(tmp) }
//!     }
//!     process worker { c := new Cell; one := 1; c.incX(one) }
//! ")
//! .unwrap();
//! assert_eq!(program.processes[0].name, "worker");
//! ```
//!
//! Beyond Figure 2: expressions may compute (`a + b`, `a < b`, constants),
//! fields may hold arrays (`x := y.f[i]`, `y.f[i] := e`), a call may drop its
//! result, and `process NAME { … }` and `main { … }` say what runs. Classes of
//! variables are inferred; where that does not suffice a parameter or a field
//! says it (`other: Buffer`).

mod display;
mod lower;
mod parser;
pub mod syntax;
mod tokens;
mod types;

#[cfg(test)]
mod tests;

use std::fmt;

use crate::ir;

/// Why a text is not a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for Error {}

/// Reads a program's text.
pub fn parse(text: &str) -> Result<syntax::Program, Error> {
    parser::parse(text)
}

/// Turns a program into control flow graphs.
pub fn lower(program: &syntax::Program) -> Result<ir::Program, Error> {
    lower::lower(program)
}

/// Reads a program's text and turns it into control flow graphs.
pub fn program(text: &str) -> Result<ir::Program, Error> {
    lower(&parse(text)?)
}
