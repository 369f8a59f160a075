//! What is wrong with a trace, printed and counted.

use commute_model::Severity;
use commute_report::problem::{self, Place, Problem};
use commute_trace::Flaw;

use crate::cli::MessageFormat;
use crate::output::Output;

/// Prints flaws as they come. But once a result is impossible, they wait for the end:
/// only then is it known whether operations were missed that would explain it.
pub(super) struct Flaws<'a> {
    file: String,
    /// How many are printed.
    most: u64,
    seen: u64,
    /// By severity, without impossible results.
    counts: [u64; 3],
    impossible: u64,
    waiting: Vec<(Flaw, Sort)>,
    output: &'a mut Output,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    IllFormed,
    Impossible,
}

impl<'a> Flaws<'a> {
    pub(super) fn new(file: String, most: usize, output: &'a mut Output) -> Flaws<'a> {
        Flaws {
            file,
            most: most as u64,
            seen: 0,
            counts: [0; 3],
            impossible: 0,
            waiting: Vec::new(),
            output,
        }
    }

    /// A rule of traces is broken.
    pub(super) fn ill_formed(&mut self, flaw: &Flaw) {
        self.counts[flaw.severity as usize] += 1;
        self.add(flaw, Sort::IllFormed);
    }

    /// A result is not that of the model.
    pub(super) fn impossible(&mut self, flaw: &Flaw) {
        self.impossible += 1;
        self.add(flaw, Sort::Impossible);
    }

    fn add(&mut self, flaw: &Flaw, sort: Sort) {
        self.seen += 1;
        if self.seen > self.most {
            return;
        }
        match sort {
            Sort::IllFormed if self.waiting.is_empty() => print(flaw, &self.file, self.output),
            _ => self.waiting.push((flaw.clone(), sort)),
        }
    }

    /// Prints the rest; how many errors, warnings and notes there are. If operations
    /// were missed, an impossible result is no mistake of the trace.
    pub(super) fn finish(self, missed: bool) -> [u64; 3] {
        let mut counts = self.counts;
        let severity = match missed {
            true => Severity::Warning,
            false => Severity::Error,
        };
        counts[severity as usize] += self.impossible;
        for (mut flaw, sort) in self.waiting {
            if sort == Sort::Impossible && missed {
                flaw.severity = severity;
                flaw.message = format!(
                    "event {}: {}, unless that was missed which explains it",
                    flaw.index, flaw.message
                );
            }
            print(&flaw, &self.file, self.output);
        }
        if self.seen > self.most {
            self.output.note(&format!(
                "{} more are not shown (--max-findings)",
                self.seen - self.most
            ));
        }
        counts
    }
}

fn print(flaw: &Flaw, file: &str, output: &mut Output) {
    let Flaw {
        severity,
        index,
        line,
        message,
    } = flaw;
    let message = match severity {
        Severity::Error => format!("event {index}: {message}"),
        _ => message.clone(),
    };
    let problem = Problem {
        severity: *severity,
        code: None,
        message: &message,
        file,
        place: Place::Line {
            line: *line,
            column: 1,
            excerpt: "",
            mark: 1,
        },
        help: None,
    };
    let text = match output.format {
        MessageFormat::Json => problem::json(&problem),
        _ => problem::short(&problem),
    };
    output.line(&text);
}
