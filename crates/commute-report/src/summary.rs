//! What a run came to.

use std::collections::BTreeMap;
use std::fmt;

use anstyle::AnsiColor;
use commute_model::{Code, Finding};
use serde::{Deserialize, Serialize};

use crate::Style;
use crate::observed::Observed;
use crate::races::RaceTotals;
use crate::untrusted::clip;

/// The answer of a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Verdict {
    /// Everything was looked at and nothing was found.
    Clean,
    /// Something was found.
    Violations,
    /// A bound was hit, or what was found is not confirmed.
    Inconclusive,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Clean => "clean",
            Verdict::Violations => "violations",
            Verdict::Inconclusive => "inconclusive",
        })
    }
}

/// What a run looked at and what came of it.
///
/// As text it is one line that begins with `commute: ` and the verdict, the
/// last line of every report for people:
///
/// ```
/// use commute_model::Code;
/// use commute_report::{Summary, Verdict};
///
/// let summary = Summary {
///     verdict: Verdict::Violations,
///     findings: 1,
///     codes: vec![(Code::CM101, 1)],
///     events: 8,
///     threads: 3,
///     objects: 1,
///     analyses: vec!["races".into(), "data-races".into()],
///     ..Summary::default()
/// };
/// assert_eq!(
///     summary.to_string(),
///     "commute: violations: 1 finding (CM101 x1) in 8 events, 3 threads, 1 object [races, data-races]",
/// );
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// The answer.
    pub verdict: Verdict,
    /// How many findings there are, shown or not, without suppressed ones.
    pub findings: u64,
    /// How many of each code: see [`Summary::count_codes`].
    pub codes: Vec<(Code, u64)>,
    /// How many findings a suppression took out.
    pub suppressed: u64,
    /// How often races were found, if there are any.
    pub races: Option<RaceTotals>,
    /// How many findings are known from a baseline, if there is one.
    pub known: Option<u64>,
    /// Those of both that a configuration file keeps out of the report, if there are any.
    pub configured: Option<Configured>,
    /// How many events were read.
    pub events: u64,
    /// How many threads they are of.
    pub threads: u64,
    /// How many library objects they are about.
    pub objects: u64,
    /// How long it took.
    pub seconds: f64,
    /// The analyses that ran.
    pub analyses: Vec<String>,
    /// Why it is inconclusive.
    pub reasons: Vec<String>,
    /// What came of each test, if it was tests that ran.
    pub tests: Option<Tests>,
    /// What was looked at, if it was source code.
    pub looked: Option<Looked>,
    /// How many types were looked at, if it was specifications.
    pub types: Option<u64>,
    /// What was observed, if it was a program that ran.
    pub observed: Option<Observed>,
}

/// Findings that a configuration file, and no typed option, keeps out of a report.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Configured {
    /// The file.
    pub file: String,
    /// How many of the suppressed findings.
    pub suppressed: u64,
    /// How many of the known ones.
    pub known: u64,
}

impl Configured {
    /// Adds the findings that a configuration file kept out of the report of another run.
    #[must_use]
    pub fn and(mut self, other: Configured) -> Configured {
        if self.file != other.file {
            self.file = format!("{}, {}", self.file, other.file);
        }
        self.suppressed = self.suppressed.saturating_add(other.suppressed);
        self.known = self.known.saturating_add(other.known);
        self
    }

    /// Returns the words after a number of findings, `some` of which the file keeps out.
    fn part(&self, some: u64, all: u64) -> String {
        let file = clip(&self.file, 400);
        match some {
            0 => String::new(),
            some if some == all => format!(" by {file}"),
            some => format!(" ({some} by {file})"),
        }
    }
}

/// How much source code was looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Looked {
    /// Crates, or what other languages have in their place.
    pub crates: u64,
    /// Functions.
    pub functions: u64,
    /// Atomic regions in them.
    pub regions: u64,
    /// What was not understood.
    pub gaps: u64,
}

impl Looked {
    fn details(&self, seconds: f64) -> String {
        let crates = count(self.crates, "crate");
        let functions = count(self.functions, "function");
        let regions = count(self.regions, "region");
        let gaps = match self.gaps {
            0 => String::new(),
            gaps => format!(", {}", count(gaps, "gap")),
        };
        let time = match seconds {
            0.0 => String::new(),
            seconds => format!(", {seconds:.1} s"),
        };
        format!("{crates}, {functions}, {regions}{gaps}{time}")
    }
}

/// How many tests came to what.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tests {
    /// All outcomes were seen and are good.
    pub passed: u64,
    /// One is not.
    pub failed: u64,
    /// Not everything was seen.
    pub inconclusive: u64,
    /// They were not to run.
    pub ignored: u64,
    /// How many `#[tokio::test]` functions there are beside them, which nothing explores.
    pub unexplored: u64,
    /// Of the reasons, those that are of no test: others are told with their tests.
    pub reasons: Vec<String>,
}

impl Tests {
    fn details(&self) -> String {
        let named = [
            (self.passed, "passed"),
            (self.failed, "failed"),
            (self.inconclusive, "inconclusive"),
            (self.ignored, "ignored"),
        ];
        let some = named.iter().filter(|(n, _)| *n > 0);
        let some: Vec<String> = some.map(|(n, word)| format!("{n} {word}")).collect();
        let all = count(named.iter().map(|(n, _)| n).sum(), "test");
        let all = match some.is_empty() {
            true => all,
            false => format!("{all}: {}", some.join(", ")),
        };
        match self.unexplored {
            0 => all,
            n => format!("{all}; {n} `#[tokio::test]` not explored"),
        }
    }
}

impl Default for Summary {
    /// Nothing was looked at.
    fn default() -> Summary {
        Summary {
            verdict: Verdict::Clean,
            findings: 0,
            codes: Vec::new(),
            suppressed: 0,
            races: None,
            known: None,
            configured: None,
            events: 0,
            threads: 0,
            objects: 0,
            seconds: 0.0,
            analyses: Vec::new(),
            reasons: Vec::new(),
            tests: None,
            looked: None,
            types: None,
            observed: None,
        }
    }
}

impl Summary {
    /// How many findings of each code there are, in the order of the codes.
    pub fn count_codes<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> Vec<(Code, u64)> {
        let mut counts = BTreeMap::new();
        for finding in findings {
            *counts.entry(finding.code).or_insert(0) += 1;
        }
        counts.into_iter().collect()
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (verdict, details) = (self.verdict, self.details());
        write!(f, "commute: {verdict}: {details}")
    }
}

impl Summary {
    /// The line as `Display` writes it, the verdict in colour if `style` asks
    /// for it.
    pub fn line(&self, style: &Style) -> String {
        if !style.color {
            return self.to_string();
        }
        let color = match self.verdict {
            Verdict::Clean => AnsiColor::BrightGreen,
            Verdict::Violations => AnsiColor::BrightRed,
            Verdict::Inconclusive => AnsiColor::BrightYellow,
        };
        let color = color.on_default().bold();
        let (verdict, details) = (self.verdict, self.details());
        format!("commute: {color}{verdict}{color:#}: {details}")
    }

    /// What follows the verdict.
    fn details(&self) -> String {
        let mut out = match (&self.tests, self.findings) {
            (Some(tests), _) => tests.details(),
            (None, 0) => "no findings".to_owned(),
            (None, n) => count(n, "finding"),
        };
        if !self.codes.is_empty() {
            let codes = self.codes.iter().map(|(code, n)| format!("{code} x{n}"));
            out += &format!(" ({})", codes.collect::<Vec<_>>().join(", "));
        }
        if self.suppressed > 0 {
            out += &format!(", {} suppressed", self.suppressed);
            if let Some(configured) = &self.configured {
                out += &configured.part(configured.suppressed, self.suppressed);
            }
        }
        if let Some(known) = self.known.filter(|known| *known > 0) {
            out += &format!(", {known} known from the baseline");
            if let Some(configured) = self.configured.as_ref().filter(|one| one.known > 0) {
                out += &format!(" of {}", clip(&configured.file, 400));
            }
        }
        let has_races = { self.codes.iter() }
            .any(|(code, n)| matches!(code, Code::CM101 | Code::CM102) && *n > 0);
        if let Some(races) = self.races.as_ref().filter(|_| has_races) {
            out += &races.details();
        }
        if let Some(looked) = &self.looked {
            out += &format!(" in {}", looked.details(self.seconds));
        } else if let Some(types) = self.types {
            out += &format!(" in {}", count(types, "type"));
        } else if self.tests.is_none() {
            let events = count(self.events, "event");
            let threads = count(self.threads, "thread");
            let objects = count(self.objects, "object");
            out += &format!(" in {events}, {threads}, {objects}");
        }
        if !self.analyses.is_empty() {
            out += &format!(" [{}]", clip(&self.analyses.join(", "), 400));
        }
        if let Some(observed) = &self.observed {
            out += &format!(" ({observed})");
        }
        let reasons = match &self.tests {
            Some(tests) => &tests.reasons,
            None => &self.reasons,
        };
        if !reasons.is_empty() {
            let reasons = reasons.iter().map(|reason| clip(reason, 400));
            out += &format!(": {}", reasons.collect::<Vec<_>>().join("; "));
        }
        out
    }
}

/// `1 event`, `2 events`.
fn count(n: u64, noun: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{n} {noun}{s}")
}
