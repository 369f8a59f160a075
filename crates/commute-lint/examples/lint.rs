//! `cargo run -p commute-lint --example lint -- DIR FILE…`: what the analysis
//! finds in MIR, with sources below DIR, and in jars.
#![allow(clippy::print_stdout, reason = "it is its purpose")]

use std::path::Path;
use std::time::Instant;

use commute_lint::ir::Program;
use commute_lint::rust::{CrateInfo, mir};
use commute_lint::{Options, java, lint, rust};

fn program(root: &str, file: &str) -> Program {
    if file.ends_with(".jar") {
        return java::program(&java::archive::read(&[file.into()]).inputs);
    }
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let info = CrateInfo {
        name: "krate".to_owned(),
        root: root.to_owned(),
        edition: "2024".to_owned(),
        library: !text.contains("\nfn main()"),
    };
    let finder = |name: &str| std::fs::read_to_string(Path::new(root).join(name)).ok();
    rust::program(vec![(info, mir::parse::parse(&text))], &finder)
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let root = arguments.next().unwrap_or_else(|| ".".to_owned());
    let all = std::env::var_os("ALL").is_some();
    for file in arguments {
        let begin = Instant::now();
        let program = program(&root, &file);
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
