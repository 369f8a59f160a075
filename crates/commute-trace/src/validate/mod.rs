//! Whether a trace is one that a program could have produced.
//!
//! Analyses take a trace as it is. These are the rules that their results rest
//! on: locks are released by who holds them and not taken from anybody, a thread
//! runs after its fork and before its join, blocks are nested, objects are used
//! while they live. Memory depends on the number of names alone.
//!
//! What is only unfinished at the end of the trace (a lock that is held, a block
//! that is open) is a note: recordings end anywhere.

mod blocks;
mod locks;
mod objects;
mod threads;

use commute_model::{Event, Names, Op, Severity};

use self::blocks::Blocks;
use self::locks::Locks;
use self::objects::Objects;
use self::threads::Threads;
use crate::error::TraceError;
use crate::reader::TraceReader;

/// Something in a trace that breaks a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flaw {
    /// How bad it is.
    pub severity: Severity,
    /// The index of the event, from 1.
    pub index: u64,
    /// Its line in a text trace; its index in a binary one.
    pub line: u64,
    /// What is wrong, in one line.
    pub message: String,
}

/// Where an event is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct At {
    index: u64,
    line: u64,
}

/// Checks a trace event by event.
///
/// ```
/// use commute_trace::{Options, TraceReader, validate};
///
/// let text = "T1|acq(m)|1\nT2|acq(m)|2\n";
/// let mut reader = TraceReader::from_reader(text.as_bytes(), Options::default())?;
/// let mut flaws = Vec::new();
/// validate(&mut reader, |flaw| flaws.push(flaw))?;
/// assert_eq!(flaws[0].line, 2);
/// assert_eq!(flaws[0].message, "T2 acquires `m`, which T1 holds since line 1");
/// # Ok::<(), commute_trace::TraceError>(())
/// ```
#[derive(Default, Debug)]
pub struct Validator {
    threads: Threads,
    locks: Locks,
    blocks: Blocks,
    objects: Objects,
    last: Option<At>,
    flaws: Vec<Flaw>,
}

impl Validator {
    /// A validator at the start of a trace.
    pub fn new() -> Validator {
        Validator::default()
    }

    /// Checks the next event; what is wrong with it.
    pub fn step(&mut self, event: &Event, index: u64, line: u64, names: &Names) -> &[Flaw] {
        let at = At { index, line };
        self.last = Some(at);
        self.flaws.clear();
        let mut report = Report {
            at,
            names,
            flaws: &mut self.flaws,
        };
        let thread = event.thread;
        self.threads.runs(thread, &mut report);
        self.locks.runs(thread, &event.op, &mut report);
        match &event.op {
            Op::Fork(child) => self.threads.fork(thread, *child, &mut report),
            Op::Join(child) => self.threads.join(thread, *child, &mut report),
            Op::Acquire(lock) => self.locks.acquire(thread, *lock, 1, &mut report),
            Op::Release(lock) => self.locks.release(thread, *lock, &mut report),
            Op::ReadAcquire(lock) => self.locks.acquire_shared(thread, *lock, &mut report),
            Op::ReadRelease(lock) => self.locks.release_shared(thread, *lock, &mut report),
            Op::Wait(condvar, lock) => self.locks.wait(thread, *condvar, *lock, &mut report),
            Op::Wake(condvar, lock) => self.locks.wake(thread, *condvar, *lock, &mut report),
            Op::Begin(block) => self.blocks.begin(thread, *block, &mut report),
            Op::End(block) => self.blocks.end(thread, *block, &mut report),
            Op::New(object, _) => self.objects.new_object(*object, &mut report),
            Op::Drop(object) => self.objects.drop_object(*object, &mut report),
            Op::Action(action) => self.objects.action(action.object, &mut report),
            Op::Read(_)
            | Op::Write(_)
            | Op::Alloc(_)
            | Op::Free(_)
            | Op::Notify(_)
            | Op::NotifyAll(_)
            | Op::Dummy
            | Op::Branch => {}
        }
        &self.flaws
    }

    /// What is unfinished at the end of the trace.
    pub fn finish(&mut self, names: &Names) -> &[Flaw] {
        self.flaws.clear();
        if let Some(at) = self.last {
            let mut report = Report {
                at,
                names,
                flaws: &mut self.flaws,
            };
            self.locks.finish(&mut report);
            self.blocks.finish(&mut report);
        }
        &self.flaws
    }
}

/// Checks everything that `reader` still has.
///
/// # Errors
/// If the trace cannot be read to its end. What was wrong before has been said.
pub fn validate(reader: &mut TraceReader, mut on_flaw: impl FnMut(Flaw)) -> Result<(), TraceError> {
    let mut validator = Validator::new();
    let mut events = Vec::new();
    while reader.read_batch(&mut events)? > 0 {
        for (i, event) in events.iter().enumerate() {
            let (index, line) = (reader.index(i), reader.line(i));
            let flaws = validator.step(event, index, line, reader.names());
            flaws.iter().cloned().for_each(&mut on_flaw);
        }
    }
    validator
        .finish(reader.names())
        .iter()
        .cloned()
        .for_each(on_flaw);
    Ok(())
}

/// Where the rules say what is broken.
struct Report<'a> {
    at: At,
    names: &'a Names,
    flaws: &'a mut Vec<Flaw>,
}

impl Report<'_> {
    fn error(&mut self, message: String) {
        self.say(Severity::Error, self.at, message);
    }

    fn warning(&mut self, message: String) {
        self.say(Severity::Warning, self.at, message);
    }

    fn note(&mut self, at: At, message: String) {
        self.say(Severity::Note, at, message);
    }

    fn say(&mut self, severity: Severity, at: At, message: String) {
        self.flaws.push(Flaw {
            severity,
            index: at.index,
            line: at.line,
            message,
        });
    }
}

/// The state of the thing with this index, made if there is none yet.
fn state<T: Default>(states: &mut Vec<T>, index: usize) -> &mut T {
    if states.len() <= index {
        states.resize_with(index + 1, T::default);
    }
    &mut states[index]
}

#[cfg(test)]
mod tests;
