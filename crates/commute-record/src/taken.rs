//! The buffer of a thread, in the hands of whoever records an event.

use std::cell::Cell;
use std::sync::Arc;

use crate::event::Code;
use crate::late;
use crate::local::Local;
use crate::missed::miss;
use crate::thread::Identity;

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

impl Drop for Slot {
    fn drop(&mut self) {
        if let Some(mut local) = self.local.take() {
            local.stop();
        }
    }
}

/// The buffer of this thread, if it can be had. Goes back with [`give_back`].
#[inline(always)]
pub(crate) fn take() -> Option<Box<Local>> {
    match LOCAL.try_with(|slot| slot.local.take()) {
        Ok(Some(local)) => Some(local),
        Ok(None) => first(),
        Err(_) => late::take(),
    }
}

/// None if it is taken already: in a signal handler that interrupts us. What it
/// does is not recorded, because it would have to wait for itself.
#[cold]
fn first() -> Option<Box<Local>> {
    let is_taken = LOCAL.try_with(|slot| slot.is_taken.replace(true));
    if is_taken != Ok(false) {
        miss();
        return None;
    }
    Some(Box::new(Local::root()))
}

/// Others may have it.
#[inline(always)]
pub(crate) fn give_back(local: Box<Local>) {
    let mut local = Some(local);
    let given = LOCAL.try_with(|slot| slot.local.set(local.take()));
    if given.is_err()
        && let Some(local) = local
    {
        late::give_back(local);
    }
}

/// Calls `f` with the buffer of this thread.
pub(crate) fn with<R>(f: impl FnOnce(&mut Local) -> R) -> Option<R> {
    let mut local = take()?;
    let result = f(&mut local);
    give_back(local);
    Some(result)
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
