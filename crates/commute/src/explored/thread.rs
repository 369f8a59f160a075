//! Threads of a test.

mod group;

use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Result;

use commute_explore::runtime::{
    self, Arg, Call, First, Mark, Object, Returned, is_inside, post, stuck, visit,
};
use commute_explore::{ThreadId, models};
use commute_record::{Value, value_of};

pub(crate) use group::Group;

/// A thread, as others see it.
#[derive(Debug, Default)]
pub(crate) struct Explored {
    handle: Mark,
    parking: Mark,
    name: Option<String>,
    number: AtomicU32,
    /// Whether it is one of those that may be exchanged.
    is_like_others: bool,
}

/// What a thread has returned.
pub(crate) type Packet<T> = Arc<Mutex<Option<Result<T>>>>;

/// Of the current thread.
static MYSELF: u8 = 0;

impl Explored {
    pub(crate) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The thread that is calling.
    pub(crate) fn current() -> Option<Arc<Explored>> {
        if !is_inside() {
            return None;
        }
        let make = || {
            let thread = runtime::current_thread().unwrap_or(ThreadId::MAIN);
            let main = (thread == ThreadId::MAIN).then(|| "main".to_owned());
            let explored = Explored {
                name: main,
                ..Explored::default()
            };
            explored.number.store(thread.0, Relaxed);
            Arc::new(explored)
        };
        runtime::local(key(), make).map(|myself| Arc::clone(&myself))
    }

    /// Its number in the test.
    pub(crate) fn number(&self) -> u32 {
        self.number.load(Relaxed)
    }
}

fn key() -> usize {
    std::ptr::from_ref(&MYSELF).addr()
}

fn first(at: &'static Location<'static>) -> First {
    let model = Arc::new(models::Thread);
    First::new(model, models::Thread::initial(), "thread", Some(at))
}

/// Starts a thread of the test.
///
/// `f` is called on another stack, maybe after what it borrows is gone: whoever calls
/// answers for that, as with [`std::thread::Builder::spawn_unchecked`].
pub(crate) fn spawn<'a, T>(
    name: Option<String>,
    f: Box<dyn FnOnce() -> T + 'a>,
    at: &'static Location<'static>,
) -> (Arc<Explored>, Packet<T>)
where
    T: 'a,
{
    let packet: Packet<T> = Arc::default();
    let explored = Arc::new(Explored {
        name,
        ..Explored::default()
    });
    let job = job(Arc::clone(&explored), Arc::clone(&packet), f);
    let describe = || first(at);
    let objects = [Object {
        mark: &explored.handle,
        first: &describe,
    }];
    let call = Call::new(&objects, "spawn", &[], at);
    let job: Box<dyn FnOnce() -> Returned + 'a> = Box::new(job);
    // SAFETY: only the lifetime changes. The caller answers for what `f` borrows, and
    // when a run is stopped the youngest thread is unwound first, or never goes on.
    #[expect(unsafe_code, reason = "as std's own threads")]
    let job: Box<dyn FnOnce() -> Returned> = unsafe { std::mem::transmute(job) };
    match runtime::spawn(&call, explored.name.as_deref(), job) {
        Some(thread) => explored.number.store(thread.0, Relaxed),
        None => stuck("a thread is started"),
    }
    (explored, packet)
}

/// What a thread does that calls `f`.
fn job<T>(
    myself: Arc<Explored>,
    packet: Packet<T>,
    f: impl FnOnce() -> T,
) -> impl FnOnce() -> Returned {
    move || {
        runtime::local(key(), || myself);
        let result = catch_unwind(AssertUnwindSafe(f));
        let returned = match &result {
            Ok(value) => shown(value),
            Err(payload) => {
                runtime::ends_with(&**payload);
                Returned::Panicked
            }
        };
        *packet.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        returned
    }
}

/// What can be told of a value.
pub(super) fn shown<T>(value: &T) -> Returned {
    match value_of(value).to_value() {
        Value::Opaque => Returned::Something,
        value => Returned::Value(value),
    }
}

/// Waits for the end of a thread.
pub(crate) fn join<T>(
    thread: &Explored,
    packet: &Packet<T>,
    at: &'static Location<'static>,
) -> Result<T> {
    wait_for(thread, at);
    let mut packet = packet.lock().unwrap_or_else(PoisonError::into_inner);
    match packet.take() {
        Some(result) => result,
        None => stuck("the end of a thread is waited for"),
    }
}

/// The same, without what it returned; whether it panicked.
pub(crate) fn wait_for(thread: &Explored, at: &'static Location<'static>) -> bool {
    let describe = || first(at);
    let objects = [Object {
        mark: &thread.handle,
        first: &describe,
    }];
    let args = [Arg::Int(thread.number().into())];
    let call = Call::new(&objects, "join", &args, at);
    let panicked = visit(&call, |value| match value {
        Value::Tuple(parts) => matches!(&**parts, [Value::Symbol(_), Value::Int(_)]),
        _ => false,
    });
    panicked.unwrap_or(false)
}

/// Whether a thread has ended.
pub(crate) fn is_finished(thread: &Explored, at: &'static Location<'static>) -> bool {
    let describe = || first(at);
    let objects = [Object {
        mark: &thread.handle,
        first: &describe,
    }];
    let call = Call::new(&objects, "is_finished", &[], at);
    visit(&call, |value| *value == Value::Bool(true)).unwrap_or(false)
}

impl Explored {
    fn on_parking(&self, method: &'static str, waits: bool, at: &'static Location<'static>) {
        let describe = || {
            let model = Arc::new(models::Park);
            First::new(model, models::Park::initial(), "parking", None)
        };
        let objects = [Object {
            mark: &self.parking,
            first: &describe,
        }];
        let call = Call::new(&objects, method, &[], at);
        match waits {
            true => drop(visit(&call, |_| ())),
            false => post(&call),
        }
    }

    /// Waits until somebody unparks it.
    pub(crate) fn park(&self, at: &'static Location<'static>) {
        self.on_parking("park", true, at);
    }

    /// Waits, or not: its time is over whenever it likes.
    pub(crate) fn park_or_not(&self, at: &'static Location<'static>) {
        self.on_parking("park_or_not", true, at);
    }

    /// Ends its next wait, or the one that it is in.
    pub(crate) fn unpark(&self, at: &'static Location<'static>) {
        self.on_parking("unpark", false, at);
    }

    /// An identity that no other thread of the process has, and that the same thread of
    /// the test has in every run. Only the operating system gives them out.
    pub(crate) fn id(&self) -> std::thread::ThreadId {
        static IDS: Mutex<Vec<std::thread::ThreadId>> = Mutex::new(Vec::new());
        if self.is_like_others {
            let what = "a thread that is interchangeable is asked who it is";
            runtime::misuse(what.to_owned());
        }
        let mut ids = IDS.lock().unwrap_or_else(PoisonError::into_inner);
        let number = self.number() as usize;
        while ids.len() <= number {
            let thread = std::thread::spawn(|| {});
            ids.push(thread.thread().id());
            drop(thread.join());
        }
        ids[number]
    }
}
