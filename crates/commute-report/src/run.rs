//! A whole run, for the forms that are one document: SARIF, JUnit, HTML.

use commute_model::{Code, Finding};

use crate::problem::Problem;
use crate::{Sources, Summary};

/// A whole run. The forms that are one document are made of it when it is over:
/// [`sarif::document`](crate::sarif::document),
/// [`junit::document`](crate::junit::document),
/// [`html::page`](crate::html::page).
pub struct Run<'a> {
    /// The command: `check`.
    pub command: &'a str,
    /// The version of the program.
    pub version: &'a str,
    /// What was looked at, in the order of the command line.
    pub traces: Vec<TraceRun<'a>>,
    /// What came of it.
    pub summary: &'a Summary,
    /// Whether findings that are not certain fail it.
    pub deny_unconfirmed: bool,
    /// Why the run ended before all traces were looked at, if it did.
    pub failure: Option<&'a str>,
    /// Why "nothing found" would not mean "clean", of no trace in particular.
    pub doubts: &'a [String],
    /// The page of a code, in Markdown: `# CM101: title`, then paragraphs, then
    /// sections.
    pub pages: fn(Code) -> &'static str,
}

/// One trace of a run.
pub struct TraceRun<'a> {
    /// The file; `None` if it came from standard input.
    pub file: Option<&'a str>,
    /// The test binary it is in, if it is a test: `pool::locks`.
    pub binary: Option<&'a str>,
    /// How many events were read of it; 0 if it is none.
    pub events: u64,
    /// What was found, without what a suppression took out.
    pub findings: &'a [Finding],
    /// How many more there are that nobody wanted to see.
    pub hidden: u64,
    /// Why "nothing found" would not mean "clean".
    pub reasons: &'a [String],
    /// What else there is to know.
    pub notes: &'a [String],
    /// How long it took, if that is a result: of a test it is.
    pub seconds: Option<f64>,
    /// Why it was not read to its end.
    pub problem: Option<Problem<'a>>,
    /// The source text its locations name.
    pub sources: &'a dyn Sources,
}

impl TraceRun<'_> {
    /// The file, or `standard input`.
    pub fn name(&self) -> &str {
        self.file.unwrap_or("standard input")
    }
}

impl Run<'_> {
    /// All findings, with the trace each is from.
    pub(crate) fn findings(&self) -> impl Iterator<Item = (&TraceRun<'_>, &Finding)> + Clone {
        self.traces.iter().flat_map(|trace| {
            let findings = trace.findings.iter();
            findings.map(move |finding| (trace, finding))
        })
    }

    /// The codes that occur, in order.
    pub(crate) fn codes(&self) -> Vec<Code> {
        let mut codes: Vec<Code> = self.findings().map(|(_, finding)| finding.code).collect();
        codes.sort_unstable();
        codes.dedup();
        codes
    }

    /// Whether everything could be read.
    pub(crate) fn is_complete(&self) -> bool {
        self.failure.is_none() && self.traces.iter().all(|trace| trace.problem.is_none())
    }
}

/// That there are findings beyond the limit.
///
/// ```
/// let text = commute_report::not_shown(1);
/// assert_eq!(text, "1 more finding is not shown (--max-findings)");
/// ```
pub fn not_shown(hidden: u64) -> String {
    match hidden {
        1 => "1 more finding is not shown (--max-findings)".to_owned(),
        n => format!("{n} more findings are not shown (--max-findings)"),
    }
}
