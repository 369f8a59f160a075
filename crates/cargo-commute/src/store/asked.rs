//! For which command line something is kept.

use std::path::PathBuf;

use commute_model::Finding;

use crate::cli::Command;

/// What was asked for, so that the run before of the same command line is known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    /// The command, if what comes of it is kept.
    pub command: Option<&'static str>,
    /// The same for the same command with the same arguments, shared flags aside, in
    /// the same directory.
    pub key: String,
    /// Where the project is looked for, if not here.
    pub start: Option<PathBuf>,
}

impl Asked {
    /// By this command line.
    pub(crate) fn by(command: &Command) -> Asked {
        let (name, start) = match command {
            Command::Check(_) => ("check", None),
            Command::Run(args) => ("run", args.program.cargo.manifest.manifest_path.clone()),
            Command::Lint(args) if !args.candidates => {
                let manifest = args.cargo.manifest.manifest_path.clone();
                ("lint", manifest.or_else(|| args.paths.first().cloned()))
            }
            Command::Test(args) if !args.list => {
                ("test", args.program.cargo.manifest.manifest_path.clone())
            }
            Command::Replay(args) => ("replay", args.program.cargo.manifest.manifest_path.clone()),
            _ => return Asked::default(),
        };
        let here = std::env::current_dir().unwrap_or_default();
        let here = here.to_string_lossy();
        let digest = Finding::fingerprint_of([&*here, &*format!("{command:?}")]);
        Asked {
            command: Some(name),
            key: digest[..8].to_owned(),
            start,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::Cli;

    fn asked(line: &str) -> Asked {
        let cli = Cli::try_parse_from(line.split(' ')).expect("a command line");
        Asked::by(&cli.command)
    }

    #[test]
    fn how_it_is_printed_makes_no_other_command_line() {
        let one = asked("commute check a.std");
        let same = "commute check --message-format json a.std -q --html x.html";
        assert_eq!(one.key, asked(same).key);
        assert_ne!(one.key, asked("commute check b.std").key);
        assert_ne!(one.key, asked("commute check a.std --only races").key);
        let first = asked("commute test --shard 1/2");
        assert_ne!(first.key, asked("commute test --shard 2/2").key);
    }

    #[test]
    fn what_yields_no_findings_is_not_kept() {
        let lines = [
            "commute test --list",
            "commute lint --candidates",
            "commute report",
            "commute spec check",
        ];
        for line in lines {
            assert_eq!(asked(line).command, None, "{line}");
        }
    }
}
