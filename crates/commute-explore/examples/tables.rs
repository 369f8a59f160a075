//! Prints the tables of chapter 4 of the thesis with ours beside: executions, then seconds.
//!
//! `cargo run --release -p commute-explore --example tables [SECONDS]`, where each engine
//! may take so long for a program.

use std::time::Duration;

use commute_explore::thesis::{rows, table};

#[expect(clippy::print_stdout, reason = "it prints")]
fn main() -> Result<(), String> {
    let seconds = match std::env::args().nth(1) {
        None => 20,
        Some(seconds) => seconds
            .parse()
            .map_err(|_| "expected a number of seconds")?,
    };
    let engines = ["outcomes", "dpor", "ncmc", "mcr", "printed"];
    let most = (u64::MAX, Duration::from_secs(seconds));
    table(&rows(), &engines, most, &mut |line| println!("{line}"))?;
    println!("{LEGEND}");
    Ok(())
}

const LEGEND: &str = "
Executions, then seconds, up to the first failure. JMCR and NCMC are what the thesis prints;
`-` did not end within 15 minutes there. Others are measured here: `>N s` did not end within
N seconds, `N?` has seen N outcomes and cannot tell whether there are more. `printed` is
Algorithm 6 as it is printed; in brackets, how many of the outcomes it sees: there are as
many as `outcomes` has executions.";
