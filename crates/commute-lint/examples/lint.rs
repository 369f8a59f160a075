//! `cargo run -p commute-lint --example lint -- DIR FILE.mir…`: what the
//! analysis finds in MIR, with sources below DIR.
#![allow(clippy::print_stdout, reason = "it is its purpose")]

use std::path::Path;
use std::time::Instant;

use commute_lint::rust::{CrateInfo, mir, program};
use commute_lint::{Options, lint};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let root = arguments.next().unwrap_or_else(|| ".".to_owned());
    let all = std::env::var_os("ALL").is_some();
    for file in arguments {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let begin = Instant::now();
        let info = CrateInfo {
            name: "krate".to_owned(),
            root: root.clone(),
            edition: "2024".to_owned(),
            library: !text.contains("\nfn main()"),
        };
        let finder = |name: &str| std::fs::read_to_string(Path::new(&root).join(name)).ok();
        let program = program(vec![(info, mir::parse::parse(&text))], &finder);
        let lowered = begin.elapsed();
        let outcome = lint(&program, &Options::default());
        for violation in &outcome.violations {
            if violation.confidence == commute_lint::Confidence::Low && !all {
                continue;
            }
            println!(
                "{:?} {:?}: {}",
                violation.kind, violation.confidence, violation.title
            );
            for stop in violation.path.iter().chain(&violation.others) {
                println!(
                    "  {} [{}] {}",
                    program.location(stop.site),
                    stop.function,
                    stop.what
                );
            }
        }
        println!(
            "{file}: {} functions, {} regions, {} violations, {} limits, {lowered:?} + {:?}",
            program.functions.len(),
            outcome.regions,
            outcome.violations.len(),
            outcome.limits.len(),
            begin.elapsed() - lowered
        );
    }
}
