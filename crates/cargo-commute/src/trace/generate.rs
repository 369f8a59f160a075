//! `commute trace generate`: traces made to measure.

use anyhow::{Result, anyhow};
use commute_trace::{Generator, Recipe};

use super::convert::Writer;
use crate::cli::{GenerateArgs, Shape, Shared};
use crate::exit::Exit;
use crate::progress::Progress;

/// Writes a trace of the wanted shape.
pub(super) fn run(args: &GenerateArgs, shared: &Shared) -> Result<Exit> {
    let shape = match args.shape {
        Shape::Locked => commute_trace::Shape::Locked,
        Shape::Local => commute_trace::Shape::Local,
        Shape::SharedRead => commute_trace::Shape::SharedRead,
        Shape::OneLock => commute_trace::Shape::OneLock,
        Shape::Dictionary => commute_trace::Shape::Dictionary,
        Shape::Racy => commute_trace::Shape::Racy,
        Shape::Jigsaw => commute_trace::Shape::Jigsaw,
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
    let mut progress = Progress::beside(&args.output, Some(args.events), shared.quiet);
    let (mut events, mut made) = (Vec::new(), 0);
    while generator.read_batch(&mut events) > 0 {
        if !writer.write(&events, generator.names())? {
            break;
        }
        made += events.len() as u64;
        progress.update(made, made);
    }
    progress.finish();
    writer.finish()
}
