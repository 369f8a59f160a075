//! `commute report`: what runs have found, shown again, joined or compared.

mod diff;
mod identity;
mod joined;
mod list;
mod merge;
mod shards;
mod show;
mod test_line;

use anyhow::{Result, bail};

use crate::cli::{ReportArgs, ReportCommand, Shared};
use crate::exit::Exit;
use crate::output::Output;

/// Does what the command line asks for.
pub(crate) fn run(args: &ReportArgs, shared: &Shared, output: &mut Output) -> Result<Exit> {
    match &args.command {
        Some(_) if !args.files.is_empty() || args.list => {
            bail!("`merge` and `diff` come first, and files after them")
        }
        Some(ReportCommand::Merge(args)) => merge::run(args, shared, output),
        Some(ReportCommand::Diff(args)) => diff::run(args, shared, output),
        None if args.list => list::run(args, shared, output),
        None => show::run(args, shared, output),
    }
}
