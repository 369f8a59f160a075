//! What a thread does to record its events.
//!
//! The rule that keeps the collector going: room first, then the number of the
//! operation, then the bytes. A thread that waits for room has not taken a
//! number that others would have to wait for.

use std::cell::Cell;
use std::panic::Location;
use std::sync::atomic::{Ordering::SeqCst, compiler_fence};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use commute_trace::value_bytes::{MOST_HEAD, put_no_result, put_number, put_tuple};

use crate::LockOp;
use crate::chunk::Writer;
use crate::event::{Code, HEADER, Header, Lengths, mutex_word};
use crate::missed::miss;
use crate::raw::{Body, MARGIN, Raw};
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

/// The buffer of a thread.
#[derive(Debug)]
pub(crate) struct Local {
    writer: Writer,
    identity: Arc<Identity>,
}

/// Ends the thread's events when the thread ends.
struct Slot {
    /// Taken by whoever records an event.
    local: Cell<Option<Box<Local>>>,
    is_taken: Cell<bool>,
}

thread_local! {
    static LOCAL: Slot = const {
        Slot {
            local: Cell::new(None),
            is_taken: Cell::new(false),
        }
    };
}

/// For threads whose thread-local values are gone already.
static LATE: Mutex<Option<Local>> = Mutex::new(None);

thread_local! {
    /// Whether this thread has it. Without a destructor, so it is there as long as the
    /// thread is.
    static HAS_LATE: Cell<bool> = const { Cell::new(false) };
}

impl Drop for Slot {
    fn drop(&mut self) {
        if let Some(mut local) = self.local.take() {
            local.stop();
        }
    }
}

/// A buffer that is being written to.
enum Taken {
    Own(Box<Local>),
    Late(MutexGuard<'static, Option<Local>>),
}

impl Taken {
    /// The buffer of this thread, if it can be had.
    #[inline(always)]
    fn take() -> Option<Taken> {
        match LOCAL.try_with(|slot| slot.local.take()) {
            Ok(Some(local)) => Some(Taken::Own(local)),
            Ok(None) => Taken::first(),
            Err(_) => Taken::late(),
        }
    }

    /// None if it is taken already: in a signal handler that interrupts us. What it
    /// does is not recorded, because it would have to wait for itself.
    #[cold]
    fn first() -> Option<Taken> {
        let is_taken = LOCAL.try_with(|slot| slot.is_taken.replace(true));
        if is_taken != Ok(false) {
            miss();
            return None;
        }
        Some(Taken::Own(Box::new(Local::root())))
    }

    #[inline(always)]
    fn local(&mut self) -> &mut Local {
        match self {
            Taken::Own(local) => local,
            Taken::Late(late) => late.as_mut().expect("made before it was taken"),
        }
    }

    #[inline(always)]
    fn give_back(self) {
        match self {
            Taken::Own(local) => {
                // The values of the thread cannot have gone meanwhile.
                let _ = LOCAL.try_with(|slot| slot.local.set(Some(local)));
            }
            Taken::Late(late) => give_back_late(late),
        }
    }

    /// None if this thread has it already, as in [`first`](Taken::first).
    #[cold]
    fn late() -> Option<Taken> {
        if HAS_LATE.replace(true) {
            miss();
            return None;
        }
        // The handler runs on this thread: it must find what is above.
        compiler_fence(SeqCst);
        let mut late = LATE.lock().unwrap_or_else(PoisonError::into_inner);
        late.get_or_insert_with(|| Local::new(Identity::new(Some("ending threads"))));
        Some(Taken::Late(late))
    }
}

#[cold]
fn give_back_late(late: MutexGuard<'static, Option<Local>>) {
    drop(late);
    compiler_fence(SeqCst);
    HAS_LATE.set(false);
}

/// Calls `f` with the buffer of this thread.
fn with<R>(f: impl FnOnce(&mut Local) -> R) -> Option<R> {
    let mut taken = Taken::take()?;
    let result = f(taken.local());
    taken.give_back();
    Some(result)
}

impl Local {
    /// For a thread that nobody is known to have forked.
    #[cold]
    fn root() -> Local {
        Local::new(Identity::new(std::thread::current().name()))
    }

    fn new(identity: Arc<Identity>) -> Local {
        let writer = Writer::new();
        crate::collector::add_thread(&identity, writer.chunk());
        Local { writer, identity }
    }

    /// The buffer of a thread that was forked.
    pub(crate) fn adopt(identity: &Arc<Identity>) {
        let started = LOCAL.try_with(|slot| {
            let mut local = Local::new(Arc::clone(identity));
            local.thread_event(Code::Start);
            slot.is_taken.set(true);
            slot.local.set(Some(Box::new(local)));
        });
        debug_assert!(started.is_ok(), "a thread that begins has its values");
    }

    /// Tells whoever waits for this thread that it is over. What its thread-local
    /// values do after that is another thread's in the trace: it may come after the
    /// join.
    pub(crate) fn stop_now() {
        let ended = LOCAL.try_with(|slot| {
            slot.is_taken.set(false);
            slot.local.take()
        });
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
        self.event(code, identity.tag(), Order::AmongOthers, None);
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
        self.writer.room(HEADER);
        let (number, new) = tag.register(None);
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
    fn event(
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
    fn action(
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

    fn on_condvar(
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

    fn block(&mut self, code: Code, block: &Block, at: &'static Location<'static>) {
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

/// Records what was done to a lock, by a thread that holds it.
#[inline]
pub fn lock(tag: &Tag, op: LockOp, at: &'static Location<'static>) {
    let (code, order) = match op {
        LockOp::Acquire => (Code::Acquire, Order::Alone),
        LockOp::Release => (Code::Release, Order::Alone),
        LockOp::ReadAcquire => (Code::ReadAcquire, Order::AmongOthers),
        LockOp::ReadRelease => (Code::ReadRelease, Order::AmongOthers),
    };
    let Some(mut taken) = Taken::take() else {
        return;
    };
    taken.local().event(code, tag, order, Some(at));
    taken.give_back();
}

/// Records that what a lock protects was looked at, or changed, by a thread that
/// holds the lock. Once in a section is enough: what others do comes before or after.
#[inline]
pub fn access(tag: &Tag, is_write: bool, order: Order, at: &'static Location<'static>) {
    let code = match is_write {
        true => Code::Write,
        false => Code::Read,
    };
    with(|local| local.event(code, tag, order, Some(at)));
}

/// Records an action of an object, before anybody can see what comes after it.
/// Where the kinds of the values are known, nothing asks for them.
#[inline(always)]
pub fn action(
    tag: &Tag,
    method: &Method,
    order: Order,
    at: &'static Location<'static>,
    args: &[Raw<'_>],
    results: &[Raw<'_>],
) {
    let mut shown = false;
    each!(args, value => shown |= value.is_shown());
    each!(results, value => shown |= value.is_shown());
    if shown {
        return show_first(tag, method, order, at, [args, results]);
    }
    // No closure: it would not become part of the caller, which knows the values.
    let Some(mut taken) = Taken::take() else {
        return;
    };
    let method = method.number();
    taken
        .local()
        .action(tag, method, order, at, [args, results]);
    taken.give_back();
}

/// The same, for values that the program shows: it does so before anything is taken.
#[cold]
fn show_first(
    tag: &Tag,
    method: &Method,
    order: Order,
    at: &'static Location<'static>,
    [args, results]: [&[Raw<'_>]; 2],
) {
    let values = |raws: &[Raw<'_>]| raws.iter().map(Raw::to_value).collect::<Vec<_>>();
    let (args, results) = (values(args), values(results));
    let raws = |values| Vec::from_iter(<[_]>::iter(values).map(Raw::Value));
    let (args, results) = (raws(&args), raws(&results));
    action(tag, method, order, at, &args, &results);
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
    with(|local| local.event(code, condvar, Order::AmongOthers, Some(at)));
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
    with(|local| local.event(Code::Drop, tag, Order::AmongOthers, None));
}

/// Records what one thread does to another.
pub(crate) fn on_thread(code: Code, tag: &Tag, at: &'static Location<'static>) {
    with(|local| local.event(code, tag, Order::AmongOthers, Some(at)));
}
