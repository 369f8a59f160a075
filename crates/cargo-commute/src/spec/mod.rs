//! `commute spec`: checking, showing and verifying specifications.

mod check;
mod describe;
mod show;
mod texts;
mod verify;

use anyhow::Result;
use commute_report::{Summary, Verdict};

use crate::cli::{MessageFormat, Shared, SpecCommand};
use crate::exit::Exit;
use crate::output::Output;
use texts::{Text, texts};

/// Runs a subcommand.
pub(crate) fn run(command: &SpecCommand, shared: &Shared, output: &mut Output) -> Result<Exit> {
    let (args, analysis) = match command {
        SpecCommand::Check(args) => (args, "spec check"),
        SpecCommand::Show(args) => (args, "spec show"),
        SpecCommand::Verify(args) => (args, "spec verify"),
    };
    let texts = match texts(args, shared) {
        Ok(texts) => texts,
        Err(refusal) => {
            refusal.report(output);
            return Ok(finish(analysis, 1, Exit::BadInput, output));
        }
    };
    let (errors, exit) = match command {
        SpecCommand::Check(_) => check::run(&texts, output),
        SpecCommand::Show(_) => show::run(&texts, output),
        SpecCommand::Verify(_) => verify::run(&texts, output),
    };
    Ok(finish(analysis, errors, exit, output))
}

/// Prints the last line of JSON. People got theirs, if any, from the command.
fn finish(analysis: &str, findings: u64, exit: Exit, output: &mut Output) -> Exit {
    let summary = Summary {
        verdict: match exit {
            Exit::Clean => Verdict::Clean,
            Exit::Inconclusive => Verdict::Inconclusive,
            Exit::Findings | Exit::BadInput => Verdict::Violations,
        },
        findings,
        analyses: vec![analysis.to_owned()],
        ..Summary::default()
    };
    if output.format == MessageFormat::Json {
        output.summary(&summary);
    }
    exit
}
