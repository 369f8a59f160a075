//! Text traces: one event a line, `thread|operation|location`.
//!
//! The format is RAPID's STD with library actions added; `docs/std-format.md`
//! describes it in full. Reading costs one pass over the bytes in one buffer;
//! memory depends on the longest line and the number of names, not on the
//! number of events.

mod action;
mod buffer;
mod late;
mod line;
mod memory;
mod quick;
mod quick_name;
mod quick_value;
mod value;
mod word;
mod writer;

use commute_model::{Event, Names, Op};

use self::buffer::{Fill, LineBuffer};
use self::quick::Quick;
use self::quick_value::Utf8Window;
pub use self::value::{ValueError, is_symbol, read_value};
pub use self::writer::StdWriter;
pub(crate) use self::writer::{check_value, check_written, unwritable};
use crate::declared::Declared;
use crate::error::{Problem, TraceError};
use crate::input::Input;
use crate::limits::{BATCH, BATCH_ACTIONS};
use crate::naming::BYTE_ORDER_MARK;
use crate::reader::Notes;
use crate::recycle::Recycled;

/// Reads events from text.
pub(crate) struct TextReader {
    input: Input,
    buffer: LineBuffer,
    quick: Quick,
    /// Whether to use the quick way; tests compare both.
    careful: bool,
    /// The line at which the buffer stands.
    line: u64,
    last: LastBatch,
    pub(crate) notes: Notes,
}

/// Where the events of the last batch came from.
#[derive(Default)]
struct LastBatch {
    /// Where in the buffer its first line starts.
    start: usize,
    /// The number of that line.
    line: u64,
    /// After so many events, so many lines in total held no event.
    skipped: Vec<(usize, u64)>,
}

impl TextReader {
    pub(crate) fn new(input: Input) -> TextReader {
        TextReader {
            input,
            buffer: LineBuffer::new(),
            quick: Quick::new(),
            careful: false,
            line: 1,
            last: LastBatch::default(),
            notes: Notes::default(),
        }
    }

    /// The same reader without the quick way.
    pub(crate) fn careful(mut self) -> TextReader {
        self.careful = true;
        self
    }

    pub(crate) fn input(&self) -> &Input {
        &self.input
    }

    /// Adds the next events to `events`, which is empty; none at the end. On an
    /// error the events before it are there.
    pub(crate) fn read_batch(
        &mut self,
        names: &mut Names,
        declared: &mut Declared,
        recycled: &mut Recycled,
        events: &mut Vec<Event>,
    ) -> Result<(), TraceError> {
        // Comments may fill a whole buffer: go on until there is an event.
        while events.is_empty() {
            match self.buffer.fill(&mut self.input)? {
                Fill::End => return Ok(()),
                Fill::Lines => {}
                Fill::TooLong => {
                    let problem = line::line_too_long();
                    return Err(TraceError::in_line(problem, self.line, self.buffer.rest()));
                }
            }
            if self.line == 1 {
                self.skip_byte_order_mark();
            }
            self.last.start = self.buffer.lines().start;
            self.last.line = self.line;
            self.last.skipped.clear();
            let problem = self.parse_lines(names, declared, recycled, events);
            let skipped = self.last.skipped.last().map_or(0, |&(_, total)| total);
            self.line += events.len() as u64 + skipped;
            if let Err(problem) = problem {
                let lines = self.buffer.lines();
                let line = first_line(&self.buffer.bytes()[lines]);
                return Err(self.explain(problem, without_return(line)));
            }
        }
        Ok(())
    }

    /// Reads whole lines until the buffer or the batch is exhausted. The line
    /// with a problem is not consumed.
    fn parse_lines(
        &mut self,
        names: &mut Names,
        declared: &mut Declared,
        recycled: &mut Recycled,
        events: &mut Vec<Event>,
    ) -> Result<(), Problem> {
        let lines = self.buffer.lines();
        let bytes = self.buffer.bytes();
        let mut at = lines.start;
        let mut skipped = 0;
        let mut result = Ok(());
        // Traces without actions have no use for this.
        let window = match names.methods.is_empty() {
            true => Utf8Window::nothing(bytes),
            false => Utf8Window::find_out(bytes, at, lines.end),
        };
        events.reserve(BATCH);
        let recycled_before = recycled.used();
        while at < lines.end
            && events.len() < BATCH
            && recycled.used() - recycled_before < BATCH_ACTIONS
        {
            if !self.careful
                && let Some(next) = self
                    .quick
                    .parse(window, at, names, declared, recycled, events)
            {
                debug_assert!(next <= lines.end);
                at = next;
                continue;
            }
            self.quick.resolve(names, events);
            let line = first_line(&bytes[at..lines.end]);
            match line::parse_line(line, names, declared, recycled) {
                Ok(Some(event)) => {
                    self.notes.dummies += u64::from(event.op == Op::Dummy);
                    self.notes.branches += u64::from(event.op == Op::Branch);
                    events.push(event);
                }
                Ok(None) => {
                    let missed = &mut self.notes.missed;
                    *missed = missed.saturating_add(line::missed(line));
                    skipped += 1;
                    self.last.skip(events.len(), skipped);
                }
                Err(problem) => {
                    result = Err(problem);
                    break;
                }
            }
            at += line.len() + 1;
        }
        self.quick.resolve(names, events);
        self.buffer.consume_to(at);
        result
    }

    fn skip_byte_order_mark(&mut self) {
        let lines = self.buffer.lines();
        if self.buffer.bytes()[lines.clone()].starts_with(BYTE_ORDER_MARK) {
            self.buffer.consume_to(lines.start + BYTE_ORDER_MARK.len());
        }
    }

    #[cold]
    fn explain(&self, mut problem: Problem, line: &[u8]) -> TraceError {
        if self.line == 1 {
            let start = &line[..line.len().min(512)];
            if start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") {
                problem.message = "this is UTF-16; text traces are UTF-8".into();
            } else if start.contains(&0) {
                problem.message = format!(
                    "this looks like a binary file, not like a trace: {}",
                    problem.message
                );
            }
        }
        TraceError::in_line(problem, self.line, line)
    }

    /// The line of event `i` of the last batch.
    pub(crate) fn line_of(&self, i: usize) -> u64 {
        let before = self
            .last
            .skipped
            .partition_point(|&(events, _)| events <= i);
        let skipped = match before {
            0 => 0,
            n => self.last.skipped[n - 1].1,
        };
        self.last.line + i as u64 + skipped
    }

    /// An error about the operation of event `i` of the last batch.
    pub(crate) fn error_at(&self, i: usize, mut problem: Problem) -> TraceError {
        let number = self.line_of(i);
        let skip = (number - self.last.line) as usize;
        let text = &self.buffer.bytes()[self.last.start..self.buffer.lines().end];
        let line = text.split(|&b| b == b'\n').nth(skip).unwrap_or(&[]);
        problem.at = line::operation_start(line);
        TraceError::in_line(problem, number, without_return(line))
    }
}

impl LastBatch {
    fn skip(&mut self, events: usize, total: u64) {
        match self.skipped.last_mut() {
            Some(last) if last.0 == events => last.1 = total,
            _ => self.skipped.push((events, total)),
        }
    }
}

/// What is before the first line feed.
fn first_line(bytes: &[u8]) -> &[u8] {
    let end = memchr::memchr(b'\n', bytes).unwrap_or(bytes.len());
    &bytes[..end]
}

/// The line without the carriage return that may end it.
fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}
