//! MoTH on the figures of the paper and on the programs of its tables, written
//! in the core language. Each has a twin that is repaired.

mod choices;
mod figures;
mod rust;
mod table_1;
mod table_2;

use commute_lint::{Algorithm, Options, Outcome, core_language, lint};

/// The paper's algorithm.
fn paper() -> Options {
    Options::of(Algorithm::Moth)
}

fn run(text: &str, options: &Options) -> Outcome {
    let program = core_language::program(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    lint(&program, options)
}

/// One line for each violation, sorted: its kind and regions.
fn summary(outcome: &Outcome) -> Vec<String> {
    let lines = outcome.violations.iter().map(|violation| {
        let (first, second) = &violation.regions;
        assert!(!violation.path.is_empty(), "{violation:?}");
        assert!(!violation.others.is_empty(), "{violation:?}");
        format!("{:?} {first} {second}", violation.kind)
    });
    let mut lines: Vec<String> = lines.collect();
    lines.sort();
    lines
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(summary(&run(text, &paper())), expected, "{text}");
}

#[track_caller]
fn check_artho(text: &str, expected: usize) {
    let options = Options::of(Algorithm::Artho);
    let found = summary(&run(text, &options));
    assert_eq!(found.len(), expected, "{found:?}\n{text}");
}
