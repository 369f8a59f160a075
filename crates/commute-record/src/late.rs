//! The buffer of all threads whose thread-local values are gone already: one has it at a
//! time.

use std::cell::Cell;
use std::sync::atomic::{Ordering::SeqCst, compiler_fence};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::local::Local;
use crate::missed::miss;
use crate::thread::Identity;

enum Late {
    Unmade,
    Here(Box<Local>),
    Taken,
}

static LATE: Mutex<Late> = Mutex::new(Late::Unmade);
static HERE: Condvar = Condvar::new();

thread_local! {
    /// Whether this thread has it, or is about to. Without a destructor, so it is there
    /// as long as the thread is.
    static HAS_IT: Cell<bool> = const { Cell::new(false) };
}

fn late() -> MutexGuard<'static, Late> {
    LATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for it; none in a signal handler that interrupts the thread that has it: that
/// would wait for itself.
#[cold]
pub(crate) fn take() -> Option<Box<Local>> {
    if HAS_IT.replace(true) {
        miss();
        return None;
    }
    // The handler runs on this thread: it must find what is above.
    compiler_fence(SeqCst);
    let mut late = late();
    while matches!(*late, Late::Taken) {
        late = HERE.wait(late).unwrap_or_else(PoisonError::into_inner);
    }
    match std::mem::replace(&mut *late, Late::Taken) {
        Late::Here(local) => Some(local),
        _ => Some(Box::new(Local::new(Identity::new(Some("ending threads"))))),
    }
}

/// Others may have it.
#[cold]
pub(crate) fn give_back(local: Box<Local>) {
    *late() = Late::Here(local);
    HERE.notify_one();
    compiler_fence(SeqCst);
    HAS_IT.set(false);
}
