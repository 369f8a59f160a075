//! Shards of a test, as one.

use std::collections::BTreeMap;

use commute_explore::{Report, Shard, Verdict};
use commute_report::stored::Test;

use super::test_line::report;

/// What came of all parts of a test.
pub(super) fn join(parts: &[Test]) -> Report {
    let mut shards: BTreeMap<Shard, Report> = BTreeMap::new();
    let mut reports = Vec::new();
    let mut odd = Vec::new();
    for part in parts {
        let report = Report {
            shard: None,
            ..report(part)
        };
        match part.shard.as_deref().map(str::parse::<Shard>) {
            None => reports.push(report),
            Some(Ok(shard)) => {
                // Who did the same twice has not done more.
                shards.entry(shard).or_insert(report);
            }
            Some(Err(_)) => odd.push("a shard has no number".to_owned()),
        }
    }
    let whole = reports.into_iter().max_by_key(|report| report.verdict);
    let of = shards.keys().next().map_or(0, |shard| shard.of);
    if shards.keys().any(|shard| shard.of != of) {
        odd.push("it was divided in different ways".to_owned());
    }
    let missing = (0..of).map(|index| Shard { index, of });
    let missing = missing.filter(|shard| !shards.contains_key(shard));
    odd.extend(missing.map(|shard| format!("shard {shard} is missing")));
    let joined = Report::join(shards.into_values().collect());
    match whole {
        // What explored everything needs no shards.
        Some(whole) if whole.verdict >= joined.verdict || !odd.is_empty() => whole,
        _ => doubted(joined, odd),
    }
}

fn doubted(mut report: Report, reasons: Vec<String>) -> Report {
    if !reasons.is_empty() && report.verdict != Verdict::Failed {
        report.verdict = Verdict::Inconclusive;
        report.reasons.extend(reasons);
    }
    report
}
