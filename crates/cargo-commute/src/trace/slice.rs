//! `commute trace slice`: a part of a trace.

use anyhow::{Result, bail};
use commute_trace::{Selection, Slicer};

use super::convert::{Writer, refuse_same, size, unread};
use super::open;
use crate::cli::{Shared, SliceArgs};
use crate::exit::Exit;
use crate::output::Output;
use crate::progress::Progress;

/// Writes the part that the flags select.
pub(super) fn run(args: &SliceArgs, shared: &Shared, output: &mut Output) -> Result<Exit> {
    let some = |names: &[String]| (!names.is_empty()).then(|| names.to_vec());
    let selection = Selection {
        range: args.events.map(|(from, to)| from..=to),
        threads: some(&args.thread),
        objects: some(&args.only_object),
    };
    let mut reader = match open(&args.trace, shared) {
        Ok(reader) => reader,
        Err(error) => return Ok(unread(&error, &args.trace, output)),
    };
    let mut slicer = Slicer::new(selection);
    refuse_same(&args.trace, &args.output)?;
    let mut progress = Progress::beside(&args.output, size(&args.trace), shared.quiet);
    let mut writer = Writer::create(&args.output, args.to)?;
    let (mut events, mut part) = (Vec::new(), Vec::new());
    let mut written = 0;
    let read = loop {
        match reader.read_batch(&mut events) {
            Ok(0) => break Ok(()),
            Ok(_) if slicer.is_past(reader.index(0)) => break Ok(()),
            Ok(_) => {}
            Err(error) => break Err(error),
        }
        for (i, event) in events.iter().enumerate() {
            slicer.step(event, reader.index(i), reader.names(), &mut part);
        }
        written += part.len();
        if !writer.write(&part, reader.names())? {
            break Ok(());
        }
        part.clear();
        progress.update(reader.bytes_read(), reader.events_read());
    };
    progress.finish();
    // Nobody knows whether they belong to the part.
    writer.missed(reader.notes());
    let unused = slicer.unused();
    // Of a broken trace, nobody knows what would have come.
    if read.is_ok() && !unused.is_empty() {
        bail!(
            "the trace has no thread or object named {}",
            unused.join(", ")
        );
    }
    if read.is_ok() && written == 0 {
        bail!("no event is selected");
    }
    let exit = writer.finish()?;
    match read {
        Ok(()) => Ok(exit),
        Err(error) => Ok(unread(&error, &args.trace, output)),
    }
}
