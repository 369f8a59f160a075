//! The command line of `commute report`, and the flags that say what is kept of a run.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// What is kept of a run, and what is known before it.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Stored findings")]
pub(crate) struct StoreArgs {
    /// Where findings are kept [default: `commute` in cargo's target directory, if there
    /// is a Cargo.toml]
    #[arg(long, global = true, value_name = "DIR", conflicts_with = "no_store")]
    pub out_dir: Option<PathBuf>,
    /// Do not keep findings
    #[arg(long, global = true)]
    pub no_store: bool,
    /// Findings in this file are known: they are counted, and do not fail the run
    #[arg(long, global = true, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write what is found to this file, a baseline: it is known from now on
    #[arg(long, global = true, value_name = "FILE")]
    pub write_baseline: Option<PathBuf>,
}

impl StoreArgs {
    /// Whether something may be known before, or is to be known after.
    pub(crate) fn has_baseline(&self) -> bool {
        self.baseline.is_some() || self.write_baseline.is_some()
    }
}

/// `commute report`
#[derive(Args, Debug)]
pub(crate) struct ReportArgs {
    /// Merge or compare instead
    #[command(subcommand)]
    pub command: Option<ReportCommand>,
    /// What runs wrote: files, or folders that `--out-dir` named [default: the last run]
    #[arg(value_name = "FILE|DIR")]
    pub files: Vec<PathBuf>,
    /// List the runs that are kept, the last one first, and do nothing else
    #[arg(long)]
    pub list: bool,
}

/// What else is done with stored findings.
#[derive(Subcommand, Debug)]
pub(crate) enum ReportCommand {
    /// Join what several runs have found
    ///
    /// Findings that are the same are one. Tests that were explored in parts
    /// (`commute test --shard`) are one test, which has passed if all parts have.
    Merge(MergeArgs),
    /// Say what is new, fixed and still there
    ///
    /// Exit codes: 1 if something is new, 0 if nothing is; 2 if the new run could not read
    /// something, 3 if nothing is new, but it did not look at everything.
    Diff(DiffArgs),
}

/// `commute report merge`
#[derive(Args, Debug)]
pub(crate) struct MergeArgs {
    /// What the runs wrote: files, or folders that `--out-dir` named
    #[arg(required = true, value_name = "FILE|DIR")]
    pub files: Vec<PathBuf>,
}

/// `commute report diff`
#[derive(Args, Debug)]
pub(crate) struct DiffArgs {
    /// What was found before: a file of a run or a baseline, or a folder [default: the run
    /// before the last one of the same command line]
    #[arg(requires = "new")]
    pub old: Option<PathBuf>,
    /// What was found now [default: the last run]
    pub new: Option<PathBuf>,
}
