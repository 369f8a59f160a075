//! `park` and `unpark`, observable.
//!
//! What a thread did before an `unpark` comes before what the other does after the
//! `park` that it ends, and nothing else is ordered. As events: an `unpark` is a
//! message, sent before it has an effect; a `park` receives all that were sent and not
//! received. So the parked thread learns what those have done who woke it, and they
//! learn nothing of each other. A `park` that ended by itself, or by its time, is no
//! event.

use std::cell::OnceCell;
use std::fmt;
use std::panic::Location;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::Duration;

use commute_record::{Kind, Method, Order, Raw, Tag, action, is_on};

use crate::explored::thread::Explored;
use crate::this_thread;

static PARKING: Kind = Kind::object("park", "mpsc").with_owners();

static SEND: Method = Method::new("send");
static RECV: Method = Method::new("recv");

/// Where the threads meet who wake this one.
#[derive(Debug)]
pub(super) struct Parking {
    tag: Tag,
    unparks: Mutex<Unparks>,
}

/// Messages are numbers, from 1.
#[derive(Debug)]
struct Unparks {
    /// The last that was sent.
    sent: u64,
    /// The last that was received.
    received: u64,
}

thread_local! {
    static MINE: OnceCell<Arc<Parking>> = const { OnceCell::new() };
}

impl Parking {
    /// Of a thread that was made, or first asked for, there.
    pub(super) fn new(at: &'static Location<'static>) -> Arc<Parking> {
        Arc::new(Parking {
            tag: Tag::made_at(&PARKING, at),
            unparks: Mutex::new(Unparks {
                sent: 0,
                received: 0,
            }),
        })
    }

    /// The one of the thread that is just starting.
    pub(super) fn adopt(this: Arc<Parking>) {
        MINE.with(|mine| {
            let set = mine.set(this);
            debug_assert!(set.is_ok(), "the first thing that a thread does");
        });
    }

    fn lock(&self) -> MutexGuard<'_, Unparks> {
        self.unparks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unpark(&self, at: &'static Location<'static>) {
        let Some(_inside) = this_thread::enter() else {
            return;
        };
        let mut unparks = self.lock();
        unparks.sent += 1;
        let (args, results) = ([Raw::Int(unparks.sent.into())], [Raw::Bool(true)]);
        action(&self.tag, &SEND, Order::Alone, at, &args, &results);
    }

    fn parked(&self, at: &'static Location<'static>) {
        let Some(_inside) = this_thread::enter() else {
            return;
        };
        let mut unparks = self.lock();
        for message in unparks.received + 1..=unparks.sent {
            let results = [Raw::Int(message.into())];
            action(&self.tag, &RECV, Order::Alone, at, &[], &results);
        }
        unparks.received = unparks.sent;
    }
}

/// As [`std::thread::Thread`].
#[derive(Clone)]
pub struct Thread {
    inner: Inner,
}

#[derive(Clone)]
enum Inner {
    /// Without parking for a thread whose local values are gone.
    Real(thread::Thread, Option<Arc<Parking>>),
    /// Of a test that is explored.
    Explored(Arc<Explored>),
}

impl Thread {
    pub(super) fn new(inner: thread::Thread, parking: Arc<Parking>) -> Thread {
        Thread {
            inner: Inner::Real(inner, Some(parking)),
        }
    }

    pub(super) fn explored(thread: Arc<Explored>) -> Thread {
        Thread {
            inner: Inner::Explored(thread),
        }
    }

    /// As [`std::thread::Thread::unpark`].
    #[track_caller]
    pub fn unpark(&self) {
        match &self.inner {
            Inner::Real(thread, parking) => {
                if let Some(parking) = parking
                    && is_on()
                {
                    parking.unpark(Location::caller());
                }
                thread.unpark();
            }
            Inner::Explored(thread) => thread.unpark(Location::caller()),
        }
    }

    /// As [`std::thread::Thread::id`].
    #[must_use]
    pub fn id(&self) -> ThreadId {
        match &self.inner {
            Inner::Real(thread, _) => thread.id(),
            Inner::Explored(thread) => thread.id(),
        }
    }

    /// As [`std::thread::Thread::name`].
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match &self.inner {
            Inner::Real(thread, _) => thread.name(),
            Inner::Explored(thread) => thread.name(),
        }
    }
}

impl fmt::Debug for Thread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut thread = f.debug_struct("Thread");
        thread.field("id", &self.id()).field("name", &self.name());
        thread.finish_non_exhaustive()
    }
}

/// As [`std::thread::current`].
#[must_use]
#[track_caller]
pub fn current() -> Thread {
    if let Some(thread) = Explored::current() {
        return Thread::explored(thread);
    }
    let at = Location::caller();
    let parking = MINE.try_with(|mine| Arc::clone(mine.get_or_init(|| Parking::new(at))));
    Thread {
        inner: Inner::Real(thread::current(), parking.ok()),
    }
}

/// As [`std::thread::park`].
#[track_caller]
pub fn park() {
    if let Some(thread) = Explored::current() {
        return thread.park(Location::caller());
    }
    thread::park();
    parked(Location::caller());
}

/// As [`std::thread::park_timeout`].
#[track_caller]
pub fn park_timeout(dur: Duration) {
    if let Some(thread) = Explored::current() {
        return thread.park_or_not(Location::caller());
    }
    thread::park_timeout(dur);
    parked(Location::caller());
}

/// As [`std::thread::park_timeout_ms`].
#[track_caller]
#[deprecated(note = "replaced by `park_timeout`")]
pub fn park_timeout_ms(ms: u32) {
    park_timeout(Duration::from_millis(ms.into()));
}

fn parked(at: &'static Location<'static>) {
    if !is_on() {
        return;
    }
    // Nobody can have unparked a thread that nobody knows.
    let mine = MINE.try_with(|mine| mine.get().cloned());
    if let Ok(Some(mine)) = mine {
        mine.parked(at);
    }
}
