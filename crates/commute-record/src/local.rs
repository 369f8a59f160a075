//! What a thread writes to its buffer.
//!
//! The rule that keeps the collector going: room first, then the number of the
//! operation, then the bytes. A thread that waits for room has not taken a
//! number that others would have to wait for.

use std::panic::Location;
use std::sync::Arc;

use commute_trace::value_bytes::{MOST_HEAD, put_no_result, put_number, put_tuple};

use crate::chunk::Writer;
use crate::event::{Code, HEADER, Header, Lengths, mutex_word};
use crate::raw::{Body, MARGIN, Raw};
use crate::registry::{Block, Sort, registry};
use crate::tag::Tag;
use crate::thread::Identity;

/// Whether an operation has its object for itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Nobody else can be in an operation of this object.
    Alone,
    /// Others may be, and have the same right to come first.
    AmongOthers,
}

/// Values that may take more bytes are opaque: a trace could not contain them.
const LONGEST: usize = 1 << 17;

/// The most bytes for the number of a method, how many arguments and results there
/// are.
const NUMBERS: usize = 5 + 10 + MOST_HEAD;

/// Does something with each of a few values. Not in a loop, nor in a closure: where the
/// values are known, what is done with each is known too, and nothing asks.
macro_rules! each {
    ($values:expr, $value:ident => $does:expr) => {
        match $values {
            [] => {}
            [$value] => $does,
            [first, second] => {
                let $value = first;
                $does;
                let $value = second;
                $does;
            }
            more => more.iter().for_each(|$value| $does),
        }
    };
}
pub(crate) use each;

/// The buffer of a thread.
#[derive(Debug)]
pub(crate) struct Local {
    writer: Writer,
    identity: Arc<Identity>,
}

impl Local {
    /// For a thread that nobody is known to have forked.
    #[cold]
    pub(crate) fn root() -> Local {
        Local::new(Identity::new(std::thread::current().name()))
    }

    pub(crate) fn new(identity: Arc<Identity>) -> Local {
        let writer = Writer::new();
        crate::collector::add_thread(&identity, writer.chunk());
        Local { writer, identity }
    }

    pub(crate) fn stop(&mut self) {
        if self.identity.end() && crate::mode::records_ends() {
            self.thread_event(Code::Stop);
        }
    }

    pub(crate) fn thread_event(&mut self, code: Code) {
        let identity = Arc::clone(&self.identity);
        self.event(code, identity.tag(), Order::AmongOthers, None);
    }

    /// The number of an object; records its creation if that is news.
    #[inline(always)]
    pub(crate) fn number(&mut self, tag: &Tag) -> u32 {
        match tag.known() {
            Some(number) => number,
            None => self.introduce(tag, None, None),
        }
    }

    /// Names an object; one that is new has the name from the start, because whoever reads
    /// of its creation may do so at once.
    pub(crate) fn name(&mut self, tag: &Tag, name: &str) {
        let number = match tag.known() {
            Some(number) => number,
            None => self.introduce(tag, Some(name), None),
        };
        registry().rename(number, name);
    }

    /// Gives an object its number, and records its creation, unless it has one.
    #[cold]
    pub(crate) fn introduce(
        &mut self,
        tag: &Tag,
        name: Option<&str>,
        argument: Option<u64>,
    ) -> u32 {
        self.writer.room(HEADER);
        let (number, new) = tag.register(name, argument);
        if new && matches!(tag.sort(), Sort::Object(_)) {
            let header = Header {
                code: Code::New,
                object: number,
                count: 1,
                location: tag.birthplace().map_or(0, address),
            };
            self.append(header, &[]);
        }
        number
    }

    /// Appends an event without values, for which room must have been asked for: one
    /// that waits for room after it took its number makes others wait for ever.
    #[inline(always)]
    fn append(&mut self, header: Header, more: &[u64]) {
        let length = HEADER + 8 * more.len();
        let room = self.writer.room(length);
        let words = header.words(Lengths::default());
        let places = room.as_chunks_mut::<8>().0;
        for (place, word) in places.iter_mut().zip(words.iter().chain(more)) {
            *place = word.to_le_bytes();
        }
        self.writer.publish(length);
    }

    #[inline(always)]
    pub(crate) fn event(
        &mut self,
        code: Code,
        tag: &Tag,
        order: Order,
        at: Option<&'static Location<'static>>,
    ) {
        let object = self.number(tag);
        self.writer.room(HEADER);
        let header = Header {
            code,
            object,
            count: tag.next(order),
            location: at.map_or(0, address),
        };
        self.append(header, &[]);
    }

    #[inline(always)]
    pub(crate) fn action(
        &mut self,
        tag: &Tag,
        method: u32,
        order: Order,
        at: &'static Location<'static>,
        [args, results]: [&[Raw<'_>]; 2],
    ) {
        let mut most = 0;
        each!(args, value => most += value.most());
        each!(results, value => most += value.most());
        if most > LONGEST {
            return self.long_action(tag, method, order, at, [args.len(), results.len()]);
        }
        self.put_action(tag, method, order, at, [args, results], most);
    }

    #[inline(always)]
    fn put_action(
        &mut self,
        tag: &Tag,
        method: u32,
        order: Order,
        at: &'static Location<'static>,
        [args, results]: [&[Raw<'_>]; 2],
        most: usize,
    ) {
        let object = self.number(tag);
        let room = self.writer.room(HEADER + 8 + NUMBERS + most + MARGIN);
        let header = Header {
            code: Code::Action,
            object,
            count: tag.next(order),
            location: address(at),
        };
        let mut body = Body::new(room, HEADER);
        put_number(&mut body, (method - 1).into());
        put_number(&mut body, args.len() as u64);
        each!(args, value => value.put::<false>(&mut body));
        match results {
            [] => put_no_result(&mut body),
            [result] => result.put::<false>(&mut body),
            several => {
                put_tuple(&mut body, several.len());
                several
                    .iter()
                    .for_each(|value| value.put::<false>(&mut body));
            }
        }
        let bytes = body.at - HEADER;
        each!(args, value => value.put::<true>(&mut body));
        each!(results, value => value.put::<true>(&mut body));
        let mut end = body.at;
        let text = end - HEADER - bytes;
        let lengths = Lengths { bytes, text };
        if !lengths.are_short() {
            room.copy_within(HEADER..end, HEADER + 8);
            room[HEADER..HEADER + 8].copy_from_slice(&lengths.word().to_le_bytes());
            end += 8;
        }
        let [which, what] = header.words(lengths);
        room[..8].copy_from_slice(&which.to_le_bytes());
        room[8..16].copy_from_slice(&what.to_le_bytes());
        self.writer.publish(end);
    }

    /// An action with values that are too long.
    #[cold]
    fn long_action(
        &mut self,
        tag: &Tag,
        method: u32,
        order: Order,
        at: &'static Location<'static>,
        [args, results]: [usize; 2],
    ) {
        let opaque = vec![Raw::Opaque; args.max(results)];
        let values = [&opaque[..args], &opaque[..results]];
        self.put_action(tag, method, order, at, values, args + results);
    }

    pub(crate) fn on_condvar(
        &mut self,
        code: Code,
        [condvar, mutex]: [&Tag; 2],
        at: &'static Location<'static>,
    ) {
        let (object, lock) = (self.number(condvar), self.number(mutex));
        self.writer.room(HEADER + 8);
        let header = Header {
            code,
            object,
            count: condvar.next(Order::AmongOthers),
            location: address(at),
        };
        self.append(header, &[mutex_word(lock, mutex.next(Order::Alone))]);
    }

    pub(crate) fn block(&mut self, code: Code, block: &Block, at: &'static Location<'static>) {
        let header = Header {
            code,
            object: 0,
            count: 0,
            location: address(at),
        };
        self.append(header, &[block.number().into()]);
    }
}

#[inline(always)]
fn address(location: &'static Location<'static>) -> u64 {
    std::ptr::from_ref(location).expose_provenance() as u64
}
