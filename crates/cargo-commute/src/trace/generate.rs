//! `commute trace generate`: traces made to measure.

use anyhow::{Result, anyhow};
use commute_trace::{Generator, Recipe};

use super::convert::Writer;
use crate::cli::{GenerateArgs, Shape};
use crate::exit::Exit;
use crate::output::Output;

/// Writes a trace of the wanted shape.
pub(super) fn run(args: &GenerateArgs, _: &mut Output) -> Result<Exit> {
    let shape = match args.shape {
        Shape::Locked => commute_trace::Shape::Locked,
        Shape::Local => commute_trace::Shape::Local,
        Shape::SharedRead => commute_trace::Shape::SharedRead,
        Shape::OneLock => commute_trace::Shape::OneLock,
        Shape::Dictionary => commute_trace::Shape::Dictionary,
        Shape::Racy => commute_trace::Shape::Racy,
    };
    let recipe = Recipe {
        threads: args.threads,
        locks: args.locks,
        variables: args.variables,
        keys: args.keys,
        conflicts: args.conflicts.unwrap_or(0.0),
        seed: args.seed,
        ..Recipe::new(shape, args.events)
    };
    let mut generator = Generator::new(&recipe).map_err(|error| anyhow!(error))?;
    let mut writer = Writer::create(&args.output, args.to)?;
    let mut events = Vec::new();
    while generator.read_batch(&mut events) > 0 {
        if !writer.write(&events, generator.names())? {
            break;
        }
    }
    writer.finish()?;
    Ok(Exit::Clean)
}
