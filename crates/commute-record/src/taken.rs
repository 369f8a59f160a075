//! The buffer of a thread, in the hands of whoever records an event.

use std::cell::Cell;
use std::sync::atomic::{Ordering::SeqCst, compiler_fence};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::event::Code;
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
pub(crate) enum Taken {
    Own(Box<Local>),
    Late(MutexGuard<'static, Option<Local>>),
}

impl Taken {
    /// The buffer of this thread, if it can be had.
    #[inline(always)]
    pub(crate) fn take() -> Option<Taken> {
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
    pub(crate) fn local(&mut self) -> &mut Local {
        match self {
            Taken::Own(local) => local,
            Taken::Late(late) => late.as_mut().expect("made before it was taken"),
        }
    }

    #[inline(always)]
    pub(crate) fn give_back(self) {
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
pub(crate) fn with<R>(f: impl FnOnce(&mut Local) -> R) -> Option<R> {
    let mut taken = Taken::take()?;
    let result = f(taken.local());
    taken.give_back();
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
