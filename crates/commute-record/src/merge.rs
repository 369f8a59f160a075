//! The events of all threads, in one order.
//!
//! An event can be passed on when it is the next operation of its object: the
//! numbers that objects give leave no gaps. A thread whose next event is not the
//! next of its object waits, in a list of that object. Whatever order comes out
//! agrees with the order within every thread and of every object, so it is one in
//! which the operations could have happened. Constant cost per event.

use std::sync::Arc;

use commute_model::{Event, Names};
use smallvec::SmallVec;

use crate::chunk::Chunk;
use crate::event::{Code, HEADER, Header};
use crate::registry::registry;
use crate::translate::Translator;

/// Everything that has not been passed on, and what was said about objects.
#[derive(Debug, Default)]
pub(crate) struct Merger {
    streams: Vec<Stream>,
    /// By number.
    objects: Vec<Object>,
    /// Streams whose next event may be passed on.
    ready: Vec<usize>,
    translator: Translator,
}

/// The events of a thread.
#[derive(Debug)]
struct Stream {
    chunk: Arc<Chunk>,
    at: usize,
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
            chunk,
            at: 0,
            thread,
            waits: false,
        });
    }

    /// Whether everything was passed on that threads wrote.
    pub(crate) fn is_empty(&self) -> bool {
        let read = |stream: &Stream| {
            stream.chunk.next().is_none() && stream.at == stream.chunk.published()
        };
        self.streams.iter().all(read)
    }

    /// Passes on what can be; how many events that were.
    pub(crate) fn drain(&mut self, pass: &mut impl FnMut(&Event, &Names)) -> usize {
        self.forget_ended();
        let able = (0..self.streams.len()).filter(|&s| !self.streams[s].waits);
        self.ready.extend(able);
        let mut passed = 0;
        while let Some(s) = self.ready.pop() {
            while let Some(header) = self.next(s) {
                self.pass_on(s, header, pass);
                passed += 1;
            }
        }
        passed
    }

    /// Threads that ended, and whose events were all passed on.
    fn forget_ended(&mut self) {
        // Who waits is named by its place.
        if self.streams.iter().any(|stream| stream.waits) {
            return;
        }
        self.streams.retain(|stream| {
            // The writer holds the chunk as long as it can write.
            let alone = Arc::strong_count(&stream.chunk) == 1;
            !alone || stream.chunk.next().is_some() || stream.at < stream.chunk.published()
        });
    }

    /// The next event of the stream if it is its turn.
    fn next(&mut self, s: usize) -> Option<Header> {
        let stream = &mut self.streams[s];
        if stream.at >= stream.chunk.published() {
            let next = Arc::clone(stream.chunk.next()?);
            // More may have been published before the next chunk was linked.
            if stream.at >= stream.chunk.published() {
                stream.chunk = next;
                stream.at = 0;
            }
            if stream.at >= stream.chunk.published() {
                return None;
            }
        }
        let word = |i: usize| stream.chunk.read(stream.at + i);
        let header = Header::from_words([word(0), word(1), word(2)]);
        if header.has_mutex() {
            let mutex = word(HEADER);
            self.turn(s, mutex as u32, (mutex >> 32) as u32)?;
        }
        if header.object != 0 {
            self.turn(s, header.object, header.count)?;
        }
        Some(header)
    }

    /// Whether it is the turn of this operation; if not the stream waits.
    fn turn(&mut self, s: usize, object: u32, count: u32) -> Option<()> {
        let place = object as usize;
        if place >= self.objects.len() {
            self.objects.resize(place + 1, Object::default());
        }
        let object = &mut self.objects[place];
        if object.passed.wrapping_add(1) == count {
            return Some(());
        }
        object.waiting.push((count, s as u32));
        self.streams[s].waits = true;
        None
    }

    fn pass_on(&mut self, s: usize, header: Header, pass: &mut impl FnMut(&Event, &Names)) {
        let stream = &mut self.streams[s];
        stream.at += HEADER;
        let mut next = || {
            let word = stream.chunk.read(stream.at);
            stream.at += 1;
            word
        };
        let mutex = header.has_mutex().then(&mut next);
        let lock = mutex.map(|word| word as u32);
        let translator = &mut self.translator;
        if translator.translate(stream.thread, header, lock, &mut next) {
            pass(translator.event(), translator.names());
        }
        if let Some(mutex) = mutex {
            self.passed(mutex as u32);
        }
        if header.object == 0 {
            return;
        }
        self.passed(header.object);
        if header.code == Code::Drop {
            self.objects[header.object as usize].passed = 0;
            self.translator.forget(header.object);
            registry().remove(header.object);
        }
    }

    /// Counts an operation; who waited for that may go on.
    fn passed(&mut self, object: u32) {
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
