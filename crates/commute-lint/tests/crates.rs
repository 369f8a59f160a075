//! Whole crates that were written before the analysis was run on them. Of the
//! file of each, `--cfg fixed` is the right program; otherwise the functions
//! whose documentation begins with `BUG` are wrong, and nothing else is. What
//! begins with `RIGHT` looks like a bug.

#[path = "snippets/compiler.rs"]
mod compiler;
#[path = "snippets/forgetting.rs"]
mod forgetting;
#[path = "snippets/lists.rs"]
mod lists;
#[path = "snippets/titles.rs"]
mod titles;

use std::fs;

use commute_lint::rust::{CrateInfo, mir, program};
use commute_lint::{Confidence, Violation};
use compiler::{run, rustc, tests};
use lists::compare;
use titles::titles;

const CRATES: [&str; 12] = [
    "connection_pool",
    "game_lobby",
    "inventory_ledger",
    "job_scheduler",
    "kv_store",
    "log_shipper",
    "metrics_registry",
    "pubsub_broker",
    "rate_limiter",
    "session_store",
    "ttl_cache",
    "url_shortener",
];

/// Bugs that are not found yet, and why.
const KNOWN_MISSES: &[(&str, &str)] = &[
    (
        "log_shipper::push",
        "through a function that calls a closure it is four calls deep: low confidence",
    ),
    (
        "url_shortener::churn",
        "who writes both writes the whole structure: that says nothing of any two fields",
    ),
];

/// Crates of which correct code is reported, and why.
const KNOWN_ALARMS: &[(&str, &str)] = &[];

fn file(name: &str) -> String {
    format!("rust/crates/{name}.rs")
}

/// What is shown by default for a crate.
fn found(name: &str, fixed: bool) -> Vec<Violation> {
    let mut rustc = rustc();
    rustc.args([
        "-Zunpretty=mir",
        "-Zmir-include-spans=on",
        "-Ztrim-diagnostic-paths=no",
        "-o",
        "-",
    ]);
    if fixed {
        rustc.args(["--cfg", "fixed"]);
    }
    let mir = mir::parse::parse(&run(&mut rustc, &file(name)));
    let info = CrateInfo {
        name: name.to_owned(),
        root: String::new(),
        edition: "2024".to_owned(),
        library: true,
    };
    let finder = |name: &str| fs::read_to_string(tests().join(name)).ok();
    let program = program(vec![(info, mir)], &finder);
    assert_eq!(program.gaps, [], "{name}");
    let outcome = forgetting::outcome(&program, name);
    assert_eq!(outcome.limits, [] as [String; 0], "{name}");
    assert_eq!(outcome.lost, [], "{name}");
    let shown = |violation: &Violation| violation.confidence == Confidence::High;
    outcome.violations.into_iter().filter(shown).collect()
}

/// The functions of a crate that are wrong.
fn wrong_functions(name: &str) -> Vec<String> {
    let text = fs::read_to_string(tests().join(file(name))).expect("a file");
    let mut functions = Vec::new();
    let mut lines = text.lines();
    while lines.any(|line| line.trim_start().starts_with("/// BUG ")) {
        let head = lines
            .find_map(|line| line.split_once("fn "))
            .expect("a function");
        let end = head.1.find(['(', '<']).expect("parameters");
        functions.push(head.1[..end].to_owned());
    }
    functions
}

fn is_in(violation: &Violation, function: &str) -> bool {
    let mut stops = violation.path.iter();
    stops.any(|stop| stop.function.split("::").any(|part| part == function))
}

#[test]
fn bugs() {
    let mut wrong = Vec::new();
    let mut all = 0;
    for name in CRATES {
        let violations = found(name, false);
        let functions = wrong_functions(name);
        all += functions.len();
        for function in &functions {
            let there = violations
                .iter()
                .any(|violation| is_in(violation, function));
            let missed = (!there).then_some("is not found");
            let place = format!("{name}::{function}");
            compare(&place, missed, KNOWN_MISSES, &mut wrong);
        }
        let elsewhere: Vec<Violation> = violations
            .into_iter()
            .filter(|violation| !functions.iter().any(|name| is_in(violation, name)))
            .collect();
        let alarm = (!elsewhere.is_empty()).then(|| titles(&elsewhere));
        compare(name, alarm.as_deref(), KNOWN_ALARMS, &mut wrong);
    }
    assert_eq!(all, 52, "bugs that were put in");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn fixed() {
    let mut wrong = Vec::new();
    for name in CRATES {
        let violations = found(name, true);
        let alarm = (!violations.is_empty()).then(|| titles(&violations));
        compare(name, alarm.as_deref(), KNOWN_ALARMS, &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
