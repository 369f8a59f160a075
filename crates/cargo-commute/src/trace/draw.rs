//! Traces as other tools draw them.

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use commute_detect::{Edges, EventClocks, MOST_THREADS_OF_EVENT_CLOCKS};
use commute_model::{Event, Names, ObjectId, TypeId};
use commute_report::{Arrow, ShiViz, Timeline, visible};
use commute_spec::Library;

use super::convert::{INCOMPLETE, Product, refuse_same, settle, size, unread};
use super::{name, open};
use crate::cli::Shared;
use crate::exit::Exit;
use crate::output::Output;
use crate::progress::Progress;

/// So much text is written at once.
const BUFFER: usize = 1 << 16;

/// A trace in the course of being drawn.
pub(super) enum Drawing {
    Timeline {
        title: String,
        timeline: Timeline,
        edges: Edges,
        arrows: Vec<Arrow>,
    },
    ShiViz {
        log: ShiViz,
        clocks: EventClocks,
    },
}

impl Drawing {
    /// For Perfetto and Chrome.
    pub(super) fn timeline(trace: &Path, library: Arc<Library>) -> Drawing {
        Drawing::Timeline {
            title: name(trace),
            timeline: Timeline::default(),
            edges: Edges::new(library),
            arrows: Vec::new(),
        }
    }

    /// For ShiViz.
    pub(super) fn shiviz(library: Arc<Library>) -> Drawing {
        Drawing::ShiViz {
            log: ShiViz::default(),
            clocks: EventClocks::new(library),
        }
    }

    fn declare(&mut self, object: ObjectId, type_id: TypeId, names: &Names) {
        match self {
            Drawing::Timeline { edges, .. } => edges.declare(object, type_id, names),
            Drawing::ShiViz { clocks, .. } => clocks.declare(object, type_id, names),
        }
    }

    /// Refuses traces with too many threads for logs that have a clock at each event.
    fn check_threads(&self, events: u64, names: &Names) -> Result<()> {
        let most = MOST_THREADS_OF_EVENT_CLOCKS;
        if matches!(self, Drawing::ShiViz { .. }) && names.threads.len() > most {
            bail!(
                "cannot draw the trace for ShiViz: its first {events} events are of more than {most} threads, and every event would have a clock of all; draw a part of the trace (`commute trace slice --events`) or choose `--to perfetto`"
            );
        }
        Ok(())
    }

    fn begin(&mut self, out: &mut String) {
        match self {
            Drawing::Timeline {
                title, timeline, ..
            } => timeline.begin(title, out),
            Drawing::ShiViz { log, .. } => log.begin(out),
        }
    }

    fn event(&mut self, event: &Event, index: u64, names: &Names, out: &mut String) {
        match self {
            Drawing::Timeline {
                timeline,
                edges,
                arrows,
                ..
            } => {
                let incoming = edges.step(event, index, names);
                arrows.clear();
                arrows.extend(incoming.iter().map(|edge| Arrow {
                    from: edge.from,
                    thread: edge.thread,
                    kind: edge.kind.name(),
                }));
                timeline.event(event, index, arrows, names, out);
            }
            Drawing::ShiViz { log, clocks } => {
                let clock = clocks.step(event, index, names);
                log.event(event, index, clock.times(), names, out);
            }
        }
    }

    fn finish(self, names: &Names, out: &mut String) {
        match self {
            Drawing::Timeline { timeline, .. } => timeline.finish(names, out),
            Drawing::ShiViz { .. } => {}
        }
    }

    fn not_understood(&self) -> Option<&(u64, String)> {
        match self {
            Drawing::Timeline { edges, .. } => edges.not_understood(),
            Drawing::ShiViz { clocks, .. } => clocks.not_understood(),
        }
    }
}

/// Draws a trace.
pub(super) fn run(
    from: &Path,
    to: &Path,
    drawing: impl FnOnce(Arc<Library>) -> Drawing,
    shared: &Shared,
    output: &mut Output,
) -> Result<Exit> {
    let library = Arc::new(crate::library::load(&shared.spec, output)?);
    let mut drawing = drawing(library);
    let mut reader = match open(from, shared) {
        Ok(reader) => reader,
        Err(error) => return Ok(unread(&error, from, output)),
    };
    for (object, type_name) in &shared.object {
        let object = reader.names_mut().objects.intern(object);
        let type_id = reader.names_mut().types.intern(type_name);
        drawing.declare(object, type_id, reader.names());
    }
    refuse_same(from, to)?;
    let context = || format!("cannot write {}", to.display());
    let mut out = Product::create(to).with_context(context)?;
    let mut progress = Progress::new(size(from), shared.quiet);
    let (mut events, mut text) = (Vec::new(), String::new());
    drawing.begin(&mut text);
    let mut is_read = true;
    let read = loop {
        match reader.read_batch(&mut events) {
            Ok(0) => break Ok(()),
            Ok(_) => drawing.check_threads(reader.events_read(), reader.names())?,
            Err(error) => break Err(error),
        }
        for (place, event) in events.iter().enumerate() {
            drawing.event(event, reader.index(place), reader.names(), &mut text);
            if text.len() >= BUFFER {
                is_read = settle(out.write_all(text.as_bytes()), &to.display().to_string())?;
                text.clear();
            }
            if !is_read {
                break;
            }
        }
        if !is_read {
            break Ok(());
        }
        progress.update(reader.bytes_read(), reader.events_read());
    };
    progress.finish();
    if let Some((index, problem)) = drawing.not_understood() {
        let (problem, more) = (visible(problem), "what it orders is not drawn");
        output.note(&match index {
            0 => format!("note: {problem}: {more}"),
            index => format!("note: event {index}: {problem}: {more}"),
        });
    }
    // What could be read is drawn, also of a broken trace.
    drawing.finish(reader.names(), &mut text);
    let written = out.write_all(text.as_bytes()).and_then(|()| out.finish());
    let is_written = settle(written, &to.display().to_string())?;
    match read {
        Ok(()) if is_read && is_written => Ok(Exit::Clean),
        Ok(()) => Ok(INCOMPLETE),
        Err(error) => Ok(unread(&error, from, output)),
    }
}
