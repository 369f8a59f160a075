//! The command line of Commute: `commute` and `cargo commute` are the same
//! program. This is the only crate that reads arguments, opens files, prints
//! and chooses exit codes.

mod baseline;
mod blocks;
mod cargo_project;
mod check;
mod cli;
#[cfg(unix)]
mod compiler_words;
mod completions;
mod config;
mod documents;
mod examine;
mod exit;
mod explain;
mod fingerprints;
mod glob;
mod init;
mod initial_states;
mod library;
#[cfg(unix)]
mod lint;
mod memory_limit;
mod missed;
mod output;
mod page_file;
mod passes;
mod predictor;
#[cfg(unix)]
mod program;
mod progress;
mod reading;
mod refusal;
#[cfg(unix)]
mod replay;
#[cfg(unix)]
mod report;
mod results;
mod scenes;
mod second_look;
mod shell_word;
mod sources;
mod spec;
mod store;
mod suppress;
mod text_file;
mod trace;
mod unused;

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::anyhow;

use crate::cli::Command;
use crate::config::Refused;
use crate::exit::Exit;
use crate::output::Output;
use crate::store::asked::Asked;
use crate::trace::convert::INCOMPLETE;

/// Runs the program with these arguments, the first being its own name.
pub fn main(args: Vec<OsString>) -> ExitCode {
    // Cargo may be calling, and take us for a compiler.
    #[cfg(unix)]
    if let Some(exit) = program::swap::compile(&args).or_else(|| lint::compile(&args)) {
        return exit;
    }
    let said = match config::parse(&args) {
        Ok(said) => said,
        Err(Refused::Usage(error)) => {
            // `--help` and `--version` come this way too, and end with 0.
            let code = if error.use_stderr() { 2 } else { 0 };
            let _ = error.print();
            return ExitCode::from(code);
        }
        Err(Refused::Settings(error, shared)) => {
            Output::new(&shared).error(&error);
            return Exit::BadInput.into();
        }
    };
    let asks_for_document = said.is_typed(&["html", "message_format"]);
    let asks_for_baseline = said.is_typed(&["baseline", "write_baseline"]);
    let configured = cli::Configured {
        file: said.file.as_ref().map(config::File::name),
        suppresses: said.is_configured("suppress"),
        knows: said.is_configured("baseline"),
    };
    let (mut cli, file, elsewhere) = (said.cli, said.file, said.elsewhere);
    let only_tells = cli.command.only_tells();
    if (!cli.command.has_documents() || only_tells) && !asks_for_document {
        cli.shared.without_documents();
    }
    if (!cli.command.has_findings() || only_tells) && !asks_for_baseline {
        cli.shared.store.baseline = None;
        cli.shared.store.write_baseline = None;
    }
    cli.shared.asked = Asked::by(&cli.command);
    cli.shared.configured = configured;
    let mut output = Output::new(&cli.shared);
    for warning in said.warnings {
        output.note(&format!(
            "warning: {}",
            commute_report::visible_lines(&warning)
        ));
    }
    let mut unusable = sources::roots::check(&cli.shared.sources).err();
    let result = match &cli.command {
        command if !command.has_documents() && cli.shared.wants_document() => Err(anyhow!(
            "`--html` and the formats `sarif` and `junit` are for commands with findings: `check`, `run`, `lint`, `test`, `replay`, `report`, `spec check` and `spec verify`"
        )),
        command if !command.has_findings() && asks_for_baseline => Err(anyhow!(
            "`--baseline` and `--write-baseline` are for commands with findings: `check`, `run`, `lint`, `test`, `replay` and `report`"
        )),
        _ if unusable.is_some() => Err(unusable.take().expect("there is one")),
        Command::Check(args) => check::run(args, &cli.shared, &mut output),
        #[cfg(unix)]
        Command::Run(args) => program::run::run(args, &cli.shared, &mut output),
        #[cfg(unix)]
        Command::Record(args) => program::record::run(args, &cli.shared, &mut output),
        #[cfg(unix)]
        Command::Lint(args) => lint::run(args, &cli.shared, file.as_ref(), &mut output),
        #[cfg(not(unix))]
        Command::Lint(_) => Err(anyhow!("source code is looked at on Unix only")),
        #[cfg(unix)]
        Command::Test(args) => program::test::run(args, &cli.shared, &mut output),
        #[cfg(unix)]
        Command::Replay(args) => replay::run(args, &cli.shared, &mut output),
        #[cfg(unix)]
        Command::Report(args) => report::run(args, &cli.shared, &mut output),
        #[cfg(not(unix))]
        Command::Test(_) | Command::Replay(_) | Command::Report(_) => {
            Err(anyhow!("tests are explored on Unix only"))
        }
        #[cfg(not(unix))]
        Command::Run(_) | Command::Record(_) => Err(anyhow!(
            "programs are run on Unix only; set COMMUTE_TRACE=FILE for the program, and check FILE"
        )),
        Command::Trace(command) => trace::run(command, &cli.shared, &mut output),
        Command::Spec(command) => spec::run(command, &cli.shared, &mut output),
        Command::Explain(args) => explain::run(args, &cli.shared, &mut output),
        Command::Init(args) => init::run(args, &mut output),
        Command::Completions { shell } => completions::completions(*shell, &mut output),
        Command::Man { out } => completions::manual(out.as_deref(), &mut output),
    };
    // Findings that could not be written are not known to the user. After an error, the
    // findings before it are written, too.
    let finished = output.finish();
    let result = result.and_then(|exit| finished.map(|()| exit));
    let is_cut = cli.command.makes_product() && output.is_gone();
    let result = result.map(|exit| if is_cut { INCOMPLETE } else { exit });
    let exit = result.unwrap_or_else(|error| {
        output.error(&error);
        if let Some(source) = elsewhere.who_named(&format!("{error:#}")) {
            output.note(&format!(
                "note: {} names it",
                commute_report::visible_lines(source)
            ));
        }
        Exit::BadInput
    });
    exit.into()
}
