//! Reading binary traces.
//!
//! Every number of a frame is checked against what it may be before it is used:
//! the checksums protect against damage, not against malice.

use std::sync::Arc;

use commute_model::{
    Action, BlockId, CondvarId, Event, Id, LocationId, LockId, MethodId, NameTable, Names,
    ObjectId, Op, ThreadId, TypeId, VariableId,
};

use super::column::Column;
use super::cursor::{Cursor, Malformed};
use super::frame::{self, FrameReader, read_so_far};
use super::{FILE_HEADER, MAGIC, VERSION, opcode};
use crate::declared::Declared;
use crate::error::{ErrorKind, Problem, TraceError};
use crate::input::Input;
use crate::limits::{BATCH, BATCH_ACTIONS, MAX_LINE};
use crate::naming::{NameKind, check};
use crate::reader::Notes;
use crate::recycle::Recycled;

const KINDS: usize = NameKind::ALL.len();
/// How many events are decoded together: small enough for the first-level cache.
const CHUNK: usize = 1024;
/// A batch ends after so many bytes of values, which may take up to 32 times
/// that in memory.
const BATCH_VALUES: usize = 1 << 18;

/// Reads events from frames.
pub(crate) struct CtrReader {
    frames: FrameReader,
    /// Ids by number in the file, for each kind of name.
    ids: [Ids; KINDS],
    /// How many numbers of each kind there are, and one more entry for opcodes
    /// without operand.
    counts: [u32; KINDS + 1],
    sites: Vec<Site>,
    /// Events delivered.
    events: u64,
    /// Events of the current frame that have not been delivered.
    pending: u32,
    /// Threads, sites and operands.
    columns: [Column; 3],
    /// What the columns hold for the next few events.
    chunk: [Vec<u32>; 3],
    /// Where the next value of the frame is.
    extra: usize,
    /// The texts of the frame's values, and where the next one is.
    text: String,
    text_at: usize,
    pub(crate) notes: Notes,
}

/// The ids that the names of the file have in the reader's tables. They are the
/// file's own numbers unless the caller had names before.
#[derive(Default)]
struct Ids {
    ids: Vec<u32>,
    differ: bool,
}

#[derive(Clone, Copy)]
struct Site {
    location: u32,
    opcode: u8,
    /// Index of the operand's kind in `counts`.
    operand: u8,
}

/// Why an event could not be decoded.
enum Trouble {
    Malformed(Malformed),
    Undeclared(u32),
}

impl From<Malformed> for Trouble {
    fn from(reason: Malformed) -> Trouble {
        Trouble::Malformed(reason)
    }
}

impl CtrReader {
    /// Starts to read; the file header must be there.
    pub(crate) fn new(mut input: Input) -> Result<CtrReader, TraceError> {
        let mut header = [0; FILE_HEADER.len()];
        let got = input.read_full(&mut header)?;
        if got < header.len() {
            let message = "the trace ends in the middle of its header";
            return Err(TraceError::at_byte(
                ErrorKind::Truncated,
                got as u64,
                message,
            ));
        }
        if header[MAGIC.len()] != VERSION || header[MAGIC.len() + 1] != 0 {
            let message = format!(
                "version {} of the format (flags {}); only version {VERSION} is understood",
                header[MAGIC.len()],
                header[MAGIC.len() + 1],
            );
            let offset = MAGIC.len() as u64;
            return Err(TraceError::at_byte(ErrorKind::Unsupported, offset, message));
        }
        let mut counts = [0; KINDS + 1];
        // An opcode without operand has operand 0.
        counts[KINDS] = 1;
        Ok(CtrReader {
            frames: FrameReader::new(input, FILE_HEADER.len() as u64),
            ids: Default::default(),
            counts,
            sites: Vec::new(),
            events: 0,
            pending: 0,
            columns: Default::default(),
            chunk: Default::default(),
            extra: 0,
            text: String::new(),
            text_at: 0,
            notes: Notes::default(),
        })
    }

    pub(crate) fn input(&self) -> &Input {
        &self.frames.input
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
        while self.pending == 0 {
            let frame = self.frames.next(self.events)?;
            if frame.kind == frame::END {
                self.check_totals()
                    .map_err(|reason| self.malformed(reason))?;
                self.frames.expect_end()?;
                return Ok(());
            }
            if frame.kind != frame::EVENTS {
                let message = format!("a frame of unknown kind {}", frame.kind);
                let kind = ErrorKind::Unsupported;
                return Err(TraceError::at_byte(kind, self.frames.start, message));
            }
            self.open_frame(frame.events, names)
                .map_err(|reason| self.malformed(reason))?;
        }
        let result = self.decode(declared, recycled, events);
        if self.ids.iter().any(|ids| ids.differ) {
            self.translate(events);
        }
        self.events += events.len() as u64;
        result.map_err(|trouble| match trouble {
            Trouble::Malformed(reason) => self.malformed(reason),
            Trouble::Undeclared(object) => self.undeclared(object, names),
        })
    }

    /// Reads names, sites and where the columns are.
    fn open_frame(&mut self, events: u32, names: &mut Names) -> Result<(), Malformed> {
        let mut cursor = Cursor::new(&self.frames.payload, 0, "", 0);
        for kind in NameKind::ALL {
            let new = cursor.count()?;
            let ids = &mut self.ids[kind as usize];
            for _ in 0..new {
                let name = cursor.bytes()?;
                match kind {
                    NameKind::Thread => ids.add(kind, &mut names.threads, name)?,
                    NameKind::Lock => ids.add(kind, &mut names.locks, name)?,
                    NameKind::Variable => ids.add(kind, &mut names.variables, name)?,
                    NameKind::Condvar => ids.add(kind, &mut names.condvars, name)?,
                    NameKind::Object => ids.add(kind, &mut names.objects, name)?,
                    NameKind::Type => ids.add(kind, &mut names.types, name)?,
                    NameKind::Method => ids.add(kind, &mut names.methods, name)?,
                    NameKind::Block => ids.add(kind, &mut names.blocks, name)?,
                    NameKind::Location => ids.add(kind, &mut names.locations, name)?,
                }
            }
            self.counts[kind as usize] = ids.ids.len() as u32;
        }
        for _ in 0..cursor.count()? {
            let opcode = cursor.byte()?;
            let location = cursor.number()?;
            if opcode as usize >= opcode::COUNT {
                return Err("an unknown operation");
            }
            if location >= u64::from(self.counts[NameKind::Location as usize]) {
                return Err("an unknown location");
            }
            self.sites.push(Site {
                location: location as u32,
                opcode,
                operand: opcode::operand(opcode).map_or(KINDS, |kind| kind as usize) as u8,
            });
        }
        if events == 0 || events > frame::MAX_EVENTS {
            return Err("too many events, or none");
        }
        let widths = [cursor.byte()?, cursor.byte()?, cursor.byte()?];
        let mut at = cursor.position();
        for (column, width) in self.columns.iter_mut().zip(widths) {
            let width = usize::from(width);
            if width > 4 {
                return Err("a column that is too wide");
            }
            *column = Column::new(at, width);
            at += width * events as usize;
        }
        if at > self.frames.payload.len() {
            return Err("columns that do not fit");
        }
        let mut cursor = Cursor::new(&self.frames.payload, at, "", 0);
        let text = std::str::from_utf8(cursor.bytes()?).map_err(|_| "text that is not UTF-8")?;
        self.text.clear();
        self.text.push_str(text);
        self.text_at = 0;
        self.extra = cursor.position();
        self.pending = events;
        Ok(())
    }

    /// Decodes events until the batch is full or the frame is at its end.
    fn decode(
        &mut self,
        declared: &mut Declared,
        recycled: &mut Recycled,
        events: &mut Vec<Event>,
    ) -> Result<(), Trouble> {
        let used = recycled.used();
        let (extra, text) = (self.extra, self.text_at);
        events.reserve(BATCH);
        while self.pending > 0 && events.len() + CHUNK <= BATCH {
            self.decode_chunk(declared, recycled, events)?;
            let values = (self.extra - extra) + (self.text_at - text);
            if values >= BATCH_VALUES || recycled.used() - used >= BATCH_ACTIONS {
                break;
            }
        }
        Ok(())
    }

    /// Decodes at most [`CHUNK`] events.
    fn decode_chunk(
        &mut self,
        declared: &mut Declared,
        recycled: &mut Recycled,
        events: &mut Vec<Event>,
    ) -> Result<(), Trouble> {
        let mut extra = Cursor::new(&self.frames.payload, self.extra, &self.text, self.text_at);
        let chunk = (self.pending as usize).min(CHUNK);
        for (column, numbers) in self.columns.iter().zip(&mut self.chunk) {
            column.read(&self.frames.payload, chunk, numbers);
        }
        let [threads, sites, operands] = &self.chunk;
        let values_end = self.extra + BATCH_VALUES;
        let text_end = self.text_at + BATCH_VALUES;
        let thread_count = self.counts[NameKind::Thread as usize];
        let before = events.len();
        let mut result = Ok(());
        for ((&thread, &site), &operand) in threads.iter().zip(sites).zip(operands) {
            let Some(&site) = self.sites.get(site as usize) else {
                result = Err("an unknown site".into());
                break;
            };
            if thread >= thread_count || operand >= self.counts[usize::from(site.operand)] {
                result = Err("an unknown name".into());
                break;
            }
            let thread = ThreadId(thread);
            let location = LocationId(site.location);
            let mut push = |op: Op| {
                events.push(Event {
                    thread,
                    location,
                    op,
                });
            };
            if site.opcode < opcode::FIRST_OTHER {
                push(simple_op(site.opcode, operand));
                continue;
            }
            match site.opcode {
                opcode::BEGIN => push(Op::Begin(None)),
                opcode::BEGIN_NAMED => push(Op::Begin(Some(BlockId(operand)))),
                opcode::END => push(Op::End(None)),
                opcode::END_NAMED => push(Op::End(Some(BlockId(operand)))),
                opcode::DUMMY => {
                    self.notes.dummies += 1;
                    push(Op::Dummy);
                }
                opcode::BRANCH => {
                    self.notes.branches += 1;
                    push(Op::Branch);
                }
                opcode::ACTION => {
                    let object = self.ids[NameKind::Object as usize].ids[operand as usize];
                    if !declared.contains(ObjectId(object)) {
                        result = Err(Trouble::Undeclared(operand));
                        break;
                    }
                    let methods = self.counts[NameKind::Method as usize];
                    match action(operand, &mut extra, methods, recycled) {
                        Ok(action) => push_action(events, thread, location, action),
                        Err(reason) => {
                            result = Err(reason.into());
                            break;
                        }
                    }
                    if extra.position() > values_end || extra.text_position() > text_end {
                        break;
                    }
                }
                code => {
                    let names = (&self.ids, &self.counts);
                    match long_op(code, operand, &mut extra, names, declared) {
                        Ok(op) => push(op),
                        Err(trouble) => {
                            result = Err(trouble);
                            break;
                        }
                    }
                }
            }
        }
        let decoded = events.len() - before;
        self.pending -= decoded as u32;
        for column in &mut self.columns {
            column.pass(decoded);
        }
        self.extra = extra.position();
        self.text_at = extra.text_position();
        if self.pending == 0 && !extra.is_at_end() && result.is_ok() {
            result = Err("bytes after its last value".into());
        }
        result
    }

    /// Replaces numbers of the file by ids.
    fn translate(&self, events: &mut [Event]) {
        let id = |kind: NameKind, number: &mut u32| {
            *number = self.ids[kind as usize].ids[*number as usize];
        };
        use NameKind::*;
        for event in events {
            id(Thread, &mut event.thread.0);
            id(Location, &mut event.location.0);
            match &mut event.op {
                Op::Read(x) | Op::Write(x) | Op::Alloc(x) | Op::Free(x) => id(Variable, &mut x.0),
                Op::Acquire(l) | Op::Release(l) | Op::ReadAcquire(l) | Op::ReadRelease(l) => {
                    id(Lock, &mut l.0);
                }
                Op::Fork(u) | Op::Join(u) => id(Thread, &mut u.0),
                Op::Begin(Some(b)) | Op::End(Some(b)) => id(Block, &mut b.0),
                Op::Begin(None) | Op::End(None) | Op::Dummy | Op::Branch => {}
                Op::Notify(c) | Op::NotifyAll(c) => id(Condvar, &mut c.0),
                Op::Drop(o) => id(Object, &mut o.0),
                Op::Wait(c, m) | Op::Wake(c, m) => {
                    id(Condvar, &mut c.0);
                    id(Lock, &mut m.0);
                }
                Op::New(o, t) => {
                    id(Object, &mut o.0);
                    id(Type, &mut t.0);
                }
                Op::Action(action) => {
                    let action = Arc::make_mut(action);
                    id(Object, &mut action.object.0);
                    id(Method, &mut action.method.0);
                }
            }
        }
    }

    /// Compares what the end frame says with what was read.
    fn check_totals(&self) -> Result<(), Malformed> {
        let mut cursor = Cursor::new(&self.frames.payload, 0, "", 0);
        let sites = self.sites.len() as u64;
        let counts = self.counts[..KINDS].iter().map(|&n| u64::from(n));
        for count in counts.chain([sites]) {
            if cursor.number()? != count {
                return Err("totals that differ from what was read");
            }
        }
        Ok(())
    }

    fn malformed(&self, reason: Malformed) -> TraceError {
        let message = format!("this frame has {reason}");
        TraceError::at_byte(ErrorKind::Corrupt, self.frames.start, message)
            .lost(read_so_far(self.events))
    }

    fn undeclared(&self, object: u32, names: &Names) -> TraceError {
        let id = self.ids[NameKind::Object as usize].ids[object as usize];
        let object = names.objects.name(ObjectId(id));
        let message = format!(
            "event {}, in the frame that starts here: the type of object `{object}` is not \
             declared; pass `--object {object}=type`",
            self.events + 1
        );
        TraceError::at_byte(ErrorKind::Undeclared, self.frames.start, message)
    }

    /// An error about the event with this index, which is in the current frame.
    pub(crate) fn error_at(&self, index: u64, problem: Problem) -> TraceError {
        let message = format!(
            "event {index}, in the frame that starts here: {}",
            problem.message
        );
        TraceError::at_byte(problem.kind, self.frames.start, message)
    }
}

impl Ids {
    fn add<I: Id>(
        &mut self,
        kind: NameKind,
        table: &mut NameTable<I>,
        name: &[u8],
    ) -> Result<(), Malformed> {
        check(kind, name).map_err(|_| "a name that cannot be written as text")?;
        let id = table.intern_bytes(name).ok_or("a name that is not UTF-8")?;
        self.differ |= id.index() != self.ids.len();
        self.ids.push(id.index() as u32);
        Ok(())
    }
}

/// The operations that consist of one operand. They are apart from the others
/// because they can be put together without a branch.
#[inline(always)]
fn simple_op(code: u8, operand: u32) -> Op {
    match code {
        opcode::READ => Op::Read(VariableId(operand)),
        opcode::WRITE => Op::Write(VariableId(operand)),
        opcode::ACQUIRE => Op::Acquire(LockId(operand)),
        opcode::RELEASE => Op::Release(LockId(operand)),
        opcode::READ_ACQUIRE => Op::ReadAcquire(LockId(operand)),
        opcode::READ_RELEASE => Op::ReadRelease(LockId(operand)),
        opcode::FORK => Op::Fork(ThreadId(operand)),
        opcode::JOIN => Op::Join(ThreadId(operand)),
        opcode::NOTIFY => Op::Notify(CondvarId(operand)),
        opcode::NOTIFY_ALL => Op::NotifyAll(CondvarId(operand)),
        opcode::ALLOC => Op::Alloc(VariableId(operand)),
        _ => Op::Free(VariableId(operand)),
    }
}

/// Apart from the other pushes, with which it would be merged: the event would
/// then be put together in memory and copied, and to load what has just been
/// written in parts makes the processor wait.
#[inline(never)]
fn push_action(
    events: &mut Vec<Event>,
    thread: ThreadId,
    location: LocationId,
    action: Arc<Action>,
) {
    events.push(Event {
        thread,
        location,
        op: Op::Action(action),
    });
}

/// The operations that have more than one operand, or need a declared object.
fn long_op(
    code: u8,
    operand: u32,
    extra: &mut Cursor<'_>,
    (ids, counts): (&[Ids; KINDS], &[u32; KINDS + 1]),
    declared: &mut Declared,
) -> Result<Op, Trouble> {
    let second = |extra: &mut Cursor<'_>, kind: NameKind| {
        let number = extra.number()?;
        if number >= u64::from(counts[kind as usize]) {
            return Err("an unknown name");
        }
        Ok(number as u32)
    };
    let object = |number: u32| ObjectId(ids[NameKind::Object as usize].ids[number as usize]);
    match code {
        opcode::WAIT => {
            let lock = second(extra, NameKind::Lock)?;
            Ok(Op::Wait(CondvarId(operand), LockId(lock)))
        }
        opcode::WAKE => {
            let lock = second(extra, NameKind::Lock)?;
            Ok(Op::Wake(CondvarId(operand), LockId(lock)))
        }
        opcode::NEW => {
            let type_name = second(extra, NameKind::Type)?;
            declared.insert(object(operand));
            Ok(Op::New(ObjectId(operand), TypeId(type_name)))
        }
        _ if declared.contains(object(operand)) => Ok(Op::Drop(ObjectId(operand))),
        _ => Err(Trouble::Undeclared(operand)),
    }
}

/// An action; its object is known.
#[inline(always)]
fn action(
    object: u32,
    extra: &mut Cursor<'_>,
    methods: u32,
    recycled: &mut Recycled,
) -> Result<Arc<Action>, Malformed> {
    let start = extra.position();
    let method = extra.number()?;
    if method >= u64::from(methods) {
        return Err("an unknown name");
    }
    let count = extra.count()?;
    recycled.action(ObjectId(object), MethodId(method as u32), |slots| {
        for _ in 0..count {
            extra.value(slots.arg())?;
            if extra.position() - start > MAX_LINE {
                return Err("an action that is too long");
            }
        }
        match extra.has_no_result()? {
            true => slots.no_result(),
            false => extra.value(slots.result())?,
        }
        Ok(())
    })
}
