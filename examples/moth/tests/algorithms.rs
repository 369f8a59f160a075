//! Every algorithm of `commute lint` reads every program in both languages, with
//! the options of the command.

#[path = "../examples/tables/rows/languages.rs"]
mod languages;

use commute_lint::ir::Program;
use commute_lint::{Algorithm, Options, lint};
use commute_moth::PROGRAMS;
use commute_testkit::tools;

/// Every program and its repaired twin, by name.
fn names() -> impl Iterator<Item = String> {
    let twins = PROGRAMS.iter().map(|known| known.repaired());
    let programs = PROGRAMS.iter().map(|known| known.name.to_owned());
    programs.chain(twins)
}

/// Runs every algorithm and requires that it saw all critical sections and reached
/// no bound.
fn check(language: &str, name: &str, program: &Program) {
    assert_eq!(program.gaps, [], "{name} in {language}");
    for algorithm in Algorithm::ALL {
        let outcome = lint(program, &Options::of(algorithm));
        assert!(
            outcome.regions > 0,
            "{name} in {language}: {algorithm:?} sees no critical section"
        );
        let none: [String; 0] = [];
        assert_eq!(outcome.limits, none, "{name} in {language}: {algorithm:?}");
        assert_eq!(outcome.lost, [], "{name} in {language}: {algorithm:?}");
    }
}

#[test]
fn every_algorithm_reads_the_programs_in_rust() {
    for name in names() {
        check("Rust", &name, &languages::rust(&name));
    }
}

#[test]
fn every_algorithm_reads_the_programs_in_java() {
    let Some(programs) = languages::java() else {
        tools::skip("`javac` is not installed");
        return;
    };
    for name in names() {
        check("Java", &name, &programs[&name]);
    }
}
