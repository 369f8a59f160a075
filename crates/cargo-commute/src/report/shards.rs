//! Shards of a test, as one.

use std::collections::BTreeMap;

use commute_explore::{Report, Shard, Verdict};
use commute_report::TestName;
use commute_report::stored::Test;

use super::test_line::report;
use crate::store::read::StoredRun;

/// So many shards that are missing are named: whoever wrote the file says how many there are.
const FEW: usize = 10;

/// What several runs say of one test.
pub(super) struct Parts<'a> {
    pub name: &'a TestName,
    /// Of those that explored all of it, the one that knows most.
    whole: Option<Report>,
    /// The same of each shard.
    shards: BTreeMap<Shard, Report>,
    /// Whether there is a shard of which nobody knows which it is.
    has_odd: bool,
}

impl<'a> Parts<'a> {
    /// The tests of these runs, each once.
    pub(super) fn of(runs: &'a [StoredRun]) -> Vec<Parts<'a>> {
        let mut all: Vec<Parts<'a>> = Vec::new();
        for test in runs.iter().flat_map(|run| &run.tests) {
            match all.iter_mut().find(|parts| *parts.name == test.full_name) {
                Some(parts) => parts.add(test),
                None => {
                    let mut parts = Parts {
                        name: &test.full_name,
                        whole: None,
                        shards: BTreeMap::new(),
                        has_odd: false,
                    };
                    parts.add(test);
                    all.push(parts);
                }
            }
        }
        all
    }

    fn add(&mut self, test: &Test) {
        let report = report(test);
        match test.shard.as_deref().map(str::parse::<Shard>) {
            None => self.whole = Some(better(self.whole.take(), report)),
            Some(Ok(shard)) => {
                // Who did the same twice has not done more.
                let known = self.shards.remove(&shard);
                self.shards.insert(shard, better(known, report));
            }
            Some(Err(_)) => self.has_odd = true,
        }
    }

    /// Why the shards are not all of it.
    fn missing(&self) -> Vec<String> {
        let mut reasons = Vec::new();
        if self.has_odd {
            reasons.push("a shard has no number".to_owned());
        }
        let of = self.shards.keys().next().map_or(0, |shard| shard.of);
        if self.shards.keys().any(|shard| shard.of != of) {
            reasons.push("it was divided in different ways".to_owned());
        }
        let all = (0..of).map(|index| Shard { index, of });
        let missing = all.filter(|shard| !self.shards.contains_key(shard));
        let told = missing
            .take(FEW)
            .map(|shard| format!("shard {shard} is missing"));
        reasons.extend(told);
        let known = self.shards.keys().filter(|shard| shard.of == of).count();
        let more = of.saturating_sub((known + FEW) as u64);
        if more > 0 {
            reasons.push(format!("and {more} more"));
        }
        reasons
    }

    /// What came of all of them.
    pub(super) fn join(&self) -> Report {
        let mut shards = Report::join(self.shards.values().cloned().collect());
        let missing = self.missing();
        if !missing.is_empty() && shards.verdict != Verdict::Failed {
            shards.verdict = Verdict::Inconclusive;
            shards.reasons.extend(missing);
        }
        match &self.whole {
            Some(whole) if self.shards.is_empty() => whole.clone(),
            // What explored everything needs no shards.
            Some(whole) => better(Some(whole.clone()), shards),
            None => shards,
        }
    }

    /// Why there may be more to find than was found, also if something was: nothing if all
    /// of it was explored.
    pub(super) fn doubts(&self) -> Vec<String> {
        let is_open = |report: &&Report| report.verdict == Verdict::Inconclusive;
        if self.whole.iter().any(|whole| !is_open(&whole)) {
            return Vec::new();
        }
        let mut reasons = self.missing();
        // All shards together are the whole.
        let has_all = !self.shards.is_empty() && reasons.is_empty();
        let whole = self.whole.iter().filter(|_| !has_all);
        let open = self.shards.values().chain(whole).filter(is_open);
        reasons.extend(open.flat_map(|report| report.reasons.clone()));
        reasons
    }
}

/// The one that knows more: a failure that was found is there, and who has seen everything
/// need not ask who has not.
fn better(known: Option<Report>, other: Report) -> Report {
    let weight = |report: &Report| match report.verdict {
        Verdict::Failed => 2,
        Verdict::Passed => 1,
        Verdict::Inconclusive => 0,
    };
    match known {
        Some(known) if weight(&known) >= weight(&other) => known,
        _ => other,
    }
}
