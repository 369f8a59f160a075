//! `commute trace show`: a trace for people, one column per thread.

use std::path::Path;

use anstyle::{AnsiColor, Style as Color};
use anyhow::Result;
use commute_model::{Event, Id, Names, Op};
use commute_report::{clip, visible};

use super::{Events, describe};
use crate::cli::Shared;
use crate::exit::Exit;
use crate::output::Output;

/// Columns are laid out anew after this many events, so that any trace can be
/// shown in constant memory.
const BLOCK: usize = 500;
/// A longer operation is cut.
const WIDEST: usize = 40;

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
    let result = loop {
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
    if !block.is_empty() {
        table.print(&block, events.names(), output);
    }
    match result {
        Ok(()) => Ok(Exit::Clean),
        Err(error) => {
            output.stderr(&describe(&error, path, &output.style));
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
    widths: Vec<usize>,
}

impl Table {
    fn print(&mut self, block: &[(u64, Event)], names: &Names, output: &mut Output) {
        let before = self.widths.clone();
        for (_, event) in block {
            let column = event.thread.index();
            if column >= self.widths.len() {
                self.widths.resize(column + 1, 0);
            }
            let name = visible(&names.threads.name(event.thread).to_string())
                .chars()
                .count();
            let width = text(event, names).chars().count().max(name);
            self.widths[column] = self.widths[column].max(width);
        }
        if self.widths != before {
            let bold = Color::new().bold();
            let mut line = format!("{:>8}  ", "");
            for (column, width) in self.widths.iter().enumerate() {
                if *width > 0 {
                    let name = names
                        .threads
                        .name(commute_model::ThreadId::from_index(column));
                    let name = clip(&name.to_string(), WIDEST).into_owned();
                    line += &paint(&format!("{name:<width$}"), bold, output.style.color);
                    line += "  ";
                }
            }
            output.line(line.trim_end());
        }
        for (index, event) in block {
            let column = event.thread.index();
            let place: usize = self.widths[..column]
                .iter()
                .filter(|w| **w > 0)
                .map(|w| w + 2)
                .sum();
            let (what, width) = (text(event, names), self.widths[column]);
            let rest: usize = self.widths[column + 1..]
                .iter()
                .filter(|w| **w > 0)
                .map(|w| w + 2)
                .sum();
            let location = names.locations.name(event.location).to_string();
            let (location, dim) = (visible(&location), Color::new().dimmed());
            let color = output.style.color;
            output.line(
                format!(
                    "{index:>8}  {:place$}{}{:rest$}  {}",
                    "",
                    paint(&format!("{what:<width$}"), color_of(&event.op), color),
                    "",
                    paint(&location, dim, color && !location.is_empty()),
                )
                .trim_end(),
            );
        }
    }
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
