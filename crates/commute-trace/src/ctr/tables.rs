//! What the numbers of a binary trace stand for: names, and sites.

use commute_model::{Event, Id, NameTable, Names, ObjectId, Op, SharedAction};

use super::cursor::{Cursor, Malformed};
use super::opcode;
use super::value_bytes::put_number;
use crate::naming::{NameKind, check};

const KINDS: usize = NameKind::ALL.len();

/// Everything that frames have introduced so far.
pub(super) struct Tables {
    /// Ids by number in the file, for each kind of name.
    ids: [Ids; KINDS],
    /// How many numbers of each kind there are, and one more entry for opcodes
    /// without operand.
    pub(super) counts: [u32; KINDS + 1],
    pub(super) sites: Vec<Site>,
}

/// The ids that the names of the file have in the reader's tables. They are the
/// file's own numbers unless the caller had names before.
#[derive(Default)]
struct Ids {
    ids: Vec<u32>,
    differ: bool,
}

/// Kind of operation and location of an event.
#[derive(Clone, Copy)]
pub(super) struct Site {
    pub(super) location: u32,
    pub(super) opcode: u8,
    /// Index of the operand's kind in `counts`.
    pub(super) operand: u8,
}

impl Tables {
    pub(super) fn new() -> Tables {
        let mut counts = [0; KINDS + 1];
        // An opcode without operand has operand 0.
        counts[KINDS] = 1;
        Tables {
            ids: Default::default(),
            counts,
            sites: Vec::new(),
        }
    }

    /// How many numbers of this kind there are.
    #[inline(always)]
    pub(super) fn count(&self, kind: NameKind) -> u32 {
        self.counts[kind as usize]
    }

    /// How many bytes the sites take, and the numbers of names.
    pub(super) fn site_bytes(&self) -> usize {
        let numbers: usize = self.ids.iter().map(|ids| ids.ids.len()).sum();
        self.sites.len() * size_of::<Site>() + numbers * size_of::<u32>()
    }

    /// The id of an object of the file.
    #[inline(always)]
    pub(super) fn object(&self, number: u32) -> ObjectId {
        ObjectId(self.ids[NameKind::Object as usize].ids[number as usize])
    }

    /// Reads the names and sites that a frame introduces.
    pub(super) fn read(
        &mut self,
        cursor: &mut Cursor<'_>,
        names: &mut Names,
    ) -> Result<(), Malformed> {
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
        Ok(())
    }

    /// Replaces numbers of the file by ids, where they differ.
    pub(super) fn translate(&self, events: &mut [Event]) {
        if !self.ids.iter().any(|ids| ids.differ) {
            return;
        }
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
                    let action = SharedAction::make_mut(action);
                    id(Object, &mut action.object.0);
                    id(Method, &mut action.method.0);
                }
            }
        }
    }

    /// Compares what the end frame says with what was read.
    pub(super) fn check_totals(&self, payload: &[u8]) -> Result<(), Malformed> {
        let mut cursor = Cursor::new(payload, 0, "", 0);
        for count in self.counted() {
            if cursor.number()? != count {
                return Err("totals that differ from what was read");
            }
        }
        Ok(())
    }

    /// What an end frame says after what was read.
    pub(super) fn totals(&self) -> Vec<u8> {
        let mut payload = Vec::new();
        for count in self.counted() {
            put_number(&mut payload, count);
        }
        payload
    }

    /// How many names of each kind there are, and how many sites.
    fn counted(&self) -> impl Iterator<Item = u64> {
        let sites = self.sites.len() as u64;
        let counts = self.counts[..KINDS].iter().map(|&n| u64::from(n));
        counts.chain([sites])
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
        let id = table
            .declare_bytes(name)
            .ok_or("a name that is not UTF-8")?;
        self.differ |= id.index() != self.ids.len();
        self.ids.push(id.index() as u32);
        Ok(())
    }
}
