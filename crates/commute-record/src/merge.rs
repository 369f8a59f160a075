//! The events of all threads, in one order.
//!
//! An event can be passed on when it is the next operation of its object: the
//! numbers that objects give leave no gaps. A thread whose next event is not the
//! next of its object waits, in a list of that object. Whatever order comes out
//! agrees with the order within every thread and of every object, so it is one in
//! which the operations could have happened. Constant cost per event.

use std::io::{self, Write};

use smallvec::SmallVec;

use crate::chunk::{Chunk, Reader};
use crate::encoder::Encoder;
use crate::event::{Code, Header, split};
use crate::loomed::Arc;
use crate::registry::registry;

/// After so many events others want to know how far we are: threads may write as fast
/// as we read.
const ENOUGH: usize = 1 << 11;

/// Everything that has not been passed on.
#[derive(Debug, Default)]
pub(crate) struct Merger {
    streams: Vec<Stream>,
    /// By number.
    objects: Vec<Object>,
    /// Streams whose next event may be passed on.
    ready: Vec<usize>,
    /// The stream to begin with, of as many as there are.
    first: usize,
}

/// The events of a thread.
#[derive(Debug)]
struct Stream {
    reader: Reader,
    /// The number of the thread's identity.
    thread: u32,
    /// Whether it is in the list of an object.
    waits: bool,
}

#[derive(Clone, Debug, Default)]
struct Object {
    /// The number of the last operation that was passed on.
    passed: u32,
    /// Operations that wait for their turn, and the streams that they are in.
    waiting: SmallVec<[(u32, u32); 1]>,
}

impl Merger {
    /// A new thread.
    pub(crate) fn add(&mut self, thread: u32, chunk: Arc<Chunk>) {
        self.streams.push(Stream {
            reader: Reader::new(chunk),
            thread,
            waits: false,
        });
    }

    /// Whether everything was passed on that threads wrote.
    pub(crate) fn is_empty(&self) -> bool {
        self.streams.iter().all(|stream| stream.reader.is_empty())
    }

    /// Passes on what can be, until it is enough; how many events that were.
    pub(crate) fn drain<W: Write>(&mut self, encoder: &mut Encoder<W>) -> io::Result<usize> {
        self.forget_ended();
        // Another one begins each time, so that one that always has more keeps nobody
        // from being read.
        self.first = self.first.wrapping_add(1);
        let count = self.streams.len();
        let in_turn = (0..count).map(|s| (self.first % count + s) % count);
        self.ready.clear();
        self.ready
            .extend(in_turn.filter(|&s| !self.streams[s].waits));
        let mut passed = 0;
        while passed < ENOUGH
            && let Some(s) = self.ready.pop()
        {
            passed += self.drain_stream(s, encoder)?;
        }
        Ok(passed)
    }

    /// Threads that ended, and whose events were all passed on.
    fn forget_ended(&mut self) {
        // Who waits is named by its place.
        if self.streams.iter().any(|stream| stream.waits) {
            return;
        }
        self.streams
            .retain(|Stream { reader, .. }| !reader.is_alone() || !reader.is_empty());
    }

    /// Passes on the events of a stream, until one has to wait, there is none or it is
    /// enough.
    fn drain_stream<W: Write>(&mut self, s: usize, encoder: &mut Encoder<W>) -> io::Result<usize> {
        let mut passed = 0;
        loop {
            let stream = &self.streams[s];
            let (chunk, thread) = (stream.reader.chunk(), stream.thread);
            let mut at = stream.reader.at;
            let bytes = chunk.published();
            while let Some((words, rest)) = split(&bytes[at..]) {
                let header = Header::from_words(words);
                // Most events are like many before them, and nobody waits.
                if let Some(object) = self.objects.get_mut(header.object as usize)
                    && object.passed.wrapping_add(1) == header.count
                    && object.waiting.is_empty()
                    && let Some(numbers) = encoder.numbers(thread, &header)
                {
                    let more = encoder.repeat(numbers, &header, &bytes[at..], u32::MAX)?;
                    object.passed = object.passed.wrapping_add(more.events);
                    at += more.length;
                    passed += more.events as usize;
                    continue;
                }
                if !self.is_its_turn(s, &header, rest) {
                    self.streams[s].reader.at = at;
                    return Ok(passed);
                }
                at += match encoder.all_numbers(thread, &header)? {
                    Some(numbers) => encoder.repeat(numbers, &header, &bytes[at..], 1)?.length,
                    None => encoder.encode(thread, &header, rest)?,
                };
                passed += 1;
                if header.code == Code::Drop {
                    self.objects[header.object as usize].passed = 0;
                    encoder.forget(header.object);
                    registry().remove(header.object);
                }
            }
            let reader = &mut self.streams[s].reader;
            reader.at = at;
            if !reader.has_more() || passed >= ENOUGH {
                return Ok(passed);
            }
        }
    }

    /// Whether an event can be passed on, which then counts as passed; if not the
    /// stream waits.
    #[inline(always)]
    fn is_its_turn(&mut self, s: usize, header: &Header, rest: &[u8]) -> bool {
        if header.has_mutex() {
            let (mutex, count) = mutex(rest);
            if !self.is_next(s, mutex, count) || !self.is_next(s, header.object, header.count) {
                return false;
            }
            self.pass(mutex);
            self.pass(header.object);
            return true;
        }
        if header.object == 0 {
            return true;
        }
        if !self.is_next(s, header.object, header.count) {
            return false;
        }
        self.pass(header.object);
        true
    }

    #[inline(always)]
    fn is_next(&mut self, s: usize, object: u32, count: u32) -> bool {
        let place = object as usize;
        if place >= self.objects.len() {
            self.objects.resize(place + 1, Object::default());
        }
        let object = &mut self.objects[place];
        if object.passed.wrapping_add(1) == count {
            return true;
        }
        object.waiting.push((count, s as u32));
        self.streams[s].waits = true;
        false
    }

    /// Counts an operation; who waited for that may go on.
    #[inline(always)]
    fn pass(&mut self, object: u32) {
        let object = &mut self.objects[object as usize];
        object.passed = object.passed.wrapping_add(1);
        if object.waiting.is_empty() {
            return;
        }
        let turn = object.passed.wrapping_add(1);
        let waits = |(count, _): &(u32, u32)| *count == turn;
        if let Some(place) = object.waiting.iter().position(waits) {
            let (_, s) = object.waiting.swap_remove(place);
            self.streams[s as usize].waits = false;
            self.ready.push(s as usize);
        }
    }
}

/// The mutex of a wait, and the number of the operation among its own.
fn mutex(rest: &[u8]) -> (u32, u32) {
    let word = crate::event::word(rest);
    (word as u32, (word >> 32) as u32)
}
