//! Tests that wait for something outside, or compute for long: what no exploration can
//! see, because nothing happens.
//!
//! A thread of its own looks now and then whether operations are done. If not, it asks
//! the thread of the operating system that runs the test where it is, and prints that.

use std::backtrace::Backtrace;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, Once, PoisonError, Weak};
use std::time::Duration;

use super::foreign::Running;

/// How long nothing may happen.
const PATIENCE: Duration = Duration::from_secs(5);

/// Where the thread is that was asked.
static WHERE: Mutex<Option<Backtrace>> = Mutex::new(None);

/// How long nothing may happen: shorter if the environment says so, in milliseconds.
fn patience() -> Duration {
    let said = std::env::var("COMMUTE_PATIENCE").ok();
    said.and_then(|ms| ms.parse().ok())
        .map_or(PATIENCE, Duration::from_millis)
}

/// Watches a test that is run by the calling thread.
pub(super) fn watch(running: &Arc<Running>) {
    let running: Weak<Running> = Arc::downgrade(running);
    let me = me();
    let watcher = std::thread::Builder::new().name("commute: watchdog".to_owned());
    // Without it everything else works.
    let _ = watcher.spawn(move || {
        let patience = patience();
        let mut last = None;
        while let Some(running) = running.upgrade() {
            let run = running.generation.load(Relaxed);
            let now = Some((run, running.beats.load(Relaxed)));
            if run != 0 && now == last {
                tell(&running, patience, me);
                return;
            }
            last = now;
            drop(running);
            std::thread::sleep(patience);
        }
    });
}

#[expect(clippy::print_stderr, reason = "there is nobody to return it to")]
fn tell(running: &Running, patience: Duration, thread: Thread) {
    let after = running.last.lock().unwrap_or_else(PoisonError::into_inner);
    let after = after.map_or(String::new(), |at| format!(" after the operation at {at}"));
    ask(thread);
    let place = WHERE.lock().unwrap_or_else(PoisonError::into_inner).take();
    let place = place.map_or(String::new(), |place| format!("\n{place}"));
    eprintln!(
        "commute: for {patience:?} the test has done no operation{after}. Does it wait for \
         something else than the types of `commute`?{place}"
    );
}

#[cfg(unix)]
type Thread = libc::pthread_t;
#[cfg(not(unix))]
type Thread = ();

#[cfg(unix)]
#[expect(unsafe_code, reason = "threads of the operating system")]
fn me() -> Thread {
    // SAFETY: always.
    unsafe { libc::pthread_self() }
}

#[cfg(not(unix))]
fn me() -> Thread {}

/// Asks a thread where it is, and waits a little for the answer.
#[cfg(unix)]
#[expect(unsafe_code, reason = "a signal is the only way to ask")]
fn ask(thread: Thread) {
    static INSTALLED: Once = Once::new();
    extern "C" fn answer(_: libc::c_int) {
        // The thread is in the middle of something, but that is what it has been in for
        // seconds: most likely a call of the operating system.
        if let Ok(mut place) = WHERE.try_lock() {
            *place = Some(Backtrace::force_capture());
        }
    }
    let signal = libc::SIGURG;
    INSTALLED.call_once(|| {
        // SAFETY: zeros are a valid `sigaction`. The handler runs on the stack of the
        // thread, where there is room. By default the signal is ignored.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            let handler: extern "C" fn(libc::c_int) = answer;
            action.sa_sigaction = handler as usize;
            action.sa_flags = libc::SA_RESTART;
            libc::sigaction(signal, &raw const action, std::ptr::null_mut());
        }
    });
    // SAFETY: the thread exists: its test is running.
    unsafe { libc::pthread_kill(thread, signal) };
    for _ in 0..20 {
        std::thread::sleep(Duration::from_millis(50));
        if WHERE.try_lock().is_ok_and(|place| place.is_some()) {
            return;
        }
    }
}

#[cfg(not(unix))]
fn ask(_: Thread) {}
