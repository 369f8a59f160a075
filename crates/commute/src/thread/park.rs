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
    inner: thread::Thread,
    /// `None` for a thread whose local values are gone.
    parking: Option<Arc<Parking>>,
}

impl Thread {
    pub(super) fn new(inner: thread::Thread, parking: Arc<Parking>) -> Thread {
        let parking = Some(parking);
        Thread { inner, parking }
    }

    /// As [`std::thread::Thread::unpark`].
    #[track_caller]
    pub fn unpark(&self) {
        if let Some(parking) = &self.parking
            && is_on()
        {
            parking.unpark(Location::caller());
        }
        self.inner.unpark();
    }

    /// As [`std::thread::Thread::id`].
    #[must_use]
    pub fn id(&self) -> ThreadId {
        self.inner.id()
    }

    /// As [`std::thread::Thread::name`].
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.inner.name()
    }
}

impl fmt::Debug for Thread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

/// As [`std::thread::current`].
#[must_use]
#[track_caller]
pub fn current() -> Thread {
    let at = Location::caller();
    let parking = MINE.try_with(|mine| Arc::clone(mine.get_or_init(|| Parking::new(at))));
    Thread {
        inner: thread::current(),
        parking: parking.ok(),
    }
}

/// As [`std::thread::park`].
#[track_caller]
pub fn park() {
    thread::park();
    parked(Location::caller());
}

/// As [`std::thread::park_timeout`].
#[track_caller]
pub fn park_timeout(dur: Duration) {
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
