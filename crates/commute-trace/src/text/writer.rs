//! Writing text traces.

use std::io::{self, Write};

use commute_model::{Action, Event, Id, NameTable, Names, Op, Value};

use super::line::MISSED;
use super::value::is_symbol;
use crate::decimal::{Digits, push_name};
use crate::limits::{MAX_LINE, MAX_NESTING, MAX_TEXT};
use crate::naming::{NameKind, check};

/// Writes events as lines of text. What it writes, a reader reads back as the
/// same events; what could not be read back is refused.
///
/// ```
/// use commute_model::{Event, Names, Op};
/// use commute_trace::StdWriter;
///
/// let mut names = Names::default();
/// let event = Event {
///     thread: names.threads.intern("T1"),
///     location: names.locations.intern("main.rs:7"),
///     op: Op::Write(names.variables.intern("x")),
/// };
/// let mut writer = StdWriter::new(Vec::new());
/// writer.write(&event, &names)?;
/// assert_eq!(writer.finish()?, b"T1|w(x)|main.rs:7\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct StdWriter<W> {
    out: W,
    buffer: Vec<u8>,
    /// How many names of each kind have been found legal.
    checked: [usize; NameKind::ALL.len()],
}

/// The buffer is written when it is longer than this.
const FLUSH: usize = 1 << 16;

impl<W: Write> StdWriter<W> {
    /// A writer to `out`. It has a buffer of its own.
    pub fn new(out: W) -> StdWriter<W> {
        StdWriter {
            out,
            buffer: Vec::with_capacity(FLUSH + (FLUSH >> 2)),
            checked: [0; NameKind::ALL.len()],
        }
    }

    /// Writes one event, whose names are in `names`: always the same table, or
    /// one that has grown.
    ///
    /// # Errors
    /// If `out` fails, or if the event cannot be written as text
    /// ([`io::ErrorKind::InvalidInput`]): a name or a value breaks the rules.
    pub fn write(&mut self, event: &Event, names: &Names) -> io::Result<()> {
        let start = self.buffer.len();
        if let Err(error) = self.line(event, names) {
            self.buffer.truncate(start);
            return Err(error);
        }
        if self.buffer.len() - start > MAX_LINE {
            self.buffer.truncate(start);
            return Err(unwritable(format!("a line of more than {MAX_LINE} bytes")));
        }
        self.buffer.push(b'\n');
        if self.buffer.len() > FLUSH {
            self.flush_buffer()?;
        }
        Ok(())
    }

    /// Says that so many operations, more than were said before, happened but are not
    /// among the events.
    pub fn missed(&mut self, operations: u64) {
        if operations > 0 {
            self.buffer.extend_from_slice(MISSED);
            self.buffer
                .extend_from_slice(operations.to_string().as_bytes());
            self.buffer.push(b'\n');
        }
    }

    /// Writes everything that is still buffered.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn finish(mut self) -> io::Result<W> {
        self.flush_buffer()?;
        self.out.flush()?;
        Ok(self.out)
    }

    #[inline]
    fn line(&mut self, event: &Event, names: &Names) -> io::Result<()> {
        use NameKind::*;
        self.name(Thread, &names.threads, event.thread)?;
        self.buffer.push(b'|');
        let op = &event.op;
        match op {
            Op::Read(x) => self.unary(b"r(", Variable, &names.variables, *x)?,
            Op::Write(x) => self.unary(b"w(", Variable, &names.variables, *x)?,
            Op::Acquire(l) => self.unary(b"acq(", Lock, &names.locks, *l)?,
            Op::Release(l) => self.unary(b"rel(", Lock, &names.locks, *l)?,
            Op::ReadAcquire(l) => self.unary(b"racq(", Lock, &names.locks, *l)?,
            Op::ReadRelease(l) => self.unary(b"rrel(", Lock, &names.locks, *l)?,
            Op::Fork(u) => self.unary(b"fork(", Thread, &names.threads, *u)?,
            Op::Join(u) => self.unary(b"join(", Thread, &names.threads, *u)?,
            Op::Begin(Some(b)) => self.unary(b"begin(", Block, &names.blocks, *b)?,
            Op::End(Some(b)) => self.unary(b"end(", Block, &names.blocks, *b)?,
            Op::Notify(c) => self.unary(b"notify(", Condvar, &names.condvars, *c)?,
            Op::NotifyAll(c) => self.unary(b"notify_all(", Condvar, &names.condvars, *c)?,
            Op::Alloc(x) => self.unary(b"alloc(", Variable, &names.variables, *x)?,
            Op::Free(x) => self.unary(b"free(", Variable, &names.variables, *x)?,
            Op::Drop(o) => self.unary(b"drop(", Object, &names.objects, *o)?,
            Op::Wait(c, m) | Op::Wake(c, m) => {
                let wait = matches!(op, Op::Wait(..));
                self.push(if wait { b"wait(" } else { b"wake(" });
                self.name(Condvar, &names.condvars, *c)?;
                self.push(b",");
                self.name(Lock, &names.locks, *m)?;
                self.push(b")");
            }
            Op::New(o, t) => {
                self.push(b"new(");
                self.name(Object, &names.objects, *o)?;
                self.push(b":");
                self.name(Type, &names.types, *t)?;
                self.push(b")");
            }
            Op::Action(action) => self.action(action, names)?,
            Op::Begin(None) | Op::End(None) | Op::Dummy | Op::Branch => {
                self.push(op.kind().as_bytes());
            }
        }
        self.buffer.push(b'|');
        self.name(Location, &names.locations, event.location)
    }

    fn flush_buffer(&mut self) -> io::Result<()> {
        let result = self.out.write_all(&self.buffer);
        self.buffer.clear();
        result
    }

    #[inline]
    fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    #[inline]
    fn unary<I: Id>(
        &mut self,
        word: &[u8],
        kind: NameKind,
        table: &NameTable<I>,
        id: I,
    ) -> io::Result<()> {
        self.push(word);
        self.name(kind, table, id)?;
        self.buffer.push(b')');
        Ok(())
    }

    #[inline]
    fn name<I: Id>(&mut self, kind: NameKind, table: &NameTable<I>, id: I) -> io::Result<()> {
        let start = self.buffer.len();
        push_name(&mut self.buffer, table.name(id));
        let checked = &mut self.checked[kind as usize];
        if id.index() >= *checked {
            check_written(kind, &self.buffer[start..])?;
            if id.index() == *checked {
                *checked += 1;
            }
        }
        Ok(())
    }

    fn action(&mut self, action: &Action, names: &Names) -> io::Result<()> {
        self.name(NameKind::Object, &names.objects, action.object)?;
        self.push(b".");
        self.name(NameKind::Method, &names.methods, action.method)?;
        self.push(b"(");
        for (i, value) in action.args.iter().enumerate() {
            if i > 0 {
                self.push(b",");
            }
            write_value(&mut self.buffer, value, 0)?;
        }
        self.push(b")");
        if let Some(result) = &action.result {
            self.push(b"/");
            write_value(&mut self.buffer, result, 0)?;
        }
        Ok(())
    }
}

/// Whether a name can be read back.
pub(crate) fn check_written(kind: NameKind, name: &[u8]) -> io::Result<()> {
    check(kind, name).map_err(|problem| {
        let name = String::from_utf8_lossy(name);
        unwritable(format!("{}: {name:?}", problem.message))
    })
}

#[cold]
pub(crate) fn unwritable(reason: impl Into<String>) -> io::Error {
    let reason = reason.into();
    io::Error::new(
        io::ErrorKind::InvalidInput,
        format!("cannot be written as a trace: {reason}"),
    )
}

fn write_value(buffer: &mut Vec<u8>, value: &Value, depth: usize) -> io::Result<()> {
    check_one(value, depth)?;
    match value {
        Value::Nil => buffer.extend_from_slice(b"nil"),
        Value::Bool(true) => buffer.extend_from_slice(b"true"),
        Value::Bool(false) => buffer.extend_from_slice(b"false"),
        Value::Opaque => buffer.push(b'?'),
        Value::Int(number) => match u32::try_from(*number) {
            Ok(small) => buffer.extend_from_slice(Digits::new(small).as_bytes()),
            Err(_) => write!(buffer, "{number}")?,
        },
        Value::Symbol(word) => buffer.extend_from_slice(word.as_bytes()),
        Value::Str(text) => {
            buffer.push(b'\'');
            for &b in text.as_bytes() {
                match b {
                    b'\\' | b'\'' => buffer.extend_from_slice(&[b'\\', b]),
                    b'\n' => buffer.extend_from_slice(b"\\n"),
                    b'|' | 0..b' ' | 0x7f => write!(buffer, "\\x{b:02x}")?,
                    b => buffer.push(b),
                }
            }
            buffer.push(b'\'');
        }
        Value::Tuple(values) => {
            buffer.push(b'(');
            for (i, value) in values.iter().enumerate() {
                if i > 0 {
                    buffer.push(b',');
                }
                write_value(buffer, value, depth + 1)?;
            }
            buffer.extend_from_slice(if values.len() == 1 { b",)" } else { b")" });
        }
    }
    Ok(())
}

/// Whether a value can be read back from either format.
pub(crate) fn check_value(value: &Value, depth: usize) -> io::Result<()> {
    check_one(value, depth)?;
    match value {
        Value::Tuple(values) => values.iter().try_for_each(|v| check_value(v, depth + 1)),
        _ => Ok(()),
    }
}

/// The same, but not for the values inside a tuple.
#[inline]
fn check_one(value: &Value, depth: usize) -> io::Result<()> {
    match value {
        Value::Str(text) if text.len() > MAX_TEXT => {
            Err(unwritable(format!("a string of {} bytes", text.len())))
        }
        Value::Symbol(word) if !is_symbol(word) => {
            Err(unwritable(format!("{:?} is not a symbol", word.as_str())))
        }
        Value::Tuple(_) if depth >= MAX_NESTING => Err(unwritable(format!(
            "tuples nested more than {MAX_NESTING} deep"
        ))),
        _ => Ok(()),
    }
}
