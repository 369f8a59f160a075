//! Prints the tables of chapter 4 of the thesis with ours beside.
//!
//! `cargo run --release -p commute-explore --example tables`

use std::time::Duration;

use commute_explore::thesis::{rows, table};

#[expect(clippy::print_stdout, reason = "it prints")]
fn main() -> Result<(), String> {
    let engines = ["outcomes", "dpor", "ncmc", "mcr"];
    print!(
        "{}",
        table(&rows(), &engines, 100_000, Duration::from_secs(20))?
    );
    Ok(())
}
