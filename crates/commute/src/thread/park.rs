//! `park` and `unpark`, observable.
//!
//! What a thread did before an `unpark` comes before what the other does after the
//! `park` that it ends. As events: an `unpark` is a short section shared with
//! others, recorded before it has an effect; a `park` that finds one is a short
//! section alone, recorded after it. So the parked thread learns what those have
//! done who woke it, and they learn nothing of each other. A `park` that ended by
//! itself, or by its time, is no event.

use std::cell::OnceCell;
use std::fmt;
use std::panic::Location;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::Duration;

use commute_record::{Kind, Tag, is_on};

use crate::sync::{Held, How};
use crate::this_thread;

static PARKING: Kind = Kind::lock("park");

/// Where the threads meet who wake this one.
#[derive(Debug)]
pub(super) struct Parking {
    tag: Tag,
    /// Whether there was an `unpark` that no `park` has seen.
    unparked: Mutex<bool>,
}

thread_local! {
    static MINE: OnceCell<Arc<Parking>> = const { OnceCell::new() };
}

impl Parking {
    #[track_caller]
    pub(super) fn new() -> Arc<Parking> {
        Arc::new(Parking {
            tag: Tag::new(&PARKING),
            unparked: Mutex::new(false),
        })
    }

    /// The one of the thread that is just starting.
    pub(super) fn adopt(this: Arc<Parking>) {
        MINE.with(|mine| {
            let set = mine.set(this);
            debug_assert!(set.is_ok(), "the first thing that a thread does");
        });
    }

    /// The two kinds of sections must not overlap.
    fn lock(&self) -> MutexGuard<'_, bool> {
        self.unparked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unpark(&self, at: &'static Location<'static>) {
        let Some(_inside) = this_thread::enter() else {
            return;
        };
        let mut unparked = self.lock();
        drop(Held::new(&self.tag, How::Shared, at));
        *unparked = true;
    }

    fn parked(&self, at: &'static Location<'static>) {
        let Some(_inside) = this_thread::enter() else {
            return;
        };
        let mut unparked = self.lock();
        if std::mem::take(&mut *unparked) {
            drop(Held::new(&self.tag, How::Alone, at));
        }
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
    let parking = MINE.try_with(|mine| Arc::clone(mine.get_or_init(Parking::new)));
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
