//! Events from the bytes of threads to those of the trace.
//!
//! Almost every event is of an object, at a place, by a thread that occurred before:
//! their numbers in the trace are at hand, and values are copied. Whatever is new
//! goes through the [`Translator`], which knows names.

use std::io::{self, Write};

use commute_trace::{CtrWriter, Numbers};
use rustc_hash::FxHashMap;

use crate::event::{Code, Header, Lengths, Place, word};
use crate::translate::Translator;

/// Writes the trace.
#[derive(Debug)]
pub(crate) struct Encoder<W> {
    writer: CtrWriter<W>,
    translator: Translator,
    /// By number of the object: its own number in the trace, and that of what it
    /// protects.
    operands: Vec<[u32; 2]>,
    sites: Sites,
    /// How many methods have their number in the trace, which is theirs here.
    methods: u32,
}

/// Not a number in the trace.
const NONE: u32 = u32::MAX;

impl<W: Write> Encoder<W> {
    pub(crate) fn new(writer: CtrWriter<W>) -> Encoder<W> {
        Encoder {
            writer,
            translator: Translator::default(),
            operands: Vec::new(),
            sites: Sites::new(),
            methods: 0,
        }
    }

    /// What it writes to.
    pub(crate) fn writer(&mut self) -> &mut CtrWriter<W> {
        &mut self.writer
    }

    /// Writes the rest and the end of the trace.
    pub(crate) fn finish(self) -> io::Result<W> {
        self.writer.finish()
    }

    /// Passes on an event if all its numbers are known; how long it was behind its
    /// header. `what` is the second word of that, `rest` begins with what is behind it.
    #[inline(always)]
    pub(crate) fn repeat(
        &mut self,
        thread: u32,
        header: &Header,
        what: u64,
        rest: &[u8],
    ) -> io::Result<Option<usize>> {
        let Some(place) = operand_place(header.code) else {
            return Ok(None);
        };
        let get = |object: u32, place: usize| match self.operands.get(object as usize) {
            Some(operands) => operands[place],
            None => NONE,
        };
        let numbers = Numbers {
            thread: get(thread, 0),
            site: self.sites.get(header.place()),
            operand: get(header.object, place),
        };
        if numbers.thread.max(numbers.site).max(numbers.operand) == NONE {
            return Ok(None);
        }
        if header.code != Code::Action {
            self.writer.write_simple(numbers)?;
            return Ok(Some(0));
        }
        let (Lengths { bytes, text }, before) = match Lengths::from_short(what) {
            Some(lengths) => (lengths, 0),
            None => (Lengths::from_word(word(rest)), 8),
        };
        let rest = &rest[before..];
        if u32::from(rest[0]) >= self.methods {
            self.introduce_methods(rest)?;
        }
        self.writer.write_action(numbers, rest, [bytes, text])?;
        Ok(Some(before + bytes + text))
    }

    /// Passes on any event; how long it was behind its header.
    #[inline(never)]
    pub(crate) fn encode(
        &mut self,
        thread: u32,
        header: &Header,
        what: u64,
        rest: &[u8],
    ) -> io::Result<usize> {
        if let Some(operand) = operand_place(header.code) {
            self.find_numbers(thread, *header, operand)?;
            let length = self.repeat(thread, header, what, rest)?;
            return Ok(length.expect("its numbers are known now"));
        }
        let (more, length) = match header.code {
            Code::Wait | Code::Wake | Code::Begin | Code::End => (word(rest), 8),
            _ => (0, 0),
        };
        if let Some(event) = self.translator.translate(thread, *header, more as u32) {
            self.writer.write(&event, self.translator.names())?;
        }
        Ok(length)
    }

    #[cold]
    fn find_numbers(&mut self, thread: u32, header: Header, operand: usize) -> io::Result<()> {
        if header.code == Code::Action {
            // So that the first one of the trace is the first one here.
            self.introduce_methods(&[0])?;
        }
        let event = self.translator.translate(thread, header, 0);
        let event = event.expect("what has numbers is part of the trace");
        let numbers = self.writer.numbers(&event, self.translator.names())?;
        let largest = thread.max(header.object) as usize;
        if self.operands.len() <= largest {
            self.operands.resize(largest + 1, [NONE; 2]);
        }
        self.operands[thread as usize][0] = numbers.thread;
        self.operands[header.object as usize][operand] = numbers.operand;
        self.sites.insert(header.place(), numbers.site);
        Ok(())
    }

    /// A method that the trace does not know, and all before it: numbers in the trace
    /// leave no gaps.
    #[cold]
    fn introduce_methods(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        let (mut method, mut shift) = (0, 0);
        while let [byte, rest @ ..] = bytes {
            method |= u32::from(byte & 0x7f) << shift;
            shift += 7;
            bytes = if byte & 0x80 == 0 { &[] } else { rest };
        }
        while self.methods <= method {
            let id = self.translator.method(self.methods + 1);
            let number = self.writer.method(id, self.translator.names())?;
            debug_assert_eq!(number, self.methods, "numbers in the order of first use");
            self.methods += 1;
        }
        Ok(())
    }

    /// An object is gone: its number may come back with another object.
    pub(crate) fn forget(&mut self, object: u32) {
        self.translator.forget(object);
        if let Some(operands) = self.operands.get_mut(object as usize) {
            *operands = [NONE; 2];
        }
    }
}

/// Which of the numbers of its object an event has, if it is one of those that are
/// repeated.
#[inline(always)]
fn operand_place(code: Code) -> Option<usize> {
    match code {
        Code::Acquire | Code::Release | Code::ReadAcquire | Code::ReadRelease | Code::Action => {
            Some(0)
        }
        Code::Read | Code::Write => Some(1),
        _ => None,
    }
}

/// The numbers of places in the trace.
#[derive(Debug)]
struct Sites {
    /// Those used last, by a few bits of the place.
    recent: Box<[(Place, u32); RECENT]>,
    all: FxHashMap<Place, u32>,
}

const RECENT: usize = 256;

impl Sites {
    fn new() -> Sites {
        Sites {
            recent: Box::new([(Place(0), NONE); RECENT]),
            all: FxHashMap::default(),
        }
    }

    #[inline(always)]
    fn slot(place: Place) -> usize {
        (place.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize % RECENT
    }

    #[inline(always)]
    fn get(&mut self, place: Place) -> u32 {
        let (known, site) = self.recent[Self::slot(place)];
        match known == place {
            true => site,
            false => self.get_older(place),
        }
    }

    #[inline(never)]
    fn get_older(&mut self, place: Place) -> u32 {
        match self.all.get(&place) {
            Some(&site) => {
                self.recent[Self::slot(place)] = (place, site);
                site
            }
            None => NONE,
        }
    }

    fn insert(&mut self, place: Place, site: u32) {
        self.all.insert(place, site);
        self.recent[Self::slot(place)] = (place, site);
    }
}
