//! `cargo run -p commute-lint --example lint -- [-v] DIR FILE…`: what the
//! analysis finds in MIR, with sources below DIR, or in jars. With `-v`
//! everything: two versions of the analysis that print the same find the same.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "it is its purpose"
)]

use std::path::{Path, PathBuf};
use std::time::Instant;

use commute_lint::ir::Program;
use commute_lint::rust::{CrateInfo, mir, program};
use commute_lint::{Confidence, Options, java, lint};

fn main() {
    let mut arguments = std::env::args().skip(1).peekable();
    let all = arguments.next_if(|first| first == "-v").is_some();
    let root = arguments.next().unwrap_or_else(|| ".".to_owned());
    for file in arguments {
        let begin = Instant::now();
        let program = match file.ends_with(".mir") {
            true => rust(&root, &file),
            false => java::program(&java::archive::read(&[PathBuf::from(&file)]).inputs),
        };
        let lowered = begin.elapsed();
        eprintln!("{file}: read in {lowered:?}");
        let outcome = lint(&program, &Options::default());
        let analysed = begin.elapsed() - lowered;
        for violation in &outcome.violations {
            if violation.confidence == Confidence::Low && !all {
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
            if all {
                println!("  {violation:?}");
            }
        }
        for limit in outcome.limits.iter().filter(|_| all) {
            println!("{limit}");
        }
        println!(
            "{file}: {} functions, {} regions, {} violations, {} limits",
            program.functions.len(),
            outcome.regions,
            outcome.violations.len(),
            outcome.limits.len(),
        );
        eprintln!("{file}: analysed in {analysed:?}");
    }
}

fn rust(root: &str, file: &str) -> Program {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let info = CrateInfo {
        name: "krate".to_owned(),
        root: root.to_owned(),
        edition: "2024".to_owned(),
        library: !text.contains("\nfn main()"),
    };
    let finder = |name: &str| std::fs::read_to_string(Path::new(root).join(name)).ok();
    program(vec![(info, mir::parse::parse(&text))], &finder)
}
