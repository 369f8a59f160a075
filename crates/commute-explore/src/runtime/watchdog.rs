//! Tests that wait for something outside, compute for long, or use all memory: what no
//! exploration can see, because nothing happens.
//!
//! A thread of its own looks now and then whether operations are done, and how much
//! memory the process has. If none are, it asks the thread of the operating system that
//! runs the test where it is. Whoever runs the test is told, and decides what comes of
//! it.

use std::backtrace::Backtrace;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, Once, PoisonError, Weak};
use std::time::{Duration, Instant};

use super::foreign::Running;
use super::{frames, resident};

/// How long nothing may happen, if nobody says otherwise.
const PATIENCE: Duration = Duration::from_secs(10);

/// Between two looks.
const BEAT: Duration = Duration::from_millis(25);

/// For a test that uses too much memory to come to an end with what it has.
const GRACE: Duration = Duration::from_millis(500);

/// Where the thread is that was asked.
static WHERE: Mutex<Option<Backtrace>> = Mutex::new(None);

/// What a test is not allowed, and who is told.
pub struct Guard {
    /// How long no operation may be done in a run.
    pub patience: Duration,
    /// How many bytes the process may have.
    pub memory: Option<u64>,
    /// Gets what to tell people, once. The test does not go on by itself.
    pub tell: Box<dyn Fn(String) + Send>,
}

impl Default for Guard {
    fn default() -> Guard {
        Guard {
            patience: PATIENCE,
            memory: None,
            tell: Box::new(print),
        }
    }
}

impl std::fmt::Debug for Guard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Guard").finish_non_exhaustive()
    }
}

#[expect(clippy::print_stderr, reason = "there is nobody to return it to")]
fn print(text: String) {
    eprintln!("commute: {text}");
}

/// Watches a test that is run by the calling thread.
pub(super) fn watch(running: &Arc<Running>, guard: Guard) {
    let running: Weak<Running> = Arc::downgrade(running);
    let me = me();
    let watcher = std::thread::Builder::new().name("commute: watchdog".to_owned());
    // Without it everything else works.
    let _ = watcher.spawn(move || {
        let (mut last, mut since) = (None, Instant::now());
        let mut too_much = None;
        while let Some(running) = running.upgrade() {
            let run = running.generation.load(Relaxed);
            let now = Some((run, running.beats.load(Relaxed)));
            if run == 0 || now != last {
                (last, since) = (now, Instant::now());
            }
            if let Some(text) = guard.memory.and_then(excess) {
                let over = running.say_too_large(&text);
                if too_much.get_or_insert_with(Instant::now).elapsed() > GRACE {
                    (guard.tell)(over);
                    return;
                }
            } else if since.elapsed() > guard.patience {
                (guard.tell)(idle(&running, guard.patience, me));
                return;
            }
            drop(running);
            std::thread::sleep(BEAT.min(guard.patience / 2));
        }
    });
}

/// What to say if the process has more memory than this.
fn excess(most: u64) -> Option<String> {
    let has = resident::bytes().filter(|has| *has > most)?;
    Some(format!(
        "the test uses more memory than is allowed: {}, and {} are (--max-memory)",
        resident::shown(has),
        resident::shown(most)
    ))
}

fn idle(running: &Running, patience: Duration, thread: Thread) -> String {
    let last = running.last.lock().unwrap_or_else(PoisonError::into_inner);
    let after = last.map_or(String::new(), |at| format!(" after the one at {at}"));
    drop(last);
    ask(thread);
    let place = WHERE.lock().unwrap_or_else(PoisonError::into_inner).take();
    let place = place.map(|place| frames::of_test(&place.to_string()));
    let place = place.filter(|frames| !frames.is_empty());
    let place = place.map_or(String::new(), |frames| format!("\n{}", frames.join("\n")));
    format!(
        "for {} s the test has done no operation{after}: it waits for something else than \
         the types of `commute`, or it computes for long (--max-idle){place}",
        patience.as_secs_f64()
    )
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
