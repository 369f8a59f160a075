//! MIR as `rustc -Zunpretty=mir` prints it, read back.

pub mod syntax;
