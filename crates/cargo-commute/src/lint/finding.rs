//! Violations as findings.
//!
//! The events of a finding are in the order in which they have to happen for something
//! to go wrong: the way of the value up to its end, then what others do, then the access
//! that comes too late.

use commute_lint::ir::Program;
use commute_lint::{Confidence, Stop, Violation};
use commute_model::{Certainty, Code, EventRef, Finding, Level, Note};

use super::outcome::Found;
use crate::fingerprints::steady;

/// All of them, each once.
pub(super) fn all(program: &Program, violations: &[Violation]) -> Vec<Found> {
    let mut all: Vec<Found> = Vec::new();
    for violation in violations {
        let found = of(program, violation);
        let same = |other: &&mut Found| other.finding.events == found.finding.events;
        if let Some(other) = all.iter_mut().find(same) {
            other.finding.count += 1;
            continue;
        }
        all.push(found);
    }
    all
}

fn of(program: &Program, violation: &Violation) -> Found {
    let code = match violation.kind.is_high_level_race() {
        true => Code::CM201,
        false => Code::CM202,
    };
    // The path was seen in the source; whether it can be taken was not.
    let (level, certainty) = match violation.confidence {
        Confidence::High => (Level::Error, Certainty::Observed),
        Confidence::Low => (Level::Warning, Certainty::Unconfirmed),
    };
    let (last, way) = match violation.path.split_last() {
        Some((last, way)) => (Some(last), way),
        None => (None, &[][..]),
    };
    let stops = way.iter().chain(&violation.others).chain(last);
    let events: Vec<EventRef> = { stops.zip(1..) }
        .map(|(stop, index)| event(program, stop, index))
        .collect();
    let also = also(&violation.also);
    let notes = [
        ("why", &violation.why),
        ("why", &also),
        ("help", &violation.help),
    ];
    let notes = notes.into_iter().filter(|(_, text)| !text.is_empty());
    let between = violation
        .between
        .map(|(one, two)| [program.location(one), program.location(two)]);
    Found {
        others: match last {
            Some(_) => violation.others.len(),
            None => 0,
        },
        between,
        finding: Finding {
            code,
            level,
            certainty,
            fingerprint: told_by(violation),
            title: violation.title.clone(),
            object: Some(violation.variable.clone()),
            condition: None,
            witness: None,
            count: 1,
            replay: None,
            scene: None,
            notes: notes.map(|(label, text)| Note::new(label, text)).collect(),
            events,
        },
    }
}

/// The regions that meet in the same lines.
fn also(pairs: &[(String, String)]) -> String {
    const SHOWN: usize = 3;
    let named = pairs.iter().take(SHOWN);
    let mut all: Vec<String> = named
        .map(|(first, second)| format!("`{first}` then `{second}`"))
        .collect();
    match pairs.len() {
        0 => return String::new(),
        1..=SHOWN => {}
        count => all.push(format!("{} more pairs", count - SHOWN)),
    }
    format!("in these lines, the same holds for {}", all.join("; "))
}

fn event(program: &Program, stop: &Stop, index: u64) -> EventRef {
    EventRef {
        thread: stop.function.clone(),
        index,
        action: stop.what.clone(),
        location: program.location(stop.site),
    }
}

/// What tells it apart from others, beside its code, its object and its places. Who else
/// comes in between is no part of it: when somebody else writes, too, or does not any more,
/// it is the same mistake.
fn told_by(violation: &Violation) -> String {
    let stops = violation.path.iter();
    let mut functions: Vec<String> = stops.map(|stop| steady(&stop.function)).collect();
    functions.dedup();
    functions.join(" ")
}

#[cfg(test)]
pub(super) mod tests {
    use commute_lint::Kind;
    use commute_lint::ir::{FileId, Site};

    use super::*;

    /// A stale value in `src/bank.rs`: read in line 4, let go there, written in line 6,
    /// and written by somebody else in line 10.
    pub(in crate::lint) fn stale(confidence: Confidence) -> (Program, Violation) {
        let stop = |line, column, function: &str, what: &str| Stop {
            site: Site {
                file: FileId(0),
                line,
                column,
            },
            function: function.to_owned(),
            what: what.to_owned(),
        };
        let program = Program {
            files: vec!["src/bank.rs".to_owned()],
            ..Program::default()
        };
        let violation = Violation {
            kind: Kind::StaleValue,
            confidence,
            variable: "Account.balance".to_owned(),
            title: "stale value of `Account.balance`".to_owned(),
            path: vec![
                stop(4, 20, "withdraw", "read here under `balance`"),
                stop(4, 44, "withdraw", "the lock is released here"),
                stop(6, 6, "withdraw", "written here under a second lock"),
            ],
            others: vec![stop(10, 6, "deposit", "may be written here in between")],
            why: "what `deposit` adds in between is lost".to_owned(),
            help: "hold one guard over lines 4 to 6".to_owned(),
            written: None,
            regions: ("withdraw".to_owned(), "withdraw".to_owned()),
            also: Vec::new(),
            between: None,
        };
        (program, violation)
    }

    #[test]
    fn what_meets_in_the_same_lines_is_named_up_to_three() {
        let pair = |number: usize| (format!("look{number}"), "act".to_owned());
        let told = |count| also(&(1..=count).map(pair).collect::<Vec<_>>());
        assert_eq!(told(0), "");
        assert_eq!(
            told(2),
            "in these lines, the same holds for `look1` then `act`; `look2` then `act`"
        );
        assert!(told(3).ends_with("`look3` then `act`"));
        assert!(told(5).ends_with("`look3` then `act`; 2 more pairs"));
    }

    #[test]
    fn a_violation_is_told_in_the_order_in_which_it_goes_wrong() {
        let (program, violation) = stale(Confidence::High);
        let found = of(&program, &violation);
        assert_eq!(found.others, 1);
        let finding = found.finding;
        assert_eq!((finding.code, finding.level), (Code::CM202, Level::Error));
        assert_eq!(finding.certainty, Certainty::Observed);
        let events: Vec<String> = { finding.events.iter() }
            .map(|e| format!("{} {} {}", e.index, e.thread, e.location))
            .collect();
        assert_eq!(
            events,
            [
                "1 withdraw src/bank.rs:4:20",
                "2 withdraw src/bank.rs:4:44",
                "3 deposit src/bank.rs:10:6",
                "4 withdraw src/bank.rs:6:6",
            ]
        );
        let low = of(&program, &stale(Confidence::Low).1).finding;
        assert_eq!(
            (low.level, low.certainty),
            (Level::Warning, Certainty::Unconfirmed)
        );
    }

    #[test]
    fn one_that_is_there_twice_is_counted() {
        let (program, violation) = stale(Confidence::High);
        let mut moved = violation.clone();
        for stop in &mut moved.path {
            stop.site.line += 3;
        }
        let all = all(&program, &[violation.clone(), violation, moved]);
        assert_eq!(all.len(), 2);
        assert_eq!(all[0].finding.count, 2);
        let [first, second] = &all[..] else {
            panic!("there are two");
        };
        assert_eq!(first.finding.fingerprint, second.finding.fingerprint);
        assert_eq!(first.finding.fingerprint, "withdraw");
    }
}
