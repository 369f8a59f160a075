//! The buffer of a thread, in the hands of whoever records an event.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{Ordering::SeqCst, compiler_fence};

use crate::event::Code;
use crate::late;
use crate::local::Local;
use crate::missed::miss;
use crate::thread::Identity;

/// Ends the thread's events when the thread ends.
struct Slot(Cell<Option<Box<Local>>>);

thread_local! {
    /// Whether this thread is recording. Without a destructor, so it is there as long as
    /// the thread is, and asking for it never takes memory.
    static RECORDING: Cell<bool> = const { Cell::new(false) };
    /// Taken by whoever records an event.
    static LOCAL: Slot = const { Slot(Cell::new(None)) };
}

impl Drop for Slot {
    fn drop(&mut self) {
        if let Some(mut local) = self.0.take() {
            unless_interrupting(|| local.stop());
            // Only then: that an identity ends is recorded, too.
            drop(local);
        }
    }
}

/// Whether this thread is recording something: then who asks is a signal handler that
/// interrupts it, and must not wait for anybody. Others may have to wait for what is being
/// written, or for a lock of ours.
#[inline(always)]
pub fn is_recording() -> bool {
    RECORDING.get()
}

/// Whether this thread may record. Not in a signal handler that interrupts us: what it does
/// is not recorded, because it would have to wait for itself.
#[inline(always)]
fn enter() -> bool {
    if RECORDING.replace(true) {
        miss();
        return false;
    }
    // The handler runs on this thread: it must find what is above.
    compiler_fence(SeqCst);
    true
}

#[inline(always)]
fn leave() {
    compiler_fence(SeqCst);
    RECORDING.set(false);
}

/// Calls `f`, which takes locks of ours, but in no signal handler that interrupts us.
pub(crate) fn unless_interrupting<R>(f: impl FnOnce() -> R) -> Option<R> {
    if !enter() {
        return None;
    }
    let result = f();
    leave();
    Some(result)
}

/// The buffer of this thread, if it can be had. Goes back with [`give_back`].
#[inline(always)]
pub(crate) fn take() -> Option<Box<Local>> {
    if !enter() {
        return None;
    }
    match LOCAL.try_with(|slot| slot.0.take()) {
        Ok(Some(local)) => Some(local),
        Ok(None) => Some(first()),
        Err(_) => Some(late::take()),
    }
}

#[cold]
fn first() -> Box<Local> {
    Box::new(Local::root())
}

/// Others may have it.
#[inline(always)]
pub(crate) fn give_back(local: Box<Local>) {
    let mut local = Some(local);
    let given = LOCAL.try_with(|slot| slot.0.set(local.take()));
    if given.is_err()
        && let Some(local) = local
    {
        late::give_back(local);
    }
    leave();
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
    unless_interrupting(|| {
        let mut local = Local::new(Arc::clone(identity));
        local.thread_event(Code::Start);
        let started = LOCAL.try_with(|slot| slot.0.set(Some(Box::new(local))));
        debug_assert!(started.is_ok(), "a thread that begins has its values");
    });
}

/// Tells whoever waits for this thread that it is over. What its thread-local
/// values do after that is another thread's in the trace: it may come after the
/// join.
pub(crate) fn stop_now() {
    let ended = unless_interrupting(|| {
        let mut local = LOCAL.try_with(|slot| slot.0.take()).ok().flatten();
        local.iter_mut().for_each(|local| local.stop());
        local
    });
    // As above.
    drop(ended);
}
