//! Completion scripts and manual pages, made from the command line itself.

use std::path::Path;

use anyhow::{Context, Result};
use clap_complete::Shell;

use crate::cli;
use crate::exit::Exit;
use crate::output::Output;

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
            clap_mangen::generate_to(command, directory)
                .with_context(|| format!("cannot write to {name}"))?;
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            output.raw(&String::from_utf8_lossy(&page));
        }
    }
    Ok(Exit::Clean)
}
