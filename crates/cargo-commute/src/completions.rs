//! Completion scripts and manual pages, made from the command line itself.

use std::path::Path;

use anyhow::{Context, Result};
use clap_complete::Shell;

use crate::cli;
use crate::exit::Exit;
use crate::output::Output;
use crate::store::whole_file::UNFINISHED;

/// Prints a completion script.
pub(crate) fn completions(shell: Shell, output: &mut Output) -> Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut cli::command(), "commute", &mut script);
    output.raw(&String::from_utf8_lossy(&script));
    Ok(Exit::Clean)
}

/// Writes one manual page per command to `directory`, or the main page to
/// standard output.
pub(crate) fn manual(directory: Option<&Path>, output: &mut Output) -> Result<Exit> {
    let command = cli::command();
    match directory {
        Some(directory) => {
            let name = directory.display();
            std::fs::create_dir_all(directory).with_context(|| format!("cannot make {name}"))?;
            let cannot = || format!("cannot write to {name}");
            // A page replaces the old one when all of them are complete.
            let complete = tempfile::Builder::new()
                .prefix(UNFINISHED)
                .tempdir_in(directory)
                .with_context(cannot)?;
            clap_mangen::generate_to(command, &complete).with_context(cannot)?;
            for page in complete.path().read_dir().with_context(cannot)? {
                let page = page.with_context(cannot)?;
                let to = directory.join(page.file_name());
                std::fs::rename(page.path(), to).with_context(cannot)?;
            }
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            output.raw(&String::from_utf8_lossy(&page));
        }
    }
    Ok(Exit::Clean)
}
