//! Tasks of a test that is explored, and the futures that they wait for.
//!
//! Every order in which tasks can go on is explored if all that they learn of each other
//! are results of operations. A future of another crate is pending, or is not, by a state
//! that no operation shows. It gives itself away by the waker of the task: it keeps a clone,
//! and wakes the task later. So wakers here know who keeps them and who calls them:
//!
//! - a [`Task`](crate::future::Task) keeps a waker and calls it when it is over: that is
//!   explored;
//! - a task may wake itself while it is polled (`yield_now`);
//! - a future of the test itself may keep a waker, if it did an operation when it had it,
//!   such as to give back the lock of a list of wakers: an object of the test has it;
//! - anything else makes the test inconclusive. So does a combinator that has a list of those
//!   of its parts that were woken (`FuturesUnordered`): in which order it polls them is not
//!   seen either.
//!
//! Gaps: a future of another crate that is ready whenever it is polled, in all executions,
//! keeps no waker (a lock that is free, `try_lock`), and neither does one that is polled
//! with another waker (`now_or_never`).

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::pin;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, RawWaker, RawWakerVTable, Waker};

use commute_explore::Cause;
use commute_explore::runtime::{Site, local, operations, site, unexplored};

use crate::thread::{self, Thread};

/// A task, as its wakers know it.
struct Shared {
    thread: Thread,
    /// Clones of the waker that are not of ours, by number.
    kept: Mutex<BTreeMap<u64, Kept>>,
    /// How many clones there were.
    clones: AtomicU64,
    is_polled: AtomicBool,
    /// A function of another crate that had a waker for as long as it was polled.
    let_go: Mutex<Option<Arc<Site>>>,
}

/// A clone of a waker that something else than ours keeps.
#[derive(Clone)]
struct Kept {
    by: Arc<Site>,
    /// How many operations the thread had done before.
    operations: u64,
    /// Whether a future of the test keeps it that did an operation.
    is_seen: bool,
}

/// What a thread of a test knows of the tasks that it runs.
#[derive(Default)]
struct Mine {
    /// The tasks that it polls, the innermost last.
    polled: RefCell<Vec<Arc<Shared>>>,
    /// A future of ours keeps a waker now.
    keeps: Cell<bool>,
}

/// Known by its address.
static MINE: u8 = 0;

fn mine() -> Option<Rc<Mine>> {
    local(std::ptr::from_ref(&MINE).addr(), Mine::default)
}

/// Runs a future to its end, on this thread of a test.
#[track_caller]
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let shared = Arc::new(Shared {
        thread: thread::current(),
        kept: Mutex::default(),
        clones: AtomicU64::new(0),
        is_polled: AtomicBool::new(false),
        let_go: Mutex::default(),
    });
    let waker = waker(&shared, None);
    let mut context = Context::from_waker(&waker);
    loop {
        let polled = Polled::begin(&shared);
        let result = future.as_mut().poll(&mut context);
        polled.end();
        match result {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::park(),
        }
    }
}

/// A task is polled.
struct Polled {
    shared: Arc<Shared>,
}

impl Polled {
    fn begin(shared: &Arc<Shared>) -> Polled {
        if let Some(mine) = mine() {
            mine.polled.borrow_mut().push(Arc::clone(shared));
        }
        shared.is_polled.store(true, Relaxed);
        Polled {
            shared: Arc::clone(shared),
        }
    }

    /// It was polled. Whatever has kept its waker must be explored.
    fn end(&self) {
        let let_go = lock(&self.shared.let_go).take();
        let mut kept = lock(&self.shared.kept);
        for kept in kept.values_mut() {
            kept.is_seen |= kept.by.is_own && operations() > kept.operations;
        }
        let foreign = kept.values().find(|kept| !kept.is_seen);
        if let Some(by) = foreign.map(|kept| Arc::clone(&kept.by)).or(let_go) {
            object(&by);
        }
    }
}

impl Drop for Polled {
    fn drop(&mut self) {
        self.shared.is_polled.store(false, Relaxed);
        if let Some(mine) = mine() {
            mine.polled.borrow_mut().pop();
        }
    }
}

/// The test awaits something that is not explored.
fn object(by: &Site) {
    unexplored(Cause::ForeignFuture {
        future: by.name.clone(),
        location: by.location.clone(),
    });
}

/// A clone of a waker, for a future of ours.
pub(crate) fn keep(waker: &Waker) -> Waker {
    let Some(mine) = mine() else {
        return waker.clone();
    };
    mine.keeps.set(true);
    let clone = waker.clone();
    mine.keeps.set(false);
    clone
}

/// A clone of the waker of a task.
struct Handle {
    shared: Arc<Shared>,
    /// Its number, if it is not of ours.
    number: Option<u64>,
}

impl Handle {
    fn copy(&self) -> Handle {
        let is_ours = mine().is_some_and(|mine| mine.keeps.get());
        let number = (!is_ours).then(|| {
            let kept = Kept {
                by: site(),
                operations: operations(),
                is_seen: false,
            };
            let number = self.shared.clones.fetch_add(1, Relaxed);
            lock(&self.shared.kept).insert(number, kept);
            number
        });
        Handle {
            shared: Arc::clone(&self.shared),
            number,
        }
    }

    /// Wakes the task. What wakes it must be explored.
    fn wake(&self) {
        let kept = { self.number }.and_then(|number| lock(&self.shared.kept).get(&number).cloned());
        let is_seen = kept.as_ref().is_none_or(|kept| kept.is_seen);
        let is_itself = mine().is_some_and(|mine| {
            let polled = mine.polled.borrow();
            polled.iter().any(|task| Arc::ptr_eq(task, &self.shared))
        });
        if let Some(kept) = kept.filter(|_| !is_seen && !is_itself) {
            object(&kept.by);
        }
        self.shared.thread.unpark();
    }

    /// It is not kept any more, and was not called at the end.
    fn let_go(&self) {
        let kept = { self.number }.and_then(|number| lock(&self.shared.kept).remove(&number));
        if let Some(kept) = kept
            && !kept.is_seen
            && !kept.by.is_own
            && self.shared.is_polled.load(Relaxed)
        {
            lock(&self.shared.let_go).get_or_insert(kept.by);
        }
    }

    /// It was called, and is gone.
    fn used(&self) {
        if let Some(number) = self.number {
            lock(&self.shared.kept).remove(&number);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[expect(unsafe_code, reason = "only so does a waker know that it is cloned")]
fn waker(shared: &Arc<Shared>, number: Option<u64>) -> Waker {
    let shared = Arc::clone(shared);
    let handle = Box::new(Handle { shared, number });
    // SAFETY: the functions of the table take what is in the box of a `Handle`, which is
    // `Send` and `Sync`; each waker has a box of its own.
    unsafe { Waker::from_raw(raw(handle)) }
}

fn raw(handle: Box<Handle>) -> RawWaker {
    RawWaker::new(Box::into_raw(handle).cast::<()>(), &TABLE)
}

const _: fn() = || {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Handle>();
};

static TABLE: RawWakerVTable = RawWakerVTable::new(clone, wake_and_drop, wake_by_ref, drop_raw);

/// The handle of a waker.
///
/// # Safety
/// `data` is of a waker with [`TABLE`] that was not dropped.
#[expect(unsafe_code, reason = "the signature of a waker")]
unsafe fn handle<'a>(data: *const ()) -> &'a Handle {
    // SAFETY: it is from `Box::into_raw`, and the box is there until `take`.
    unsafe { &*data.cast::<Handle>() }
}

/// The handle of a waker that is dropped.
///
/// # Safety
/// As for [`handle`], and the waker is not used again.
#[expect(unsafe_code, reason = "the signature of a waker")]
unsafe fn take(data: *const ()) -> Box<Handle> {
    // SAFETY: it is from `Box::into_raw`, and nothing else takes it.
    unsafe { Box::from_raw(data.cast_mut().cast::<Handle>()) }
}

#[expect(unsafe_code, reason = "the signature of a waker")]
unsafe fn clone(data: *const ()) -> RawWaker {
    // SAFETY: called by a waker that is there.
    let handle = unsafe { handle(data) };
    raw(Box::new(handle.copy()))
}

#[expect(unsafe_code, reason = "the signature of a waker")]
unsafe fn wake_and_drop(data: *const ()) {
    // SAFETY: called by a waker that is used up.
    let handle = unsafe { take(data) };
    handle.wake();
    handle.used();
}

#[expect(unsafe_code, reason = "the signature of a waker")]
unsafe fn wake_by_ref(data: *const ()) {
    // SAFETY: called by a waker that is there.
    unsafe { handle(data) }.wake();
}

#[expect(unsafe_code, reason = "the signature of a waker")]
unsafe fn drop_raw(data: *const ()) {
    // SAFETY: called by a waker that is dropped.
    unsafe { take(data) }.let_go();
}
