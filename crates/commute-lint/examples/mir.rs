//! Reads MIR files and says what is in them and how long that took.
#![allow(clippy::print_stdout)]

use std::time::Instant;

use commute_lint::rust::mir::parse::parse;
use commute_lint::rust::mir::syntax::Terminator;

fn main() -> std::io::Result<()> {
    for file in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&file)?;
        let begin = Instant::now();
        let mir = parse(&text);
        let seconds = begin.elapsed().as_secs_f64();
        let blocks = || mir.bodies.iter().flat_map(|body| &body.blocks);
        let statements: usize = blocks().map(|block| block.statements.len() + 1).sum();
        let calls = blocks().filter(|block| matches!(block.terminator, Terminator::Call { .. }));
        let megabytes = text.len() as f64 / 1e6;
        println!(
            "{file}: {megabytes:.1} MB, {} bodies, {statements} statements, {} calls, {} statics, {} unknown, {:.0} MB/s",
            mir.bodies.len(),
            calls.count(),
            mir.statics.len(),
            mir.unknown.len(),
            megabytes / seconds,
        );
        for unknown in mir.unknown.iter().take(10) {
            println!(
                "    {}:{}: expected {}: {}",
                unknown.line, unknown.column, unknown.expected, unknown.text
            );
        }
    }
    Ok(())
}
