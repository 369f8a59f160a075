//! A program that is interrupted where the recorder cannot record: where it allocates.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use commute_record::{Child, LockOp, Tag, is_on, lock};

use super::{Counter, MUTEX};
use crate::here;

/// How many operations the handler does that cannot be recorded.
pub(crate) const MISSED: u64 = 5;
/// How often the counter is used all the same.
pub(crate) const RECORDED: i128 = 3;

/// Sends a signal to a thread that asked for it, at its next allocation.
struct Interrupting;

#[global_allocator]
static ALLOCATOR: Interrupting = Interrupting;

/// The thread to interrupt.
static TARGET: AtomicUsize = AtomicUsize::new(0);
static HANDLED: AtomicUsize = AtomicUsize::new(0);
/// What the handler uses.
static LOCK: Tag = Tag::new(&MUTEX);

// SAFETY: the memory is that of the system's allocator; a handler may run before any
// instruction anyway.
#[expect(unsafe_code, reason = "an allocator is called by the recorder")]
unsafe impl GlobalAlloc for Interrupting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: these only tell which thread this is, and interrupt it.
        unsafe {
            let me = libc::pthread_self() as usize;
            if TARGET.load(SeqCst) == me && TARGET.swap(0, SeqCst) == me {
                libc::raise(libc::SIGUSR1);
            }
        }
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(memory, layout) }
    }
}

extern "C" fn handle(_: libc::c_int) {
    HANDLED.fetch_add(1, SeqCst);
    if is_on() {
        lock(&LOCK, LockOp::Acquire, here());
        lock(&LOCK, LockOp::Release, here());
    }
}

/// Interrupts this thread at its next allocation.
fn arm() {
    // SAFETY: it only tells which thread this is.
    #[expect(unsafe_code, reason = "a signal is what is tested")]
    let me = unsafe { libc::pthread_self() } as usize;
    TARGET.store(me, SeqCst);
}

/// Uses the counter when everything else of its thread is gone.
struct Last(Arc<Counter>);

impl Drop for Last {
    fn drop(&mut self) {
        arm();
        self.0.add(1);
        assert_eq!(HANDLED.load(SeqCst), 3);
    }
}

thread_local! {
    static LAST: RefCell<Option<Last>> = const { RefCell::new(None) };
}

pub(super) fn interrupted() {
    // SAFETY: the handler is of the right type.
    #[expect(unsafe_code, reason = "a signal handler is what is tested")]
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handle as extern "C" fn(libc::c_int) as usize;
        let result = libc::sigaction(libc::SIGUSR1, &action, std::ptr::null_mut());
        assert_eq!(result, 0);
    }
    let counter = Counter::new();
    // While it is decided whether anything is recorded: one operation, that of asking.
    arm();
    assert!(is_on());
    assert_eq!(HANDLED.load(SeqCst), 1);
    // While the thread gets its buffer.
    arm();
    counter.add(1);
    assert_eq!(HANDLED.load(SeqCst), 2);
    // While a thread that has none any more gets one.
    let child = Child::fork(None, here());
    let (inside, used) = (child.clone(), Arc::clone(&counter));
    let handle = std::thread::spawn(move || {
        // Before its buffer, so after that one at the end.
        LAST.set(Some(Last(Arc::clone(&used))));
        inside.start();
        used.add(1);
    });
    handle.join().unwrap();
    child.join(here());
    assert_eq!(HANDLED.load(SeqCst), 3);
}
