//! Objects of somebody's own type.

use std::collections::BTreeMap;
use std::panic::Location;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use commute_record::{Kind, Tag};

/// How long a call waits for one of the same object to end. One that takes longer
/// may be waiting for the very call that waits for it.
const PATIENCE: Duration = Duration::from_millis(100);

/// An object, and whose turn it is.
#[derive(Debug)]
pub(crate) struct OwnObject {
    pub(crate) tag: Tag,
    busy: Mutex<bool>,
    free: Condvar,
    /// Whether a call has waited in vain. From then on none waits.
    overlaps: AtomicBool,
}

impl OwnObject {
    pub(crate) fn new(kind: &'static Kind, created: &'static Location<'static>) -> OwnObject {
        OwnObject {
            tag: Tag::made_at(kind, created),
            busy: Mutex::new(false),
            free: Condvar::new(),
            overlaps: AtomicBool::new(false),
        }
    }

    fn busy(&self) -> MutexGuard<'_, bool> {
        self.busy.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until no other call is running; whether that came to be.
    pub(super) fn take_turn(&self) -> bool {
        if self.overlaps.load(Relaxed) {
            return false;
        }
        let mut busy = self.busy();
        let until = Instant::now() + PATIENCE;
        while *busy {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || self.overlaps.load(Relaxed) {
                self.overlaps.store(true, Relaxed);
                return false;
            }
            let waited = self.free.wait_timeout(busy, left);
            busy = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        *busy = true;
        true
    }

    pub(super) fn give_turn_back(&self) {
        *self.busy() = false;
        self.free.notify_one();
    }
}

/// The object of this kind at this address. It stays known for ever: nobody tells
/// when it is gone.
#[track_caller]
pub(super) fn at_address(address: usize, kind: &'static Kind) -> Arc<OwnObject> {
    /// By address, and by what it is: an object has the address of its first field.
    type Objects = BTreeMap<(usize, &'static str), Arc<OwnObject>>;
    static OBJECTS: Mutex<Option<Objects>> = Mutex::new(None);
    let first_use = Location::caller();
    let mut objects = OBJECTS.lock().unwrap_or_else(PoisonError::into_inner);
    let objects = objects.get_or_insert_with(BTreeMap::new);
    let object = objects
        .entry((address, kind.word()))
        .or_insert_with(|| Arc::new(OwnObject::new(kind, first_use)));
    Arc::clone(object)
}
