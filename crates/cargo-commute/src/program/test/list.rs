//! `commute test --list`: the tests that would be explored.

use anyhow::{Result, anyhow, bail};
use commute_report::json;
use serde::Serialize;

use super::{Environment, Runs, targets};
use crate::cli::{MessageFormat, Shared, TestArgs};
use crate::exit::Exit;
use crate::output::Output;

#[derive(Serialize)]
struct Body<'a> {
    name: &'a str,
    package: &'a str,
    ignored: bool,
}

/// Lists them. Nothing is explored, so there is no verdict.
pub(super) fn run(args: &TestArgs, shared: &Shared, output: &mut Output) -> Result<Exit> {
    if shared.wants_document() {
        bail!("`--list` is printed as `human`, `short` or `json`");
    }
    args.validate().map_err(|error| anyhow!(error))?;
    let environment = Environment::find(&args.program, Runs::Tests, shared.quiet)?;
    let only = targets::Only::Asked {
        lib: args.lib,
        workspace: args.workspace,
    };
    let targets = targets::build(&args.program.cargo, &only, &environment, shared.quiet)?;
    for test in targets::list(&targets, |name| args.wants(name))? {
        let line = match output.format {
            MessageFormat::Json => json::line(
                "listed-test",
                Body {
                    name: &test.name,
                    package: &test.target.package,
                    ignored: test.is_ignored,
                },
            ),
            _ => test.name,
        };
        output.line(&line);
    }
    Ok(Exit::Clean)
}
