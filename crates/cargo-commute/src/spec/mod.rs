//! `commute spec`: checking, showing and verifying specifications.

mod check;
mod describe;
mod report;
mod show;
mod texts;
mod verify;

use anyhow::Result;
use commute_report::{Summary, Verdict};

use crate::cli::{MessageFormat, Shared, SpecCommand};
use crate::exit::Exit;
use crate::output::Output;
use report::Report;
use texts::{Text, texts};

/// What was looked at, and what came of it.
struct Outcome {
    /// How many types there are that can be used.
    types: u64,
    /// How many errors, or types that are not as they should be.
    errors: u64,
    exit: Exit,
}

/// Runs a subcommand.
pub(crate) fn run(command: &SpecCommand, shared: &Shared, output: &mut Output) -> Result<Exit> {
    let (args, analysis) = match command {
        SpecCommand::Check(args) => (args, "spec check"),
        SpecCommand::Show(args) => (args, "spec show"),
        SpecCommand::Verify(args) => (args, "spec verify"),
    };
    let texts = texts(args, shared);
    let mut report = Report::new(output);
    report.open_page(shared, texts.as_deref().unwrap_or_default())?;
    let outcome = match texts {
        Ok(texts) => match command {
            SpecCommand::Check(_) => check::run(&texts, &mut report),
            SpecCommand::Show(_) => show::run(&texts, &mut report),
            SpecCommand::Verify(_) => verify::run(&texts, &mut report),
        },
        Err(refusal) => {
            report.refuse(refusal);
            Outcome {
                types: 0,
                errors: 1,
                exit: Exit::BadInput,
            }
        }
    };
    let summary = Summary {
        verdict: match outcome.exit {
            Exit::Clean => Verdict::Clean,
            Exit::Inconclusive => Verdict::Inconclusive,
            Exit::Findings | Exit::BadInput => Verdict::Violations,
        },
        findings: outcome.errors,
        analyses: vec![analysis.to_owned()],
        types: Some(outcome.types),
        ..Summary::default()
    };
    // People got their last line, if any, from the command.
    if report.output.format == MessageFormat::Json {
        report.output.summary(&summary);
    }
    report.finish(analysis, summary)?;
    Ok(outcome.exit)
}
