//! The buffer of all threads whose thread-local values are gone already: one has it at a
//! time.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::local::Local;
use crate::thread::Identity;

enum Late {
    Unmade,
    Here(Box<Local>),
    Taken,
}

static LATE: Mutex<Late> = Mutex::new(Late::Unmade);
static HERE: Condvar = Condvar::new();

fn late() -> MutexGuard<'static, Late> {
    LATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for it.
#[cold]
pub(crate) fn take() -> Box<Local> {
    let mut late = late();
    while matches!(*late, Late::Taken) {
        late = HERE.wait(late).unwrap_or_else(PoisonError::into_inner);
    }
    match std::mem::replace(&mut *late, Late::Taken) {
        Late::Here(local) => local,
        _ => Box::new(Local::new(Identity::new(Some("ending threads")))),
    }
}

/// Others may have it.
#[cold]
pub(crate) fn give_back(local: Box<Local>) {
    *late() = Late::Here(local);
    HERE.notify_one();
}
