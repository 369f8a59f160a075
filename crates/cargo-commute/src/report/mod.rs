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
use commute_spec::closest;

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
        None => {
            refuse_misspelt(args)?;
            show::run(args, shared, output)
        }
    }
}

/// What is no file was perhaps meant to be a command.
fn refuse_misspelt(args: &ReportArgs) -> Result<()> {
    let Some(word) = args.files.first().and_then(|path| path.to_str()) else {
        return Ok(());
    };
    match closest(word, ["merge", "diff"]) {
        Some(meant) if !args.files[0].exists() => {
            bail!("there is no file `{word}`; did you mean `report {meant}`?")
        }
        _ => Ok(()),
    }
}
