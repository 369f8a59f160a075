//! Writing binary traces.

use std::io::{self, Write};

use commute_model::{Event, Id, MethodId, NameTable, Names, Op};

use super::frame::{self, Frame};
use super::value::Values;
use super::value_bytes::put_number;
use super::{FILE_HEADER, column, opcode};
use crate::decimal::push_name;
use crate::limits::MAX_LINE;
use crate::naming::NameKind;
use crate::text::{check_value, check_written, unwritable};

/// A frame is written when it has this many events …
const FRAME_EVENTS: usize = 1 << 12;
/// … or this many bytes of names and values. One more event, with names and
/// values as long as they may be, then still fits into the largest frame.
const FRAME_BYTES: usize = 1 << 18;
const NONE: u32 = u32::MAX;

/// Writes events as a binary trace. A program that ends without
/// [`finish`](Self::finish) leaves a trace that is readable up to the last
/// [`flush`](Self::flush) or the last frame that was full.
///
/// ```
/// use commute_model::{Event, Names, Op};
/// use commute_trace::{CtrWriter, Options, TraceReader};
///
/// let mut names = Names::default();
/// let event = Event {
///     thread: names.threads.intern("T1"),
///     location: names.locations.intern("main.rs:7"),
///     op: Op::Write(names.variables.intern("x")),
/// };
/// let mut writer = CtrWriter::new(Vec::new())?;
/// writer.write(&event, &names)?;
/// let bytes = writer.finish()?;
///
/// let mut reader = TraceReader::from_reader(std::io::Cursor::new(bytes), Options::default())?;
/// let mut events = Vec::new();
/// reader.read_batch(&mut events)?;
/// assert_eq!(events, [event]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CtrWriter<W> {
    out: W,
    /// Events in frames that have been written.
    written: u64,
    names: [Numbering; NameKind::ALL.len()],
    /// How many bytes the names take that are new in this frame.
    name_bytes: usize,
    sites: Sites,
    /// Thread, site and operand of each event.
    events: Vec<[u32; 3]>,
    values: Values,
    /// Operations that were missed, and not yet written.
    missed: u64,
    payload: Vec<u8>,
    bytes: Vec<u8>,
    compress: bool,
}

/// What stands for the names of an event in a binary trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbers {
    /// Of its thread.
    pub thread: u32,
    /// Of the kind of operation and the location together.
    pub site: u32,
    /// Of what it concerns: object, variable, lock …
    pub operand: u32,
}

/// The numbers that names have in the file, in the order of first use, and the
/// names that are new in this frame.
#[derive(Default, Debug)]
struct Numbering {
    numbers: Vec<u32>,
    count: u32,
    new: u32,
    bytes: Vec<u8>,
    /// The name that is being introduced.
    name: Vec<u8>,
}

/// The numbers of sites: pairs of opcode and location.
#[derive(Debug)]
struct Sites {
    numbers: Vec<Vec<u32>>,
    count: u32,
    new: u32,
    bytes: Vec<u8>,
}

/// Appends the first `length` bytes. Most actions have few: to copy more than there
/// are, if they can be copied, is cheaper than to ask how many there are.
#[inline(always)]
fn append(out: &mut Vec<u8>, bytes: &[u8], length: usize) {
    const FEW: usize = 32;
    match bytes.first_chunk::<FEW>() {
        Some(few) if length <= FEW => {
            let end = out.len() + length;
            out.extend_from_slice(few);
            out.truncate(end);
        }
        _ => append_many(out, &bytes[..length]),
    }
}

/// Apart, so that the few are copied without a call.
#[inline(never)]
fn append_many(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend_from_slice(bytes);
}

impl Numbering {
    /// The number of `id` in the file, if it has one.
    #[inline]
    fn number<I: Id>(&self, id: I) -> Option<u32> {
        match self.numbers.get(id.index()) {
            Some(&number) if number != NONE => Some(number),
            _ => None,
        }
    }

    #[cold]
    fn introduce<I: Id>(&mut self, kind: NameKind, table: &NameTable<I>, id: I) -> io::Result<u32> {
        self.name.clear();
        push_name(&mut self.name, table.name(id));
        check_written(kind, &self.name)?;
        if self.numbers.len() <= id.index() {
            self.numbers.resize(id.index() + 1, NONE);
        }
        put_number(&mut self.bytes, self.name.len() as u64);
        self.bytes.extend_from_slice(&self.name);
        let number = self.count;
        self.numbers[id.index()] = number;
        self.count += 1;
        self.new += 1;
        Ok(number)
    }
}

impl Sites {
    #[inline]
    fn number(&mut self, opcode: u8, location: u32) -> u32 {
        match self.numbers[opcode as usize].get(location as usize) {
            Some(&number) if number != NONE => number,
            _ => self.introduce(opcode, location),
        }
    }

    #[cold]
    fn introduce(&mut self, opcode: u8, location: u32) -> u32 {
        let numbers = &mut self.numbers[opcode as usize];
        if numbers.len() <= location as usize {
            numbers.resize(location as usize + 1, NONE);
        }
        self.bytes.push(opcode);
        put_number(&mut self.bytes, location.into());
        let number = self.count;
        numbers[location as usize] = number;
        self.count += 1;
        self.new += 1;
        number
    }
}

impl<W: Write> CtrWriter<W> {
    /// Starts a trace in `out`. It has buffers of its own.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn new(mut out: W) -> io::Result<CtrWriter<W>> {
        out.write_all(&FILE_HEADER)?;
        Ok(CtrWriter {
            out,
            written: 0,
            names: Default::default(),
            name_bytes: 0,
            sites: Sites {
                numbers: vec![Vec::new(); opcode::COUNT],
                count: 0,
                new: 0,
                bytes: Vec::new(),
            },
            events: Vec::with_capacity(FRAME_EVENTS),
            values: Values::default(),
            missed: 0,
            payload: Vec::new(),
            bytes: Vec::new(),
            compress: true,
        })
    }

    /// Adds one event, whose names are in `names`: always the same table, or one
    /// that has grown.
    ///
    /// # Errors
    /// If `out` fails, or if the event cannot be written
    /// ([`io::ErrorKind::InvalidInput`]): a name or a value breaks the rules.
    pub fn write(&mut self, event: &Event, names: &Names) -> io::Result<()> {
        let before = (self.values.bytes.len(), self.values.text.len());
        let length = self.values.len();
        let numbers = match self.numbers_with_values(event, names) {
            Ok(_) if self.values.len() - length > MAX_LINE => {
                Err(unwritable("an action that is too long"))
            }
            result => result,
        };
        match numbers {
            Ok(numbers) => self.push(numbers),
            Err(error) => {
                self.values.bytes.truncate(before.0);
                self.values.text.truncate(before.1);
                Err(error)
            }
        }
    }

    /// The numbers of the names of an event, which is not written. For writers that
    /// write the same names again and again.
    ///
    /// # Errors
    /// If a name or a value breaks the rules.
    pub fn numbers(&mut self, event: &Event, names: &Names) -> io::Result<Numbers> {
        let before = (self.values.bytes.len(), self.values.text.len());
        let numbers = self.numbers_with_values(event, names);
        self.values.bytes.truncate(before.0);
        self.values.text.truncate(before.1);
        numbers
    }

    /// The number of a method, as an action that is [written](Self::write_action)
    /// starts with it. Numbers are given from 0 on, in the order of first use.
    ///
    /// # Errors
    /// If the name breaks the rules.
    pub fn method(&mut self, method: MethodId, names: &Names) -> io::Result<u32> {
        self.name(NameKind::Method, &names.methods, method)
    }

    /// Adds an event that is no action and consists of its [`Numbers`]: it concerns
    /// one variable, lock, thread or block.
    ///
    /// # Errors
    /// If `out` fails.
    #[inline]
    pub fn write_simple(&mut self, numbers: Numbers) -> io::Result<()> {
        self.push(numbers)
    }

    /// Adds an action: the number of its method, how many arguments it has, these
    /// and its result as [`value_bytes`](super::value_bytes) writes them, and
    /// their texts one after the other: so many bytes of both at the start of
    /// `from`, whatever may follow. None of that is checked, but readers will.
    ///
    /// # Errors
    /// If `out` fails.
    ///
    /// # Panics
    /// If there are not as many bytes.
    #[inline(always)]
    pub fn write_action(
        &mut self,
        numbers: Numbers,
        from: &[u8],
        [bytes, text]: [usize; 2],
    ) -> io::Result<()> {
        append(&mut self.values.bytes, from, bytes);
        if text > 0 {
            append(&mut self.values.text, &from[bytes..], text);
        }
        self.push(numbers)
    }

    /// Whether frames are compressed, from now on. They are unless somebody says
    /// otherwise: it makes a trace smaller by half and takes as long as all the rest.
    pub fn compress(&mut self, compress: bool) {
        self.compress = compress;
    }

    /// Says that so many operations, more than were said before, happened but are not
    /// among the events. Written with the next [`flush`](Self::flush), or at the end.
    pub fn missed(&mut self, operations: u64) {
        self.missed = self.missed.saturating_add(operations);
    }

    fn numbers_with_values(&mut self, event: &Event, names: &Names) -> io::Result<Numbers> {
        let thread = self.name(NameKind::Thread, &names.threads, event.thread)?;
        let operand = self.operand(&event.op, names)?;
        let location = self.name(NameKind::Location, &names.locations, event.location)?;
        let site = self.sites.number(opcode::of(&event.op), location);
        Ok(Numbers {
            thread,
            site,
            operand,
        })
    }

    #[inline(always)]
    fn push(&mut self, numbers: Numbers) -> io::Result<()> {
        let Numbers {
            thread,
            site,
            operand,
        } = numbers;
        self.events.push([thread, site, operand]);
        let bytes = self.values.len() + self.name_bytes;
        if self.events.len() >= FRAME_EVENTS || bytes >= FRAME_BYTES {
            self.write_frame()?;
        }
        Ok(())
    }

    #[inline]
    fn name<I: Id>(&mut self, kind: NameKind, table: &NameTable<I>, id: I) -> io::Result<u32> {
        let names = &mut self.names[kind as usize];
        if let Some(number) = names.number(id) {
            return Ok(number);
        }
        let before = names.bytes.len();
        let number = names.introduce(kind, table, id)?;
        self.name_bytes += names.bytes.len() - before;
        Ok(number)
    }

    /// The operand of `op`; what does not fit into it goes to the values.
    #[inline]
    fn operand(&mut self, op: &Op, names: &Names) -> io::Result<u32> {
        use NameKind::*;
        match op {
            Op::Read(x) | Op::Write(x) | Op::Alloc(x) | Op::Free(x) => {
                self.name(Variable, &names.variables, *x)
            }
            Op::Acquire(l) | Op::Release(l) | Op::ReadAcquire(l) | Op::ReadRelease(l) => {
                self.name(Lock, &names.locks, *l)
            }
            Op::Fork(u) | Op::Join(u) => self.name(Thread, &names.threads, *u),
            Op::Begin(Some(b)) | Op::End(Some(b)) => self.name(Block, &names.blocks, *b),
            Op::Begin(None) | Op::End(None) | Op::Dummy | Op::Branch => Ok(0),
            Op::Notify(c) | Op::NotifyAll(c) => self.name(Condvar, &names.condvars, *c),
            Op::Drop(o) => self.name(Object, &names.objects, *o),
            Op::Wait(c, m) | Op::Wake(c, m) => {
                let condvar = self.name(Condvar, &names.condvars, *c)?;
                let lock = self.name(Lock, &names.locks, *m)?;
                put_number(&mut self.values.bytes, lock.into());
                Ok(condvar)
            }
            Op::New(o, t) => {
                let object = self.name(Object, &names.objects, *o)?;
                let type_name = self.name(Type, &names.types, *t)?;
                put_number(&mut self.values.bytes, type_name.into());
                Ok(object)
            }
            Op::Action(action) => {
                let object = self.name(Object, &names.objects, action.object)?;
                let method = self.name(Method, &names.methods, action.method)?;
                put_number(&mut self.values.bytes, method.into());
                put_number(&mut self.values.bytes, action.args.len() as u64);
                for arg in &action.args {
                    check_value(arg, 0)?;
                    self.values.push(arg);
                }
                if let Some(result) = &action.result {
                    check_value(result, 0)?;
                }
                self.values.push_result(action.result.as_ref());
                Ok(object)
            }
        }
    }

    /// Writes what there is as a frame, so that a crash does not lose it.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn flush(&mut self) -> io::Result<()> {
        if !self.events.is_empty() {
            self.write_frame()?;
        }
        if self.missed > 0 {
            let mut payload = Vec::new();
            put_number(&mut payload, std::mem::take(&mut self.missed));
            self.write_without_events(frame::MISSED, &payload)?;
        }
        self.out.flush()
    }

    fn write_frame(&mut self) -> io::Result<()> {
        let payload = &mut self.payload;
        payload.clear();
        for names in &mut self.names {
            put_number(payload, names.new.into());
            payload.append(&mut names.bytes);
            names.new = 0;
        }
        self.name_bytes = 0;
        put_number(payload, self.sites.new.into());
        payload.append(&mut self.sites.bytes);
        self.sites.new = 0;
        let widths = column::widths(&self.events);
        payload.extend(widths.map(|width| width as u8));
        for (place, width) in widths.into_iter().enumerate() {
            let column = self.events.iter().map(|numbers| numbers[place]);
            column::write(payload, column, width);
        }
        put_number(payload, self.values.text.len() as u64);
        payload.extend_from_slice(&self.values.text);
        self.values.text.clear();
        payload.append(&mut self.values.bytes);
        let frame = Frame {
            kind: frame::EVENTS,
            events: self.events.len() as u32,
            first: self.written,
        };
        self.written += self.events.len() as u64;
        self.events.clear();
        self.bytes.clear();
        frame::write(&mut self.bytes, &frame, &self.payload, self.compress);
        self.out.write_all(&self.bytes)
    }

    /// Writes the rest and the end frame.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn finish(mut self) -> io::Result<W> {
        self.flush()?;
        let mut payload = Vec::new();
        for names in &self.names {
            put_number(&mut payload, names.count.into());
        }
        put_number(&mut payload, self.sites.count.into());
        self.write_without_events(frame::END, &payload)?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn write_without_events(&mut self, kind: u8, payload: &[u8]) -> io::Result<()> {
        let frame = Frame {
            kind,
            events: 0,
            first: self.written,
        };
        self.bytes.clear();
        frame::write(&mut self.bytes, &frame, payload, self.compress);
        self.out.write_all(&self.bytes)
    }
}
