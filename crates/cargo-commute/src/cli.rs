//! The command line.

mod analysis;
mod given;
mod init;
mod lint;
mod program;
mod stored;
mod test;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

pub(crate) use self::analysis::{Algorithm, Analysis, AnalysisArgs, Deny, PredictionArgs};
pub(crate) use self::given::Given;
pub(crate) use self::init::InitArgs;
pub(crate) use self::lint::{LintArgs, LintCargoArgs};
pub(crate) use self::program::{CargoArgs, ProgramArgs, RecordArgs, RunArgs, SwapArgs, Swapped};
pub(crate) use self::stored::{DiffArgs, MergeArgs, ReportArgs, ReportCommand, StoreArgs};
pub(crate) use self::test::{ReplayArgs, Size, TestArgs};
use crate::store::asked::Asked;

/// Finds the concurrency bugs the borrow checker lets through.
#[derive(Parser, Debug)]
#[command(
    name = "commute",
    version,
    propagate_version = true,
    max_term_width = 100
)]
#[command(
    after_help = "Options are also read from `commute.toml` and from variables `COMMUTE_…`: docs/configuration.md.\n\
        Exit codes: 0 clean, 1 findings, 2 bad usage or input, 3 inconclusive, 101 a bug in commute."
)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Flags of every command.
    #[command(flatten)]
    pub shared: Shared,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Check recorded traces: all analyses that apply
    Check(CheckArgs),
    /// Run an instrumented program and check what it does
    ///
    /// `commute run -- cargo test` runs a command; what cargo builds for it is
    /// instrumented. `commute run --example NAME -- ARG` builds a target and runs
    /// it; without any option and command, that is the binary of the package.
    Run(RunArgs),
    /// Run an instrumented program and write what it does as a trace
    ///
    /// `commute record -o FILE -- cargo test` runs a command; what cargo builds
    /// for it is instrumented. `commute record -o FILE --example NAME -- ARG`
    /// builds a target and runs it; without any such option and command, that is
    /// the binary of the package.
    Record(RecordArgs),
    /// Look for stale values and high-level data races in source code
    ///
    /// `commute lint` has cargo check the package here and looks at what the compiler
    /// makes of it, `commute lint classes/` at class files. Nothing is run.
    Lint(LintArgs),
    /// Explore what the threads of every `#[commute::test]` can do
    ///
    /// Each test runs once for every outcome: every combination of what its threads
    /// see and of the states at the end. A test that panics or gets stuck in one of
    /// them fails, and the schedule is shown and kept.
    Test(TestArgs),
    /// Run a schedule again that `commute test` has kept, or show a witness again
    Replay(ReplayArgs),
    /// Show, join or compare what runs have found
    ///
    /// Every run keeps its findings in `target/commute` of the project, or in the folder
    /// that `--out-dir` names. They can be printed again in any format.
    Report(ReportArgs),
    /// Look at, cut, convert, make and validate traces
    #[command(subcommand)]
    Trace(TraceCommand),
    /// Check, show and verify commutativity specifications
    #[command(subcommand)]
    Spec(SpecCommand),
    /// Say what a finding means, with an example and its fix
    Explain(ExplainArgs),
    /// Write a commented `commute.toml` and a first test
    ///
    /// `commute.toml` goes to the root of the workspace, the test to `tests/commute.rs` of the
    /// package. Nothing that is there is written over.
    Init(InitArgs),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Write the manual pages
    Man {
        /// The directory to write them to; without it, the main page goes to
        /// standard output
        #[arg(short, long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
}

/// The command line as people see it.
pub(crate) fn command() -> clap::Command {
    <Cli as clap::CommandFactory>::command().mut_subcommands(|command| {
        match command.get_name() {
            // Tests have no arguments: who gives some is told so, and nobody is asked for them.
            "test" | "replay" => command.mut_arg("command", |arg| arg.hide(true)),
            _ => command,
        }
    })
}

impl Command {
    /// Whether it yields findings.
    pub(crate) fn has_findings(&self) -> bool {
        matches!(
            self,
            Command::Check(_)
                | Command::Run(_)
                | Command::Lint(_)
                | Command::Test(_)
                | Command::Replay(_)
                | Command::Report(_)
        )
    }

    /// Whether what it yields can be a document.
    pub(crate) fn has_documents(&self) -> bool {
        let is_of_specifications = matches!(
            self,
            Command::Spec(SpecCommand::Check(_) | SpecCommand::Verify(_))
        );
        self.has_findings() || is_of_specifications
    }

    /// Whether it prints a file for another program: a part of it is worth nothing.
    pub(crate) fn makes_product(&self) -> bool {
        match self {
            Command::Completions { .. } | Command::Man { out: None } => true,
            Command::Trace(TraceCommand::Show { witness, .. }) => witness.is_some(),
            Command::Init(args) => args.schema,
            _ => false,
        }
    }

    /// Whether it only compares or lists: a project that usually wants a document or has
    /// a baseline wants neither of that.
    pub(crate) fn only_tells(&self) -> bool {
        match self {
            Command::Report(args) => {
                args.list || matches!(args.command, Some(ReportCommand::Diff(_)))
            }
            Command::Test(args) => args.list,
            _ => false,
        }
    }
}

/// Flags of every command.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Shared options")]
pub(crate) struct Shared {
    /// How findings are printed
    #[arg(long, global = true, value_name = "FORMAT", default_value = "human")]
    pub message_format: MessageFormat,
    /// Also write the findings as a page to this file
    #[arg(long, global = true, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: When,
    /// Print findings and errors only
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print everything, at any length
    #[arg(short, long, global = true)]
    pub verbose: bool,
    /// A specification file, or a directory of `.ecl` files; may be repeated
    #[arg(long, global = true, value_name = "PATH")]
    pub spec: Vec<PathBuf>,
    /// The type of an object the trace does not declare; may be repeated
    #[arg(long, global = true, value_name = "NAME=TYPE", value_parser = object)]
    pub object: Vec<(String, String)>,
    /// A file of findings that are known and wanted, one a line:
    /// `CM101 object=GLOB location=GLOB`
    #[arg(long, global = true, value_name = "FILE")]
    pub suppress: Option<PathBuf>,
    /// Print at most this many findings
    #[arg(long, global = true, value_name = "N", allow_negative_numbers = true)]
    pub max_findings: Option<usize>,
    /// Also show source code below this directory; may be repeated
    #[arg(long, global = true, value_name = "DIR")]
    pub sources: Vec<PathBuf>,
    /// Read options from this file [default: the `commute.toml` here, or above in the
    /// repository]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Read options from no file
    #[arg(long, global = true, conflicts_with = "config")]
    pub no_config: bool,
    /// What is kept of the run.
    #[command(flatten)]
    pub store: StoreArgs,
    /// For which command line it is kept.
    #[arg(skip)]
    pub asked: Asked,
    /// The configuration file, and which findings it keeps out of reports.
    #[arg(skip)]
    pub configured: Configured,
}

/// The configuration file, as far as it says which findings are left out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Configured {
    /// The name of the file, if there is one.
    pub file: Option<String>,
    /// Whether it names the file of suppressions.
    pub suppresses: bool,
    /// Whether it names the baseline.
    pub knows: bool,
}

impl Shared {
    /// Whether findings are wanted as one document, printed or in a file.
    pub(crate) fn wants_document(&self) -> bool {
        self.html.is_some() || self.message_format.is_document()
    }

    /// Whether findings are stored, if there is a place for that.
    pub(crate) fn stores(&self) -> bool {
        self.asked.command.is_some() && !self.store.no_store
    }

    /// Without findings there are no documents: of a project that usually wants one, what
    /// has none is printed for people.
    pub(crate) fn without_documents(&mut self) {
        self.html = None;
        if self.message_format.is_document() || self.message_format == MessageFormat::Github {
            self.message_format = MessageFormat::Human;
        }
    }
}

fn object(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, type_name)) if !name.is_empty() && !type_name.is_empty() => {
            Ok((name.to_owned(), type_name.to_owned()))
        }
        _ => Err("expected NAME=TYPE, for example `conns=dictionary`".to_owned()),
    }
}

/// How findings are printed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MessageFormat {
    /// For people, with source excerpts
    Human,
    /// One line each
    Short,
    /// Lines of JSON
    Json,
    /// One SARIF 2.1.0 document, for code scanning
    Sarif,
    /// One JUnit XML document, a test case for each trace
    Junit,
    /// Annotations for GitHub's workflow logs
    Github,
}

impl MessageFormat {
    /// Whether all is printed at the end, as one document.
    pub(crate) fn is_document(self) -> bool {
        matches!(self, MessageFormat::Sarif | MessageFormat::Junit)
    }
}

/// When to use colours.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum When {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// `commute check`
#[derive(Args, Debug)]
pub(crate) struct CheckArgs {
    /// Traces: text (`.std`) or binary (`.ctr`), also compressed (gzip, zstd);
    /// `-` is standard input
    #[arg(required = true, value_name = "TRACE")]
    pub traces: Vec<PathBuf>,
    /// Stop reading when the process has this much memory, for example 4G: the findings
    /// so far are reported, and the verdict is inconclusive
    #[arg(long, value_name = "SIZE", value_parser = test::size)]
    pub max_memory: Option<Size>,
    #[command(flatten)]
    pub analysis: AnalysisArgs,
}

/// `commute trace`
#[derive(Subcommand, Debug)]
pub(crate) enum TraceCommand {
    /// Count what a trace contains
    Info {
        /// The trace; `-` is standard input
        trace: PathBuf,
    },
    /// Print a trace, one column per thread
    Show {
        /// The trace; `-` is standard input
        trace: PathBuf,
        /// Only events FROM..TO (1-based, the last included); either may be
        /// left out
        #[arg(long, value_name = "FROM..TO", value_parser = range)]
        events: Option<(u64, u64)>,
        /// Instead, write the run that shows a predicted finding, as a text
        /// trace; the beginning of the finding's fingerprint is enough
        #[arg(long, value_name = "ID", conflicts_with = "events")]
        witness: Option<String>,
        #[command(flatten)]
        prediction: PredictionArgs,
    },
    /// Write a part of a trace
    Slice(SliceArgs),
    /// Convert between text and binary, or to what other tools draw
    Convert {
        /// The trace; `-` is standard input
        trace: PathBuf,
        /// Where to write; the ending (`.std`, `.ctr`, `.json`, `.shiviz`) says
        /// the format; `-` is standard output
        #[arg(short, long, default_value = "-")]
        output: PathBuf,
        /// The format, if the ending does not say it
        #[arg(long)]
        to: Option<ConvertFormat>,
    },
    /// Make a trace of a given shape and size
    Generate(GenerateArgs),
    /// Check that a trace is well-formed
    Validate {
        /// The trace; `-` is standard input
        trace: PathBuf,
        /// Also replay every object on the sequential model of its type: the
        /// recorded results must come out
        #[arg(long)]
        models: bool,
    },
}

/// `commute trace slice`
#[derive(Args, Debug)]
pub(crate) struct SliceArgs {
    /// The trace; `-` is standard input
    pub trace: PathBuf,
    /// Only events FROM..TO (1-based, the last included)
    #[arg(long, value_name = "FROM..TO", value_parser = range)]
    pub events: Option<(u64, u64)>,
    /// Only these threads; may be repeated
    #[arg(long)]
    pub thread: Vec<String>,
    /// Only actions on these objects; may be repeated
    #[arg(long = "only-object", value_name = "NAME")]
    pub only_object: Vec<String>,
    /// Where to write; `-` is standard output
    #[arg(short, long, default_value = "-")]
    pub output: PathBuf,
    /// The format, if the ending does not say it
    #[arg(long)]
    pub to: Option<TraceFormat>,
}

/// `commute trace generate`
#[derive(Args, Debug)]
pub(crate) struct GenerateArgs {
    /// What the trace looks like
    #[arg(long)]
    pub shape: Shape,
    /// How many events it has
    #[arg(long, default_value_t = 1000)]
    pub events: u64,
    /// How many threads work
    #[arg(long)]
    pub threads: Option<u32>,
    /// How many locks there are
    #[arg(long)]
    pub locks: Option<u32>,
    /// How many variables there are
    #[arg(long)]
    pub variables: Option<u32>,
    /// How many keys each thread of the dictionary has
    #[arg(long)]
    pub keys: Option<u32>,
    /// The share of the dictionary's actions that conflict, from 0 to 1
    #[arg(long, value_parser = share)]
    pub conflicts: Option<f64>,
    /// The same seed gives the same trace
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Where to write; the ending says the format; `-` is standard output
    #[arg(short, long, default_value = "-")]
    pub output: PathBuf,
    /// The format, if the ending does not say it
    #[arg(long)]
    pub to: Option<TraceFormat>,
}

/// A format of traces.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TraceFormat {
    /// Text, one event a line
    Std,
    /// Binary
    Ctr,
}

/// What a trace can be converted to.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ConvertFormat {
    /// Text, one event a line
    Std,
    /// Binary
    Ctr,
    /// Chrome trace JSON, for ui.perfetto.dev
    Perfetto,
    /// The same, for chrome://tracing
    Chrome,
    /// A log with vector clocks, for ShiViz
    Shiviz,
}

/// The shape of a generated trace.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// Transactions on variables, each owned by a lock
    Locked,
    /// Transactions on thread-local variables
    Local,
    /// Transactions that read shared variables
    SharedRead,
    /// Transactions under one lock
    OneLock,
    /// put, get and size on one dictionary
    Dictionary,
    /// Transactions under locks, with rare races and order violations that did
    /// not happen, but could
    Racy,
    /// Requests to a web server with a pool of threads, and many races that
    /// mostly did not happen, but could
    Jigsaw,
}

fn share(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok();
    let share = number.filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

fn range(text: &str) -> Result<(u64, u64), String> {
    let wrong = || "expected FROM..TO, for example `10..20`, `10..` or `..20`".to_owned();
    let (from, to) = text.split_once("..").ok_or_else(wrong)?;
    let to = to.strip_prefix('=').unwrap_or(to);
    let number = |text: &str, absent| match text {
        "" => Ok(absent),
        digits => digits.parse::<u64>().map_err(|_| wrong()),
    };
    let (from, to) = (number(from, 1)?, number(to, u64::MAX)?);
    if from == 0 || from > to {
        return Err(format!(
            "there is no event from {from} to {to}; events count from 1"
        ));
    }
    Ok((from, to))
}

/// `commute spec`
#[derive(Subcommand, Debug)]
pub(crate) enum SpecCommand {
    /// Report what is wrong or unusual about specifications
    Check(SpecArgs),
    /// Print methods, conditions with their class, access points and conflicts
    Show(SpecArgs),
    /// Compare specifications with their sequential models
    Verify(SpecArgs),
}

/// Which specifications.
#[derive(Args, Debug)]
pub(crate) struct SpecArgs {
    /// Types, shipped or of `--spec`; `.ecl` files, or directories of them; all
    /// if none
    #[arg(value_name = "NAME|PATH")]
    pub which: Vec<String>,
}

/// `commute explain`
#[derive(Args, Debug)]
pub(crate) struct ExplainArgs {
    /// A code such as CM101, or the beginning of the fingerprint of a stored finding;
    /// without it, all codes are listed
    #[arg(value_name = "CODE|ID")]
    pub code: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn ranges_are_read_as_people_write_them() {
        assert_eq!(range("10..20"), Ok((10, 20)));
        assert_eq!(range("..20"), Ok((1, 20)));
        assert_eq!(range("10.."), Ok((10, u64::MAX)));
        assert_eq!(range("10..=20"), Ok((10, 20)));
        assert!(range("20..10").is_err());
        assert!(range("0..1").is_err());
        assert!(range("x").is_err());
    }
}
