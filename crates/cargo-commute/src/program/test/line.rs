//! What came of a test, in a line.

use anstyle::AnsiColor;
use commute_explore::{Cause, Report, Verdict};
use commute_report::{Style, TestLine, TestName, clip, json};

use crate::cli::MessageFormat;
use crate::output::{Output, count};

/// Prints it.
pub(crate) fn print(test: &TestName, report: &Report, output: &mut Output) {
    match output.format {
        MessageFormat::Json => output.line(&as_json(test, report)),
        MessageFormat::Human | MessageFormat::Short => {
            let line = sentence(&test.name, report, &output.style);
            output.result_line(&line);
        }
        _ => {}
    }
}

/// The line of JSON.
pub(super) fn as_json(test: &TestName, report: &Report) -> String {
    let causes: Vec<&str> = report.causes.iter().map(Cause::kind).collect();
    json::test(&TestLine {
        full_name: test,
        verdict: word(report.verdict),
        shard: report.shard.map(|shard| shard.to_string()),
        names: report.names.as_deref(),
        executions: report.executions,
        redundant: report.redundant,
        outcomes: report.outcomes,
        shortening: report.shortening,
        learning: report.learning,
        histories: report.composed.map(|composed| composed.histories),
        pruned: report.composed.map(|composed| composed.pruned),
        seconds: report.seconds,
        reasons: &report.reasons,
        causes: &causes,
        notes: &report.notes,
    })
}

/// The line of JSON of a test of which nothing came.
pub(super) fn broken_as_json(test: &TestName, error: &anyhow::Error) -> String {
    json::test(&TestLine {
        full_name: test,
        verdict: "inconclusive",
        shard: None,
        names: None,
        executions: 0,
        redundant: 0,
        outcomes: 0,
        shortening: 0,
        learning: 0,
        histories: None,
        pruned: None,
        seconds: 0.0,
        reasons: &[format!("{error:#}")],
        causes: &[],
        notes: &[],
    })
}

/// Prints that it is not to run.
pub(super) fn print_ignored(name: &str, output: &mut Output) {
    if let MessageFormat::Human | MessageFormat::Short = output.format {
        output.result_line(&format!("test {} ... ignored", clip(name, 200)));
    }
}

/// Prints that nothing came of it.
pub(super) fn print_broken(test: &TestName, error: &anyhow::Error, output: &mut Output) {
    if output.format == MessageFormat::Json {
        output.line(&broken_as_json(test, error));
    }
    if !matches!(output.format, MessageFormat::Human | MessageFormat::Short) {
        output.error_text(&format!("{}: {error:#}", test.name));
        return;
    }
    let word = shaded("inconclusive", AnsiColor::BrightYellow, &output.style);
    let mut line = format!("test {} ... {word}", clip(&test.name, 200));
    for part in format!("{error:#}").lines() {
        line += &format!("\n  {}", clip(part, 400));
    }
    output.result_line(&line);
}

fn shaded(word: &str, shade: AnsiColor, style: &Style) -> String {
    let shade = shade.on_default().bold();
    match style.color {
        true => format!("{shade}{word}{shade:#}"),
        false => word.to_owned(),
    }
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Passed => "passed",
        Verdict::Failed => "failed",
        Verdict::Inconclusive => "inconclusive",
    }
}

fn sentence(name: &str, report: &Report, style: &Style) -> String {
    let verdict = match report.verdict {
        Verdict::Passed => ("passed", AnsiColor::BrightGreen),
        Verdict::Failed => ("FAILED", AnsiColor::BrightRed),
        Verdict::Inconclusive => ("inconclusive", AnsiColor::BrightYellow),
    };
    let word = shaded(verdict.0, verdict.1, style);
    let outcomes = count(report.outcomes, "outcome");
    let what = match report.verdict {
        Verdict::Passed if report.outcomes == 1 => "the only outcome".to_owned(),
        Verdict::Passed => format!("all {outcomes}"),
        Verdict::Failed | Verdict::Inconclusive => outcomes,
    };
    // Of a method, histories are what counts.
    let what = match (report.composed, report.verdict) {
        (Some(composed), Verdict::Passed) => {
            format!(
                "atomic in all {}",
                count_of(composed.histories, "history", "histories")
            )
        }
        (Some(composed), _) => count_of(composed.histories, "history", "histories"),
        (None, _) => what,
    };
    let what = match report.shard {
        Some(shard) => format!("{what} of shard {shard}"),
        None => what,
    };
    let mut how = count(report.executions, "execution");
    if report.redundant > 0 {
        how += &format!(" ({} redundant)", report.redundant);
    }
    if let Some(composed) = report.composed.filter(|composed| composed.pruned > 0) {
        how += &format!(", {} pruned", composed.pruned);
    }
    if report.learning > 0 {
        how += &format!(" after {} to learn names", report.learning);
    }
    let mut line = format!("test {} ... {word}: {what}, {how}", clip(name, 200));
    // A short time says nothing, and would be another one in every run.
    if report.seconds >= 1.0 || style.verbose {
        line += &format!(", {}", time(report.seconds));
    }
    for text in report.reasons.iter().chain(&report.notes) {
        // Stacks have lines.
        for part in text.lines() {
            line += &format!("\n  {}", clip(part, 400));
        }
    }
    line
}

fn count_of(count: u64, one: &str, many: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {many}"),
    }
}

/// A time that a person can read.
fn time(seconds: f64) -> String {
    match seconds {
        s if s < 0.001 => format!("{:.0} µs", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}
