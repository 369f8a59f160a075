//! MIR as `rustc -Zunpretty=mir` prints it, read back.

mod allocation;
mod body;
mod cursor;
mod header;
mod lines;
pub mod parse;
mod place;
mod print;
mod span;
mod statement;
pub mod syntax;
mod terminator;
mod value;
