//! `commute trace`: looking at, cutting, converting, making and validating
//! traces.

pub(crate) mod again;
pub(crate) mod convert;
mod draw;
mod flaws;
mod generate;
mod info;
mod show;
mod slice;
mod validate;
mod witness;

use std::io;
use std::path::Path;

use anyhow::Result;
use commute_model::{Event, Names, Severity};
use commute_report::problem::{self, Problem};
use commute_report::{Style, github};
use commute_trace::{Options, Place, TraceError, TraceReader};

use crate::cli::{MessageFormat, Shared, TraceCommand};
use crate::exit::Exit;
use crate::output::Output;
use crate::sources::in_repository;

/// Runs a subcommand.
pub(crate) fn run(command: &TraceCommand, shared: &Shared, output: &mut Output) -> Result<Exit> {
    match command {
        TraceCommand::Info { trace } => info::run(trace, shared, output),
        TraceCommand::Show {
            trace,
            witness: Some(id),
            prediction,
            ..
        } => witness::run(trace, id, prediction.options(), shared, output),
        TraceCommand::Show { trace, events, .. } => show::run(trace, *events, shared, output),
        TraceCommand::Slice(args) => slice::run(args, shared, output),
        TraceCommand::Convert {
            trace,
            output: to,
            to: format,
        } => convert::run(trace, to, *format, shared, output),
        TraceCommand::Generate(args) => generate::run(args, shared),
        TraceCommand::Validate { trace, models } => validate::run(trace, *models, shared, output),
    }
}

/// What the command line says about traces.
pub(crate) fn options(shared: &Shared) -> Options {
    Options {
        declared: shared.object.iter().map(|(name, _)| name.clone()).collect(),
    }
}

/// Opens a trace; `-` is standard input.
pub(crate) fn open(path: &Path, shared: &Shared) -> Result<TraceReader, TraceError> {
    let options = options(shared);
    if path.as_os_str() == "-" {
        TraceReader::from_reader(io::stdin(), options)
    } else {
        TraceReader::open(path, options)
    }
}

/// The events of a trace, one by one.
pub(crate) struct Events {
    reader: Result<TraceReader, TraceError>,
    names: Names,
    batch: Vec<Event>,
    next: usize,
}

impl Events {
    /// Opens a trace; if that fails, the first event is the error.
    pub(crate) fn open(path: &Path, shared: &Shared) -> Events {
        Events {
            reader: open(path, shared),
            names: Names::default(),
            batch: Vec::new(),
            next: 0,
        }
    }

    /// The next event and its index.
    ///
    /// # Errors
    /// If the trace cannot be read on.
    pub(crate) fn next(&mut self) -> Result<Option<(u64, &Event)>, TraceError> {
        let reader = self.reader.as_mut().map_err(|error| error.clone())?;
        if self.next == self.batch.len() {
            self.next = 0;
            if reader.read_batch(&mut self.batch)? == 0 {
                return Ok(None);
            }
        }
        let place = self.next;
        self.next += 1;
        Ok(Some((reader.index(place), &self.batch[place])))
    }

    /// How many bytes and events were read.
    pub(crate) fn read(&self) -> (u64, u64) {
        let reader = self.reader.as_ref();
        reader.map_or((0, 0), |reader| (reader.bytes_read(), reader.events_read()))
    }

    /// The names of the events so far.
    pub(crate) fn names(&self) -> &Names {
        self.reader.as_ref().map_or(&self.names, TraceReader::names)
    }
}

/// The name of a trace in messages.
pub(crate) fn name(path: &Path) -> String {
    if path.as_os_str() == "-" {
        "standard input".into()
    } else {
        path.display().to_string()
    }
}

/// Says what is wrong with a trace, among the results if these are for programs.
pub(crate) fn tell(error: &TraceError, path: &Path, output: &mut Output) -> Exit {
    match output.format {
        MessageFormat::Json => output.line(&problem::json(&as_problem(error, &name(path)))),
        MessageFormat::Github => {
            let file = in_repository(&name(path));
            output.command(&github::problem(&as_problem(error, &file)));
        }
        _ => {
            output.flush();
            output.stderr(&describe(error, path, &output.error_style));
        }
    }
    Exit::BadInput
}

/// An error of a trace, with the line it is about, as rustc would show it.
pub(crate) fn describe(error: &TraceError, path: &Path, style: &Style) -> String {
    problem::human(&as_problem(error, &name(path)), style)
}

/// An error of the trace with this name.
pub(crate) fn as_problem<'a>(error: &'a TraceError, file: &'a str) -> Problem<'a> {
    // The message may end with advice, set off by a semicolon.
    let (message, advice) = match error.message.split_once("; ") {
        Some((message, advice)) => (message, Some(advice)),
        None => (&error.message[..], None),
    };
    Problem {
        severity: Severity::Error,
        code: None,
        message,
        file,
        place: match &error.place {
            Place::Whole => problem::Place::Whole,
            Place::Byte(offset) => problem::Place::Byte(*offset),
            Place::Line {
                line,
                column,
                excerpt,
            } => problem::Place::Line {
                line: *line,
                column: *column,
                excerpt: &excerpt.text,
                mark: excerpt.column,
            },
        },
        help: error.lost.as_deref().or(advice),
    }
}
