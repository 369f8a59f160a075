//! What an algorithm found, against what is known of a program.

use std::collections::BTreeSet;

use commute_lint::ir::Program;
use commute_lint::{Algorithm, Confidence, Options, Violation, lint};
use commute_moth::{Findings, Known, Race, Stale, java_name};

/// An algorithm, and the least confidence of what is shown.
pub type Way = (Algorithm, Confidence);

/// The ways to look at a program, in the order of the tables: the paper's two,
/// ours as everybody gets it, ours with `-v`, and the paper's extended.
pub const WAYS: [Way; 5] = [
    (Algorithm::Moth, Confidence::High),
    (Algorithm::Artho, Confidence::High),
    (Algorithm::Commute, Confidence::High),
    (Algorithm::Commute, Confidence::Low),
    (Algorithm::MothExtended, Confidence::High),
];

/// How an algorithm did on a program and its twin.
#[derive(Clone, Default, Debug)]
pub struct Verdict {
    /// Known violations that it did not find.
    pub missed: Vec<String>,
    /// What it found that is neither a violation nor uncounted.
    pub false_alarms: Vec<String>,
    /// What it found that the paper's tables do not count.
    pub uncounted: Vec<String>,
    /// What it found in the repaired twin.
    pub repaired: Vec<String>,
}

/// Something that was found, in the words of the table.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Found {
    /// The first and the second method.
    Stale(String, String),
    /// The two methods, in the order of their names, and what is torn: a
    /// process that breaks two views does so twice.
    Race(String, String, String),
}

impl Found {
    fn of(violation: &Violation) -> Found {
        let (first, second) = (&violation.regions.0, &violation.regions.1);
        if !violation.kind.is_high_level_race() {
            return Found::stale(first, second);
        }
        let (first, second) = (method(first), method(second));
        let variable = violation.variable.clone();
        Found::Race(
            first.clone().min(second.clone()),
            first.max(second),
            variable,
        )
    }

    fn stale(first: &str, second: &str) -> Found {
        Found::Stale(method(first), method(second))
    }

    fn is_among(&self, findings: &Findings) -> bool {
        findings.stale.iter().any(|known| self.is_stale(known))
            || findings.races.iter().any(|known| self.is_race(known))
    }

    fn is_stale(&self, (first, second): &Stale) -> bool {
        match self {
            Found::Stale(a, b) => *a == java_name(first) && *b == java_name(second),
            Found::Race(..) => false,
        }
    }

    fn is_race(&self, Race { split, .. }: &Race) -> bool {
        let (first, second) = (java_name(split.0), java_name(split.1));
        match self {
            Found::Race(a, b, _) => [a, b] == [&first, &second] || [a, b] == [&second, &first],
            Found::Stale(..) => false,
        }
    }

    fn words(&self) -> String {
        match self {
            Found::Stale(first, second) => format!("{first} → {second}"),
            Found::Race(first, second, torn) => format!("{first}, {second} ({torn})"),
        }
    }
}

fn method(name: &str) -> String {
    java_name(last(name))
}

/// The last segment of a function's name, in either language.
fn last(name: &str) -> &str {
    let name = name.split(['(', '#']).next().unwrap_or(name);
    name.rsplit([':', '.']).next().unwrap_or(name)
}

fn found(program: &Program, (algorithm, least): Way) -> BTreeSet<Found> {
    let outcome = lint(program, &Options::of(algorithm));
    let shown = outcome
        .violations
        .iter()
        .filter(|violation| least == Confidence::Low || violation.confidence == least);
    let also = |violation: &Violation| -> Vec<Found> {
        // What meets in the same lines is told beside a finding, not as one.
        let pairs = violation.also.iter().filter(|_| least == Confidence::Low);
        pairs
            .map(|(first, second)| Found::stale(first, second))
            .collect()
    };
    shown
        .flat_map(|violation| also(violation).into_iter().chain([Found::of(violation)]))
        .collect()
}

/// Compares what is found in a program and in its twin with what is known.
pub fn judge(known: &Known, program: &Program, repaired: &Program, with: Way) -> Verdict {
    let found = found(program, with);
    let mut verdict = Verdict::default();
    for (first, second) in known.violations.stale {
        if !found.iter().any(|found| found.is_stale(&(first, second))) {
            let (first, second) = (java_name(first), java_name(second));
            verdict.missed.push(format!("{first} → {second}"));
        }
    }
    for race in known.violations.races {
        if !found.iter().any(|found| found.is_race(race)) {
            let [first, second, whole] = [race.split.0, race.split.1, race.whole].map(java_name);
            let words = format!("{first}, {second} against {whole}");
            verdict.missed.push(words);
        }
    }
    for found in &found {
        if found.is_among(&known.violations) {
            continue;
        }
        match found.is_among(&known.uncounted) {
            true => verdict.uncounted.push(found.words()),
            false => verdict.false_alarms.push(found.words()),
        }
    }
    let silent = self::found(repaired, with);
    verdict.repaired = silent.iter().map(Found::words).collect();
    verdict
}
