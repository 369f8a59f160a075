//! The command line of `commute lint`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use commute_lint::{Algorithm, Options};

use super::Given;

/// `commute lint`
#[derive(Args, Debug)]
pub(crate) struct LintArgs {
    /// A package or a workspace, or a folder in one [default: here]; class files, as a
    /// folder, `.class` or `.jar`; or MIR (`.mir`) as rustc prints it
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// How violations are looked for
    #[arg(long, value_name = "NAME", default_value = "commute")]
    pub algorithm: LintAlgorithm,
    /// Leave out what goes beyond the published algorithm, to compare
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub without: Vec<Beyond>,
    /// List methods that perform several operations on one concurrent collection instead,
    /// each with a test for `commute test`
    ///
    /// A map or a set in a lock that a method takes several times is such a collection,
    /// too. Exit codes: 0 if all code was understood, 3 if not.
    #[arg(long, conflicts_with_all = ["algorithm", "without"])]
    pub candidates: bool,
    #[command(flatten)]
    pub cargo: Given<LintCargoArgs>,
}

/// What cargo checks.
#[derive(Args, Debug)]
#[command(next_help_heading = "Packages and targets")]
pub(crate) struct LintCargoArgs {
    /// Only this package; may be repeated
    #[arg(short, long, value_name = "SPEC")]
    pub package: Vec<String>,
    /// All packages of the workspace
    #[arg(long, conflicts_with = "package")]
    pub workspace: bool,
    /// The library
    #[arg(long)]
    pub lib: bool,
    /// This binary; may be repeated
    #[arg(long, value_name = "NAME")]
    pub bin: Vec<String>,
    /// All binaries
    #[arg(long)]
    pub bins: bool,
    /// This example; may be repeated
    #[arg(long, value_name = "NAME")]
    pub example: Vec<String>,
    /// All examples
    #[arg(long)]
    pub examples: bool,
    /// All tests
    #[arg(long)]
    pub tests: bool,
    /// All targets: libraries, binaries, examples, tests, benchmarks [default: libraries
    /// and binaries]
    #[arg(long)]
    pub all_targets: bool,
    #[command(flatten)]
    pub features: clap_cargo::Features,
    #[command(flatten)]
    pub manifest: clap_cargo::Manifest,
    /// Leave Cargo.lock as it is
    #[arg(long)]
    pub locked: bool,
    /// Do without the network
    #[arg(long)]
    pub offline: bool,
}

/// How violations are looked for.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LintAlgorithm {
    /// By values that are followed through calls, and operations that do not commute
    Commute,
    /// As published by Dias, Pessanha and Lourenço, to compare
    Moth,
    /// The same with views per path and operations on atomics, to compare
    MothExtended,
    /// View consistency, as published by Artho, Havelund and Biere, to compare
    Artho,
}

/// What goes beyond the published algorithm.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Beyond {
    /// Views per path instead of per region
    Paths,
    /// Reads with a stale index or key
    Reads,
    /// Writes in two regions of what others read in one
    TornWrites,
    /// Checks on one object that decide about another
    OtherObjects,
    /// Load and store of one atomic
    Atomics,
    /// Two instances of a type are not one variable
    Receivers,
}

impl LintArgs {
    /// What the analysis is told.
    pub(crate) fn options(&self) -> Options {
        let with = |beyond: Beyond| !self.without.contains(&beyond);
        let algorithm = match self.algorithm {
            LintAlgorithm::Commute => Algorithm::Commute,
            LintAlgorithm::Moth => Algorithm::Moth,
            LintAlgorithm::MothExtended => Algorithm::MothExtended,
            LintAlgorithm::Artho => Algorithm::Artho,
        };
        Options {
            paths: with(Beyond::Paths),
            reads: with(Beyond::Reads),
            torn_writes: with(Beyond::TornWrites),
            other_objects: with(Beyond::OtherObjects),
            atomics: with(Beyond::Atomics),
            receivers: with(Beyond::Receivers),
            ..Options::of(algorithm)
        }
    }

    /// What the summary says ran: the algorithm, and what it was to leave out.
    pub(crate) fn analyses(&self) -> Vec<String> {
        let name = |value: Option<clap::builder::PossibleValue>| {
            value.map_or_else(String::new, |value| value.get_name().to_owned())
        };
        let mut names = vec![name(self.algorithm.to_possible_value())];
        let mut without: Vec<String> = Vec::new();
        for beyond in Beyond::value_variants() {
            if self.without.contains(beyond) {
                without.push(name(beyond.to_possible_value()));
            }
        }
        names.extend(without.iter().map(|name| format!("without {name}")));
        names
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use crate::cli::{Cli, Command};

    #[test]
    fn what_is_left_out_is_said() {
        let line = "commute lint --algorithm moth-extended --without receivers,paths,paths";
        let cli = Cli::try_parse_from(line.split(' ')).expect("a command line");
        let Command::Lint(args) = cli.command else {
            panic!("lint");
        };
        let expected = ["moth-extended", "without paths", "without receivers"];
        assert_eq!(args.analyses(), expected);
        let options = args.options();
        assert!(!options.paths && !options.receivers && options.reads);
    }
}
