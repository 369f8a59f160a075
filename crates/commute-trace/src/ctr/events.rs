//! The events of a frame, a batch at a time.

use commute_model::{
    BlockId, CondvarId, Event, LocationId, LockId, ObjectId, Op, ThreadId, TypeId, VariableId,
};

use super::actions::{Room, Row};
use super::column::Column;
use super::cursor::{Cursor, Malformed};
use super::tables::Tables;
use super::{frame, opcode};
use crate::declared::Declared;
use crate::limits::{BATCH, BATCH_ACTIONS};
use crate::naming::NameKind;
use crate::reader::Notes;
use crate::recycle::Recycled;

/// How many events are decoded together: small enough for the first-level cache.
const CHUNK: usize = 1024;
/// A batch ends after so many bytes of values, which may take up to 32 times
/// that in memory.
const BATCH_VALUES: usize = 1 << 18;

/// What is left of a frame.
#[derive(Default)]
pub(super) struct FrameEvents {
    /// Events that have not been delivered.
    pub(super) pending: u32,
    /// Threads, sites and operands.
    columns: [Column; 3],
    /// What the columns hold for the next few events.
    chunk: [Vec<u32>; 3],
    /// Where the next value is.
    extra: usize,
    /// The texts of the values, and where the next one is.
    text: String,
    text_at: usize,
    pub(super) notes: Notes,
}

/// Why an event could not be decoded.
pub(super) enum Trouble {
    Malformed(Malformed),
    /// The number of an object without a type.
    Undeclared(u32),
}

impl From<Malformed> for Trouble {
    fn from(reason: Malformed) -> Trouble {
        Trouble::Malformed(reason)
    }
}

impl FrameEvents {
    /// Starts with the next frame; the cursor is after names and sites.
    pub(super) fn open(
        &mut self,
        payload: &[u8],
        mut cursor: Cursor<'_>,
        events: u32,
    ) -> Result<(), Malformed> {
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
        if at > payload.len() {
            return Err("columns that do not fit");
        }
        let mut cursor = Cursor::new(payload, at, "", 0);
        let text = std::str::from_utf8(cursor.bytes()?).map_err(|_| "text that is not UTF-8")?;
        self.text.clear();
        self.text.push_str(text);
        self.text_at = 0;
        self.extra = cursor.position();
        self.pending = events;
        Ok(())
    }

    /// Decodes events until the batch is full or the frame is at its end.
    pub(super) fn decode(
        &mut self,
        payload: &[u8],
        tables: &Tables,
        declared: &mut Declared,
        recycled: &mut Recycled,
        events: &mut Vec<Event>,
    ) -> Result<(), Trouble> {
        let used = recycled.used();
        let (extra, text) = (self.extra, self.text_at);
        events.reserve(BATCH);
        while self.pending > 0 && events.len() + CHUNK <= BATCH {
            self.decode_chunk(payload, tables, declared, recycled, events)?;
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
        payload: &[u8],
        tables: &Tables,
        declared: &mut Declared,
        recycled: &mut Recycled,
        events: &mut Vec<Event>,
    ) -> Result<(), Trouble> {
        let mut extra = Cursor::new(payload, self.extra, &self.text, self.text_at);
        let chunk = (self.pending as usize).min(CHUNK);
        for (column, numbers) in self.columns.iter().zip(&mut self.chunk) {
            column.read(payload, chunk, numbers);
        }
        let [threads, sites, operands] = &self.chunk;
        let (threads, sites, operands) = (&threads[..chunk], &sites[..chunk], &operands[..chunk]);
        let ends = [self.extra, self.text_at].map(|start| start + BATCH_VALUES);
        let thread_count = tables.count(NameKind::Thread);
        let before = events.len();
        let mut result = Ok(());
        let mut next = 0;
        while next < chunk {
            let place = next;
            next += 1;
            let (thread, operand) = (threads[place], operands[place]);
            let site_number = sites[place];
            let Some(&site) = tables.sites.get(site_number as usize) else {
                result = Err("an unknown site".into());
                break;
            };
            if thread >= thread_count || operand >= tables.counts[usize::from(site.operand)] {
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
                    if !declared.contains(tables.object(operand)) {
                        result = Err(Trouble::Undeclared(operand));
                        break;
                    }
                    let is_same = |other: &usize| {
                        threads[*other] == thread.0
                            && sites[*other] == site_number
                            && operands[*other] == operand
                    };
                    let row = Row {
                        thread,
                        location,
                        object: ObjectId(operand),
                        methods: tables.count(NameKind::Method),
                        length: 1 + (next..chunk).take_while(is_same).count(),
                    };
                    next = place + row.length;
                    match row.decode(&mut extra, ends, recycled, events) {
                        Ok(Room::Left) => {}
                        Ok(Room::Full) => break,
                        Err(reason) => {
                            result = Err(reason.into());
                            break;
                        }
                    }
                }
                code => match long_op(code, operand, &mut extra, tables, declared) {
                    Ok(op) => push(op),
                    Err(trouble) => {
                        result = Err(trouble);
                        break;
                    }
                },
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

/// The operations that have more than one operand, or need a declared object.
fn long_op(
    code: u8,
    operand: u32,
    extra: &mut Cursor<'_>,
    tables: &Tables,
    declared: &mut Declared,
) -> Result<Op, Trouble> {
    let second = |extra: &mut Cursor<'_>, kind: NameKind| {
        let number = extra.number()?;
        if number >= u64::from(tables.count(kind)) {
            return Err("an unknown name");
        }
        Ok(number as u32)
    };
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
            declared.insert(tables.object(operand));
            Ok(Op::New(ObjectId(operand), TypeId(type_name)))
        }
        _ if declared.contains(tables.object(operand)) => Ok(Op::Drop(ObjectId(operand))),
        _ => Err(Trouble::Undeclared(operand)),
    }
}
