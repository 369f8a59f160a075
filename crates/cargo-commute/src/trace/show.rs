//! `commute trace show`: a trace for people, one column per thread.

use std::path::Path;

use anstyle::{AnsiColor, Style as Color};
use anyhow::Result;
use commute_model::{Event, Id, Names, Op, ThreadId};
use commute_report::{clip, narrow, visible};
use unicode_width::UnicodeWidthStr;

use super::convert::size;
use super::{Events, describe};
use crate::cli::Shared;
use crate::exit::Exit;
use crate::output::Output;
use crate::progress::Progress;

/// Columns are laid out anew after this many events, so that any trace can be
/// shown in constant memory.
const BLOCK: usize = 500;
/// A longer operation is cut.
const WIDEST: usize = 40;
/// Before the first column is the number of the event.
const NUMBER: usize = 10;
/// Between two columns.
const GAP: usize = 2;
/// Columns that begin closer than this cannot be told apart.
const CLOSEST: usize = 3;

/// Prints the events of a range.
pub(super) fn run(
    path: &Path,
    range: Option<(u64, u64)>,
    shared: &Shared,
    output: &mut Output,
) -> Result<Exit> {
    let (from, to) = range.unwrap_or((1, u64::MAX));
    let mut events = Events::open(path, shared);
    let mut block: Vec<(u64, Event)> = Vec::new();
    let mut table = Table::default();
    let mut progress = Progress::beside(Path::new("-"), size(path), shared.quiet);
    let mut seen = 0u64;
    let result = loop {
        seen += 1;
        if seen.is_multiple_of(10_000) {
            let (bytes, events) = events.read();
            progress.update(bytes, events);
        }
        match events.next() {
            Ok(Some((index, event))) if index >= from && index <= to => {
                block.push((index, event.clone()));
            }
            Ok(Some((index, _))) if index > to => break Ok(()),
            Ok(Some(_)) => {}
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        }
        if block.len() == BLOCK {
            table.print(&block, events.names(), output);
            block.clear();
        }
        if output.is_gone() {
            return Ok(Exit::Clean);
        }
    };
    progress.finish();
    if !block.is_empty() {
        table.print(&block, events.names(), output);
    }
    match result {
        Ok(()) => Ok(Exit::Clean),
        Err(error) => {
            output.stderr(&describe(&error, path, &output.error_style));
            Ok(Exit::BadInput)
        }
    }
}

/// Prints these events.
pub(super) fn print(events: &[(u64, Event)], names: &Names, output: &mut Output) {
    Table::default().print(events, names, output);
}

/// The columns, by thread.
#[derive(Default)]
struct Table {
    /// How wide the widest cell of each is; 0 if it has none.
    widths: Vec<usize>,
    /// Where each begins.
    starts: Vec<usize>,
    /// The width of the terminal, if it is too narrow for all of them.
    narrow: Option<usize>,
}

impl Table {
    fn print(&mut self, block: &[(u64, Event)], names: &Names, output: &mut Output) {
        let before = self.widths.clone();
        let mut locations = 0;
        for (_, event) in block {
            let column = event.thread.index();
            if column >= self.widths.len() {
                self.widths.resize(column + 1, 0);
            }
            let width = text(event, names).width();
            let width = width.max(heading(event.thread, names).width());
            self.widths[column] = self.widths[column].max(width);
            locations = locations.max(place(event, names).width());
        }
        if self.widths != before {
            self.lay_out(output.columns, locations);
            let bold = Color::new().bold();
            let mut line = format!("{:NUMBER$}", "");
            let mut at = 0;
            for column in (0..self.widths.len()).filter(|&column| self.widths[column] > 0) {
                let mut name = heading(ThreadId::from_index(column), names);
                if let Some(columns) = self.narrow {
                    let next = self.starts[column + 1..]
                        .iter()
                        .find(|&&s| s > self.starts[column]);
                    let end = next.map_or(columns.saturating_sub(NUMBER), |next| next - 1);
                    name =
                        narrow(&name, end.saturating_sub(self.starts[column]).max(1)).into_owned();
                }
                let gap = self.starts[column].saturating_sub(at);
                line += &format!("{:gap$}", "");
                at += gap + name.width();
                line += &paint(&name, bold, output.style.color);
            }
            output.line(line.trim_end());
        }
        for (index, event) in block {
            let line = self.row(*index, event, names, output.style.color);
            output.line(line.trim_end());
        }
    }

    /// One behind the other; or, where that is too wide for the terminal, as close to each
    /// other as it must be: a row has a cell in one column only.
    fn lay_out(&mut self, columns: Option<usize>, locations: usize) {
        let used = self.widths.iter().filter(|width| **width > 0);
        let all: usize = used.map(|width| width + GAP).sum();
        self.narrow = columns.filter(|&columns| NUMBER + all + locations > columns);
        let room = self
            .narrow
            .unwrap_or(0)
            .saturating_sub(NUMBER + GAP + locations);
        let numbered = { self.widths.iter().filter(|width| **width > 0) }.zip(0..);
        let distance = |(width, n): (&usize, usize)| room.saturating_sub(*width).checked_div(n);
        let step = numbered
            .filter_map(distance)
            .min()
            .unwrap_or(0)
            .max(CLOSEST);
        self.starts.clear();
        let mut next = 0;
        for width in &self.widths {
            self.starts.push(next);
            next += match (width, self.narrow) {
                (0, _) => 0,
                (_, Some(_)) => step,
                (width, None) => width + GAP,
            };
        }
        self.starts.push(next);
    }

    fn row(&self, index: u64, event: &Event, names: &Names, color: bool) -> String {
        let column = event.thread.index();
        let (start, mut what) = (self.starts[column], text(event, names));
        let mut location = place(event, names);
        let end = match self.narrow {
            None => self.starts[self.widths.len()],
            Some(columns) => {
                let room = columns.saturating_sub(NUMBER + start).max(CLOSEST);
                what = narrow(&what, room).into_owned();
                let left = room - what.width();
                location = match left {
                    0..=7 => String::new(),
                    left => narrow(&location, left - GAP).into_owned(),
                };
                start + what.width() + GAP
            }
        };
        let gap = end.saturating_sub(start + what.width());
        format!(
            "{index:>8}  {:start$}{}{:gap$}{}",
            "",
            paint(&what, color_of(&event.op), color),
            "",
            paint(
                &location,
                Color::new().dimmed(),
                color && !location.is_empty()
            ),
        )
    }
}

fn heading(thread: ThreadId, names: &Names) -> String {
    clip(&names.threads.name(thread).to_string(), WIDEST).into_owned()
}

fn place(event: &Event, names: &Names) -> String {
    visible(&names.locations.name(event.location).to_string()).into_owned()
}

fn text(event: &Event, names: &Names) -> String {
    let text = event.op.display(names).to_string();
    clip(&visible(&text), WIDEST).into_owned()
}

fn paint(text: &str, style: Color, color: bool) -> String {
    if color {
        format!("{style}{text}{style:#}")
    } else {
        text.to_owned()
    }
}

fn color_of(op: &Op) -> Color {
    let color = match op {
        Op::Write(_) | Op::Free(_) => AnsiColor::Red,
        Op::Action(_) => AnsiColor::Green,
        Op::Acquire(_) | Op::Release(_) | Op::ReadAcquire(_) | Op::ReadRelease(_) => {
            AnsiColor::Yellow
        }
        Op::Wait(..) | Op::Wake(..) | Op::Notify(_) | Op::NotifyAll(_) => AnsiColor::Yellow,
        Op::Fork(_) | Op::Join(_) => AnsiColor::Blue,
        Op::Begin(_) | Op::End(_) => AnsiColor::Magenta,
        _ => return Color::new(),
    };
    color.on_default()
}
