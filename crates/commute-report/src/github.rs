//! A finding as a GitHub workflow command, which becomes an annotation of the
//! changed file.
//!
//! `::error file=pool.rs,line=12,col=5,title=…::text`; in the text a line end
//! is `%0A`. GitHub takes commands from any line of the log, so everything is
//! escaped: a trace must not be able to write commands of its own ([`runner`](crate::runner)
//! takes them out of all other text).

use commute_model::{Finding, Level, Severity, parse_location};

use crate::plain;
use crate::problem::{Place, Problem};
use crate::runner::without_markers;
use crate::sources::in_repository;
use crate::untrusted::clip;
use crate::{Sources, Summary};

/// The finding as one line, without a line end.
pub fn finding(finding: &Finding, sources: &dyn Sources) -> String {
    let command = match finding.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "notice",
    };
    let mut properties = Vec::new();
    let place = { finding.events.last() }.map(|event| in_repository(&event.location, sources));
    if let Some((file, line, column)) = place.as_deref().and_then(parse_location) {
        properties.push(format!("file={}", property(&clip(file, 400))));
        // They count from 1.
        let column = column.filter(|column| *column > 0);
        if line > 0 {
            properties.push(format!("line={line}"));
            properties.extend(column.map(|column| format!("col={column}")));
        }
    }
    let title = format!("{}: {}", finding.code, clip(&finding.title, 400));
    properties.push(format!("title={}", property(&title)));
    let properties = properties.join(",");
    format!(
        "::{command} {properties}::{}",
        message(&plain::lines(finding))
    )
}

/// What is wrong with a file, as one line, without a line end.
pub fn problem(problem: &Problem<'_>) -> String {
    let command = match problem.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let mut properties = Vec::new();
    if problem.file != "standard input" {
        properties.push(format!("file={}", property(&clip(problem.file, 400))));
    }
    if let Place::Line { line, column, .. } = problem.place {
        properties.push(format!("line={line}"));
        properties.push(format!("col={column}"));
    }
    let properties = match properties.is_empty() {
        true => String::new(),
        false => format!(" {}", properties.join(",")),
    };
    let mut text = format!("{}: {}", problem.origin(), clip(problem.message, 400));
    if let Some(help) = problem.help {
        text += &format!("\nhelp: {}", clip(help, 400));
    }
    format!("::{command}{properties}::{}", message(&text))
}

/// Why there is no verdict, as one line, without a line end.
pub fn inconclusive(summary: &Summary) -> String {
    let text = clip(&summary.to_string(), 2000).into_owned();
    format!(
        "::warning title=commute is inconclusive::{}",
        message(&text)
    )
}

fn message(text: &str) -> String {
    // Other runners look for commands anywhere in a line.
    without_markers(text)
        .replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}
