//! Events from the bytes of threads to those of the trace.
//!
//! Almost every event is of an object, at a place, by a thread that occurred before:
//! their numbers in the trace are at hand, and values are copied. Whatever is new
//! goes through the [`Translator`], which knows names.

use std::io::{self, Write};

use commute_trace::{CtrWriter, Numbers};
use rustc_hash::FxHashMap;

use crate::event::{Code, HEADER, Header, Lengths, Place, split, word};
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

/// Events that were passed on.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Passed {
    pub(crate) events: u32,
    /// How many bytes they had.
    pub(crate) length: usize,
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

    /// The numbers of an event in the trace, if all are known.
    #[inline(always)]
    pub(crate) fn numbers(&mut self, thread: u32, header: &Header) -> Option<Numbers> {
        let place = operand_place(header.code)?;
        let get = |object: u32, place: usize| match self.operands.get(object as usize) {
            Some(operands) => operands[place],
            None => NONE,
        };
        let numbers = Numbers {
            thread: get(thread, 0),
            site: self.sites.get(header.place()),
            operand: get(header.object, place),
        };
        let is_known = numbers.thread.max(numbers.site).max(numbers.operand) != NONE;
        is_known.then_some(numbers)
    }

    /// The same, and what is not known is found out. None if it is an event that needs
    /// more than numbers: that is for [`encode`](Self::encode).
    #[inline(never)]
    pub(crate) fn all_numbers(
        &mut self,
        thread: u32,
        header: &Header,
    ) -> io::Result<Option<Numbers>> {
        if let Some(operand) = operand_place(header.code)
            && self.numbers(thread, header).is_none()
        {
            self.find_numbers(thread, *header, operand)?;
        }
        Ok(self.numbers(thread, header))
    }

    /// Passes on the event at the start of `bytes`, which has this header and these
    /// numbers, and up to `most` in all of those behind it that are like it.
    #[inline(always)]
    pub(crate) fn repeat(
        &mut self,
        numbers: Numbers,
        header: &Header,
        bytes: &[u8],
        most: u32,
    ) -> io::Result<Passed> {
        if header.code != Code::Action {
            self.writer.write_simple(numbers)?;
            return Ok(Passed {
                events: 1,
                length: HEADER,
            });
        }
        self.repeat_actions(numbers, header, bytes, most)
    }

    /// A loop of its own: what the actions have in common stays in registers.
    #[inline(never)]
    fn repeat_actions(
        &mut self,
        numbers: Numbers,
        header: &Header,
        bytes: &[u8],
        most: u32,
    ) -> io::Result<Passed> {
        let mut passed = Passed::default();
        while passed.events < most
            && let Some((words, rest)) = split(&bytes[passed.length..])
            && header.is_repeated(words, passed.events)
        {
            let (lengths, before) = match Lengths::from_short(words[1]) {
                Some(lengths) => (lengths, 0),
                None => (Lengths::from_word(word(rest)), 8),
            };
            let rest = &rest[before..];
            if u32::from(rest[0]) >= self.methods {
                self.introduce_methods(rest)?;
            }
            let Lengths { bytes, text } = lengths;
            self.writer.write_action(numbers, rest, [bytes, text])?;
            passed.length += HEADER + before + bytes + text;
            passed.events += 1;
        }
        Ok(passed)
    }

    /// Passes on an event that needs more than numbers; how long it was.
    #[inline(never)]
    pub(crate) fn encode(
        &mut self,
        thread: u32,
        header: &Header,
        rest: &[u8],
    ) -> io::Result<usize> {
        let (more, length) = match header.code {
            Code::Wait | Code::Wake | Code::Begin | Code::End => (word(rest), HEADER + 8),
            _ => (0, HEADER),
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
