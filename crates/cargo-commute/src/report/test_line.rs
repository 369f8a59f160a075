//! Tests of stored runs.

use commute_explore::{Report, Verdict};
use commute_report::TestName;
use commute_report::stored::Test;

/// Why nobody can say what is wrong with a test that failed.
pub(super) const UNEXPLAINED: &str = "it failed, and why is in none of the files";

/// What came of a test then.
pub(super) fn report(test: &Test) -> Report {
    Report {
        verdict: match test.verdict.as_str() {
            "passed" => Verdict::Passed,
            "failed" => Verdict::Failed,
            _ => Verdict::Inconclusive,
        },
        shard: test.shard.as_deref().and_then(|shard| shard.parse().ok()),
        executions: test.executions,
        redundant: test.redundant,
        outcomes: test.outcomes,
        shortening: test.shortening,
        learning: test.learning,
        seconds: test.seconds,
        reasons: test.reasons.clone(),
        causes: Vec::new(),
        names: test.names.clone(),
        notes: test.notes.clone(),
        failures: Vec::new(),
        composed: (test.histories > 0).then_some(commute_explore::Composed {
            histories: test.histories,
            pruned: test.pruned,
        }),
    }
}

/// What runs say of a test in their summaries.
pub(super) fn of_test(test: &TestName, reasons: &[String]) -> Vec<String> {
    let name = &test.name;
    reasons.iter().map(|why| format!("{name}: {why}")).collect()
}

/// Whether a run said this of a test of this name.
pub(super) fn is_reason_of(test: &TestName, reason: &str) -> bool {
    let rest = reason.strip_prefix(&*test.name);
    rest.is_some_and(|rest| rest.starts_with(": "))
}
