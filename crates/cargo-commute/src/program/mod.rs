//! Running an instrumented program, and taking what it records.
//!
//! The program finds a socket in its environment. Each of its processes connects
//! to it, says who it is, and sends a binary trace while it runs:
//! `docs/run.md` describes both. What is done with the trace is a matter of the
//! command: [`run`] checks it, [`record`] writes it to a file.

mod cargo_target;
mod connection;
mod descriptors;
mod environment;
mod link;
mod notices;
mod process;
pub(crate) mod record;
pub(crate) mod run;
mod run_report;
mod signals;
mod slots;
mod socket;
mod stream;
mod supervise;
pub(crate) mod swap;
pub(crate) mod test;
mod toolchain;
mod trace_file;
mod unobserved;
mod unrecorded;
mod watched;

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use commute_report::Unobserved;

use self::environment::{Environment, Runs};
use crate::cli::ProgramArgs;

/// What is to be run, ready to be started.
struct Program {
    /// One after the other.
    commands: Vec<Command>,
    /// Where source code may be found.
    directories: Vec<PathBuf>,
    /// Operations that will not be recorded; none if nothing was built, so that this is not
    /// known.
    unobserved: Option<Vec<Unobserved>>,
}

impl Program {
    /// Builds what has to be built. If `trusted` is there, looks for operations that will not
    /// be recorded; it has the names of those that need not be (`--trust`).
    ///
    /// # Errors
    /// If that fails.
    fn prepare(args: &ProgramArgs, trusted: Option<&[String]>, quiet: bool) -> Result<Program> {
        let environment = Environment::find(args, Runs::Anything, quiet)?;
        let (commands, unobserved) = if args.builds() {
            let built = cargo_target::build(args, &environment, quiet)?;
            let swapped = &args.swap.crates;
            let unobserved =
                { environment.metadata.as_ref().zip(trusted) }.map(|(metadata, trusted)| {
                    unobserved::of_build(&built, metadata, swapped, trusted)
                });
            (built.commands, unobserved)
        } else {
            let (name, arguments) = args.command.split_first().context("no command")?;
            let mut command = Command::new(name);
            command.args(arguments);
            environment.give(&mut command);
            (vec![command], None)
        };
        let root = environment.workspace_root().into_iter();
        Ok(Program {
            commands,
            directories: [PathBuf::new()].into_iter().chain(root).collect(),
            unobserved,
        })
    }
}

/// The name of a command in messages.
fn name_of(command: &Command) -> String {
    command.get_program().to_string_lossy().into_owned()
}
