//! Programs that end in unusual ways, or are interrupted.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

use commute_record::{Child, is_on};

use super::{Counter, spawn, wait_until_written};
use crate::here;

/// How many times the counter was used before the end.
pub(crate) const BEFORE: usize = 100;

/// Ends while others are in the middle of something.
pub(super) fn exit_busy() {
    let counter = Counter::new();
    for _ in 0..3 {
        let counter = Arc::clone(&counter);
        spawn(move || {
            loop {
                counter.add(100);
            }
        });
    }
    while *counter.value.lock().unwrap() <= 3 * BEFORE as i64 {
        std::thread::sleep(Duration::from_millis(10));
    }
    std::process::exit(7);
}

/// Ends without any of what is done at the end of a process.
pub(super) fn exit_at_once() {
    Counter::new().add(BEFORE);
    wait_until_written(BEFORE as i128);
    // SAFETY: it only ends the process.
    #[expect(unsafe_code, reason = "such an end is what is tested")]
    unsafe {
        libc::_exit(7)
    }
}

/// May not write more than so much to a file, and goes on until that is reached.
pub(super) fn limited() {
    let limit = libc::rlimit {
        rlim_cur: 1 << 20,
        rlim_max: 1 << 20,
    };
    // SAFETY: the structure is what the function wants.
    #[expect(unsafe_code, reason = "a limit is what is tested")]
    let result = unsafe { libc::setrlimit(libc::RLIMIT_FSIZE, &limit) };
    assert_eq!(result, 0);
    let counter = Counter::new();
    while is_on() {
        counter.add(10_000);
    }
}

/// Forks a child that does this, and waits for it.
pub(super) fn fork_and(child: impl FnOnce(&Counter)) {
    let counter = Counter::new();
    counter.add(BEFORE);
    // SAFETY: the child only uses what this thread uses, and ends.
    #[expect(unsafe_code, reason = "a fork is what is tested")]
    unsafe {
        match libc::fork() {
            0 => child(&counter),
            pid => assert_eq!(libc::waitpid(pid, std::ptr::null_mut(), 0), pid),
        }
    }
}

/// Is ended by a broken pipe, as programs are that are not written in Rust.
pub(super) fn end_by_broken_pipes() {
    // SAFETY: no handler is set.
    #[expect(unsafe_code, reason = "a signal is what is tested")]
    unsafe {
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
    }
    Counter::new().add(BEFORE);
}

/// Leaves a child behind, which goes on until the file is there that `GO` names.
pub(super) fn leave_a_child() {
    let counter = Counter::new();
    counter.add(BEFORE);
    // SAFETY: the child only uses what this thread uses, and ends.
    #[expect(unsafe_code, reason = "a fork is what is tested")]
    if unsafe { libc::fork() } != 0 {
        return;
    }
    counter.add(50);
    let go = PathBuf::from(std::env::var_os("GO").unwrap());
    std::fs::write(go.with_extension("ready"), "").unwrap();
    for _ in 0..30_000 {
        if go.exists() {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    std::process::exit(0);
}

/// How many threads go on when their thread-local values are gone, and how often each
/// uses a counter of its own.
pub(crate) const LATE: (usize, usize) = (8, 500);

/// Uses its counter when the buffer of its thread is gone.
struct Last(Arc<Counter>);

impl Drop for Last {
    fn drop(&mut self) {
        self.0.add(LATE.1);
    }
}

thread_local! {
    static LAST: RefCell<Option<Last>> = const { RefCell::new(None) };
}

/// Threads that end all at once, and are not through.
pub(super) fn late_together() {
    let start = Arc::new(std::sync::Barrier::new(LATE.0));
    let threads = Vec::from_iter((0..LATE.0).map(|_| {
        let (start, child) = (Arc::clone(&start), Child::fork(None, here()));
        let inside = child.clone();
        let handle = std::thread::spawn(move || {
            // Before its buffer, so after that one at the end.
            LAST.set(Some(Last(Counter::new())));
            inside.start();
            start.wait();
        });
        (handle, child)
    }));
    for (handle, child) in threads {
        handle.join().unwrap();
        child.join(here());
    }
}

static HANDLED: AtomicUsize = AtomicUsize::new(0);
static ELSEWHERE: AtomicUsize = AtomicUsize::new(0);
static MAIN: AtomicU64 = AtomicU64::new(0);

extern "C" fn handle(_: libc::c_int) {
    // SAFETY: it only tells which thread this is.
    #[expect(unsafe_code, reason = "a signal handler is what is tested")]
    let me = unsafe { libc::pthread_self() } as u64;
    HANDLED.fetch_add(1, SeqCst);
    ELSEWHERE.fetch_add(usize::from(me != MAIN.load(SeqCst)), SeqCst);
}

/// Gets signals that its only thread does not want for a while: nobody else may take
/// them, because what a handler does could be what that one waits for.
pub(super) fn signalled() {
    let counter = Counter::new();
    counter.add(BEFORE);
    // SAFETY: the handler is of the right type and uses atomics; the sets are made by the
    // functions that make them, and signals go to this process.
    #[expect(unsafe_code, reason = "a signal handler is what is tested")]
    unsafe {
        MAIN.store(libc::pthread_self() as u64, SeqCst);
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handle as extern "C" fn(libc::c_int) as usize;
        assert_eq!(
            libc::sigaction(libc::SIGUSR1, &action, std::ptr::null_mut()),
            0
        );
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut set);
        libc::sigaddset(&mut set, libc::SIGUSR1);
        libc::pthread_sigmask(libc::SIG_BLOCK, &set, std::ptr::null_mut());
        for _ in 0..20 {
            libc::kill(libc::getpid(), libc::SIGUSR1);
            counter.add(1);
            std::thread::sleep(Duration::from_millis(2));
        }
        assert_eq!(HANDLED.load(SeqCst), 0, "somebody took it");
        libc::pthread_sigmask(libc::SIG_UNBLOCK, &set, std::ptr::null_mut());
    }
    assert!(HANDLED.load(SeqCst) > 0);
    assert_eq!(ELSEWHERE.load(SeqCst), 0);
}
