//! What a thread does to record its events.
//!
//! The rule that keeps the collector going: room first, then the number of the
//! operation, then the words. A thread that waits for room has not taken a
//! number that others would have to wait for.

use std::cell::RefCell;
use std::panic::Location;
use std::sync::{Arc, Mutex, PoisonError};

use crate::LockOp;
use crate::chunk::{Chunk, Room};
use crate::event::{Code, HEADER, Header, mutex_word};
use crate::raw::Raw;
use crate::registry::{Block, Method, Sort};
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

/// The buffer of a thread.
#[derive(Debug)]
pub(crate) struct Local {
    chunk: Arc<Chunk>,
    /// Where the next word goes.
    at: usize,
    identity: Arc<Identity>,
}

/// Ends the thread's events when the thread ends.
struct Slot(RefCell<Option<Local>>);

thread_local! {
    static LOCAL: Slot = const { Slot(RefCell::new(None)) };
}

/// For threads whose thread-local values are gone already.
static LATE: Mutex<Option<Local>> = Mutex::new(None);

impl Drop for Slot {
    fn drop(&mut self) {
        if let Some(mut local) = self.0.get_mut().take() {
            local.stop();
        }
    }
}

/// Calls `f` with the buffer of this thread.
#[inline(always)]
fn with<R>(f: impl FnOnce(&mut Local) -> R) -> Option<R> {
    let mut f = Some(f);
    let done = LOCAL.try_with(|slot| {
        // Borrowed already only in a signal handler that interrupts us: what it
        // does is not recorded, because it would have to wait for itself.
        let mut slot = slot.0.try_borrow_mut().ok()?;
        let local = slot.get_or_insert_with(Local::root);
        f.take().map(|f| f(local))
    });
    match done {
        Ok(result) => result,
        Err(_) => with_late(f.take()?),
    }
}

#[cold]
fn with_late<R>(f: impl FnOnce(&mut Local) -> R) -> Option<R> {
    let mut late = LATE.lock().unwrap_or_else(PoisonError::into_inner);
    Some(f(late.get_or_insert_with(|| {
        Local::new(Identity::new(Some("ending threads")))
    })))
}

impl Local {
    /// For a thread that nobody is known to have forked.
    #[cold]
    fn root() -> Local {
        Local::new(Identity::new(std::thread::current().name()))
    }

    fn new(identity: Arc<Identity>) -> Local {
        let chunk = Chunk::first();
        crate::collector::add_thread(&identity, &chunk);
        Local {
            chunk,
            at: 0,
            identity,
        }
    }

    /// The buffer of a thread that was forked.
    pub(crate) fn adopt(identity: &Arc<Identity>) {
        let started = LOCAL.try_with(|slot| {
            let mut local = Local::new(Arc::clone(identity));
            local.thread_event(Code::Start);
            *slot.0.borrow_mut() = Some(local);
        });
        debug_assert!(started.is_ok(), "a thread that begins has its values");
    }

    /// Tells whoever waits for this thread that it is over. What its thread-local
    /// values do after that is another thread's in the trace: it may come after the
    /// join.
    pub(crate) fn stop_now() {
        let ended = LOCAL.try_with(|slot| slot.0.try_borrow_mut().ok()?.take());
        if let Ok(Some(mut local)) = ended {
            local.stop();
        }
    }

    fn stop(&mut self) {
        if self.identity.end() && crate::is_on() {
            self.thread_event(Code::Stop);
        }
    }

    fn thread_event(&mut self, code: Code) {
        let identity = Arc::clone(&self.identity);
        self.event(
            code,
            identity.tag(),
            Order::AmongOthers,
            None,
            0,
            [&[], &[]],
        );
    }

    #[inline(always)]
    fn reserve(&mut self, words: usize) {
        if self.at + words > self.chunk.capacity() {
            self.chunk = self.chunk.follow(words);
            self.at = 0;
        }
    }

    /// The number of an object; records its creation if that is news.
    #[inline(always)]
    fn number(&mut self, tag: &Tag) -> u32 {
        match tag.known() {
            Some(number) => number,
            None => self.introduce(tag),
        }
    }

    #[cold]
    fn introduce(&mut self, tag: &Tag) -> u32 {
        self.reserve(HEADER);
        let (number, new) = tag.register(None);
        if new && matches!(tag.sort(), Sort::Object(_)) {
            self.append(
                Header {
                    code: Code::New,
                    args: 0,
                    results: 0,
                    object: number,
                    count: 1,
                    name: 0,
                    location: tag.birthplace().map_or(0, address),
                },
                0,
                |_| {},
            );
        }
        number
    }

    /// Appends an event with so many words after its header, for which room must be
    /// reserved.
    #[inline(always)]
    fn append(&mut self, header: Header, words: usize, put: impl FnOnce(&mut Room<'_>)) {
        let mut room = self.chunk.room(self.at, HEADER + words);
        for word in header.words() {
            room.put(word);
        }
        put(&mut room);
        self.at += HEADER + words;
        self.chunk.publish(self.at);
    }

    #[inline(always)]
    fn event(
        &mut self,
        code: Code,
        tag: &Tag,
        order: Order,
        at: Option<&'static Location<'static>>,
        name: u32,
        [args, results]: [&[Raw<'_>]; 2],
    ) {
        let object = self.number(tag);
        let words = |values: &[Raw<'_>]| values.iter().map(Raw::words).sum::<usize>();
        let values = words(args) + words(results);
        self.reserve(HEADER + values);
        let count = match order {
            Order::Alone => tag.next_alone(),
            Order::AmongOthers => tag.next_among_others(),
        };
        let header = Header {
            code,
            args: args.len() as u8,
            results: results.len() as u8,
            object,
            count,
            name,
            location: at.map_or(0, address),
        };
        self.append(header, values, |room| {
            for value in args {
                value.put(&mut |word| room.put(word));
            }
            for value in results {
                value.put(&mut |word| room.put(word));
            }
        });
    }

    fn on_condvar(
        &mut self,
        code: Code,
        [condvar, mutex]: [&Tag; 2],
        at: &'static Location<'static>,
    ) {
        let (object, lock) = (self.number(condvar), self.number(mutex));
        self.reserve(HEADER + 1);
        let count = condvar.next_among_others();
        let lock_count = mutex.next_alone();
        let header = Header {
            code,
            args: 0,
            results: 0,
            object,
            count,
            name: 0,
            location: address(at),
        };
        self.append(header, 1, |room| room.put(mutex_word(lock, lock_count)));
    }

    fn block(&mut self, code: Code, block: &Block, at: &'static Location<'static>) {
        self.reserve(HEADER);
        let header = Header {
            code,
            args: 0,
            results: 0,
            object: 0,
            count: 0,
            name: block.number(),
            location: address(at),
        };
        self.append(header, 0, |_| {});
    }
}

#[inline(always)]
fn address(location: &'static Location<'static>) -> u64 {
    std::ptr::from_ref(location).expose_provenance() as u64
}

/// Records what was done to a lock, by a thread that holds it.
#[inline]
pub fn lock(tag: &Tag, op: LockOp, at: &'static Location<'static>) {
    let (code, order) = match op {
        LockOp::Acquire => (Code::Acquire, Order::Alone),
        LockOp::Release => (Code::Release, Order::Alone),
        LockOp::ReadAcquire => (Code::ReadAcquire, Order::AmongOthers),
        LockOp::ReadRelease => (Code::ReadRelease, Order::AmongOthers),
    };
    with(|local| local.event(code, tag, order, Some(at), 0, [&[], &[]]));
}

/// Records that what a lock protects was looked at, or changed, by a thread that
/// holds the lock. Once in a section is enough: what others do comes before or after.
#[inline]
pub fn access(tag: &Tag, is_write: bool, order: Order, at: &'static Location<'static>) {
    let code = match is_write {
        true => Code::Write,
        false => Code::Read,
    };
    with(|local| local.event(code, tag, order, Some(at), 0, [&[], &[]]));
}

/// Records an action of an object, before anybody can see what comes after it.
#[inline]
pub fn action(
    tag: &Tag,
    method: &Method,
    order: Order,
    at: &'static Location<'static>,
    args: &[Raw<'_>],
    results: &[Raw<'_>],
) {
    let values = [args, results];
    with(|local| {
        let name = method.number();
        local.event(Code::Action, tag, order, Some(at), name, values);
    });
}

/// Records that this thread begins to wait: it still holds the mutex, and no
/// notification can come in between.
pub fn wait(condvar: &Tag, mutex: &Tag, at: &'static Location<'static>) {
    with(|local| local.on_condvar(Code::Wait, [condvar, mutex], at));
}

/// Records that this thread has waited: it holds the mutex again.
pub fn wake(condvar: &Tag, mutex: &Tag, at: &'static Location<'static>) {
    with(|local| local.on_condvar(Code::Wake, [condvar, mutex], at));
}

/// Records a notification, of one waiting thread or of all, before it can have
/// an effect.
pub fn notify(condvar: &Tag, all: bool, at: &'static Location<'static>) {
    let code = match all {
        true => Code::NotifyAll,
        false => Code::Notify,
    };
    with(|local| local.event(code, condvar, Order::AmongOthers, Some(at), 0, [&[], &[]]));
}

/// Records that an atomic block begins.
pub fn begin(block: &Block, at: &'static Location<'static>) {
    with(|local| local.block(Code::Begin, block, at));
}

/// Records that an atomic block ends.
pub fn end(block: &Block, at: &'static Location<'static>) {
    with(|local| local.block(Code::End, block, at));
}

/// The number of an object.
pub(crate) fn number(tag: &Tag) -> u32 {
    with(|local| local.number(tag)).unwrap_or(0)
}

/// Records that an object is gone.
pub(crate) fn dropped(tag: &Tag) {
    with(|local| local.event(Code::Drop, tag, Order::AmongOthers, None, 0, [&[], &[]]));
}

/// Records what one thread does to another.
pub(crate) fn on_thread(code: Code, tag: &Tag, at: &'static Location<'static>) {
    with(|local| local.event(code, tag, Order::AmongOthers, Some(at), 0, [&[], &[]]));
}
