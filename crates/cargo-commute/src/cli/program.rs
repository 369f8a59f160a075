//! The command lines of `commute run` and `commute record`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{AnalysisArgs, Given};

/// `commute run`
#[derive(Args, Debug)]
pub(crate) struct RunArgs {
    /// Write the report to this file: standard output is the program's, too
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Keep the trace that is checked; further processes have theirs beside it:
    /// `FILE-2`
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Do not call the run inconclusive because of this, which is not recorded: `unsafe` code,
    /// or a library (`tokio`)
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub trust: Vec<String>,
    #[command(flatten)]
    pub program: ProgramArgs,
    #[command(flatten, next_help_heading = "What to look for")]
    pub analysis: AnalysisArgs,
}

/// `commute record`
#[derive(Args, Debug)]
pub(crate) struct RecordArgs {
    /// The trace to write; further processes have theirs beside it: `FILE-2`
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    #[command(flatten)]
    pub program: ProgramArgs,
}

/// What is run.
#[derive(Args, Debug)]
pub(crate) struct ProgramArgs {
    /// The command to run; the arguments, if a target is built and run
    #[arg(last = true, value_name = "CMD")]
    pub command: Vec<OsString>,
    #[command(flatten)]
    pub swap: Given<SwapArgs>,
    #[command(flatten)]
    pub cargo: Given<CargoArgs>,
}

/// What is replaced in a program that must not change.
#[derive(Args, Debug)]
pub(crate) struct SwapArgs {
    /// Replace these crates by ours, which record, in a program as it is and in
    /// all that it depends on
    #[arg(
        id = "swap",
        long = "swap",
        value_name = "CRATES",
        value_delimiter = ','
    )]
    pub crates: Vec<Swapped>,
    /// Where the source code of commute is, with which they are built
    #[arg(long, value_name = "PATH")]
    pub library: Option<PathBuf>,
}

/// A crate that we have a stand-in for.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Swapped {
    /// Locks, channels, atomics and threads of the standard library
    Std,
    /// Concurrent maps and sets, version 6
    Dashmap,
}

impl ProgramArgs {
    /// Whether nothing was said.
    pub(crate) fn is_empty(&self) -> bool {
        self.command.is_empty() && !self.cargo.is_given()
    }

    /// Whether a target is built, and `command` holds its arguments.
    pub(crate) fn builds(&self) -> bool {
        self.command.is_empty() || self.cargo.is_given()
    }
}

/// What cargo builds first.
#[derive(Args, Debug)]
#[command(next_help_heading = "Target to build and run")]
pub(crate) struct CargoArgs {
    /// Build and run this binary
    #[arg(long, value_name = "NAME", conflicts_with_all = ["example", "test"])]
    pub bin: Option<String>,
    /// Build and run this example
    #[arg(long, value_name = "NAME", conflicts_with = "test")]
    pub example: Option<String>,
    /// Build and run this integration test; may be repeated
    #[arg(long, value_name = "NAME")]
    pub test: Vec<String>,
    /// The package it is in
    #[arg(short, long, value_name = "SPEC")]
    pub package: Option<String>,
    #[command(flatten)]
    pub features: clap_cargo::Features,
    #[command(flatten)]
    pub manifest: clap_cargo::Manifest,
    /// Build with optimizations
    #[arg(short, long, conflicts_with = "profile")]
    pub release: bool,
    /// Build with this profile
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,
    /// Leave Cargo.lock as it is
    #[arg(long)]
    pub locked: bool,
    /// Do without the network
    #[arg(long)]
    pub offline: bool,
}
