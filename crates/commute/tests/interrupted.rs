//! What signal handlers do while the thread that they interrupt is in the middle of
//! the same, and what threads do when they end.

#![cfg(commute)]

mod trace;

use crate::trace::Trace;

/// What a handler adds in the middle of an operation is not in the trace: then the next
/// result is not that of a model.
#[test]
fn signals() {
    let trace = Trace::of_test("programs::signals");
    trace.is_well_formed();
    if trace.missed == 0 {
        trace.replays();
    }
}

/// What the handler does to a pointer that the thread is replacing.
#[cfg(feature = "arc-swap")]
#[test]
fn signals_and_pointers() {
    let trace = Trace::of_test("programs::signals_and_pointers");
    trace.is_well_formed();
    trace.replays();
    assert!(trace.count("swap(") > 1000);
}

/// Two threads, each interrupted in the middle of what the other's handler wants: that one
/// hung, with a lock of the recorder's that the other needed.
#[cfg(feature = "arc-swap")]
#[test]
fn handlers_wait_for_nobody() {
    let trace = Trace::of_test("programs::handlers_wait_for_nobody");
    trace.is_well_formed();
    assert!(trace.count("swap(") > 1000);
    assert!(trace.count("fetch_add(") > 1000);
}

#[test]
fn threads_that_end() {
    let trace = Trace::of_test("programs::threads_that_end");
    trace.is_well_formed();
    trace.replays();
    assert_eq!(trace.count("fetch_add("), 40);
    assert_eq!(trace.missed, 0);
}

#[test]
fn a_forked_child() {
    let trace = Trace::of_test("programs::a_forked_child");
    trace.is_well_formed();
    trace.replays();
    assert_eq!(trace.missed, 0);
}

mod programs {
    use std::time::{Duration, Instant};

    use commute::sync::atomic::{AtomicU64, Ordering::SeqCst};
    use commute::sync::{Arc, LazyLock, Mutex, OnceLock};
    use commute::thread;

    static TICKS: AtomicU64 = AtomicU64::new(0);
    static MAIN: OnceLock<thread::Thread> = OnceLock::new();

    extern "C" fn tick(_: libc::c_int) {
        TICKS.fetch_add(1, SeqCst);
        MAIN.get().unwrap().unpark();
    }

    #[cfg(feature = "arc-swap")]
    static POINTER: commute::arc_swap::ArcSwapOption<u32> =
        commute::arc_swap::ArcSwapOption::const_empty();

    #[cfg(feature = "arc-swap")]
    extern "C" fn look(_: libc::c_int) {
        drop(POINTER.load());
    }

    /// The handler looks at the pointer that the thread is replacing.
    #[cfg(feature = "arc-swap")]
    #[test]
    fn signals_and_pointers() {
        // They outlive all this, so that no handler has to free one.
        let values = [1, 2].map(Arc::new);
        // What is used first takes memory, which a handler must not wait for.
        drop(POINTER.load());
        interrupted_by(libc::SIGUSR1, look, |is_enough| {
            for value in values.iter().cycle() {
                POINTER.swap(Some(Arc::clone(value)));
                if is_enough() {
                    break;
                }
            }
        });
    }

    /// The handler adds to the atomic that the thread is adding to, and unparks it.
    #[test]
    fn signals() {
        MAIN.set(thread::current()).unwrap();
        interrupted_by(libc::SIGUSR2, tick, |is_enough| {
            let mut n = 0;
            while !is_enough() {
                n += 1;
                TICKS.fetch_add(1, SeqCst);
                thread::park_timeout(Duration::from_micros(1));
            }
            assert!(TICKS.load(SeqCst) > n);
        });
    }

    #[cfg(feature = "arc-swap")]
    static SHARED: (
        AtomicU64,
        commute::arc_swap::ArcSwapOption<u32>,
        commute::arc_swap::ArcSwapOption<u32>,
    ) = (
        AtomicU64::new(0),
        commute::arc_swap::ArcSwapOption::const_empty(),
        commute::arc_swap::ArcSwapOption::const_empty(),
    );

    #[cfg(feature = "arc-swap")]
    extern "C" fn use_everything(_: libc::c_int) {
        SHARED.0.fetch_add(1, SeqCst);
        drop(SHARED.1.load());
        drop(SHARED.2.load());
    }

    /// Each thread changes what it can, and its handler wants all of it.
    #[cfg(feature = "arc-swap")]
    #[test]
    fn handlers_wait_for_nobody() {
        let values = [1, 2].map(Arc::new);
        let (done, end) = std::sync::mpsc::channel::<()>();
        // Who waits for ever is not heard of.
        std::thread::spawn(move || {
            let waited = end.recv_timeout(STUCK);
            if waited == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
                eprintln!("a handler waits for ever");
                std::process::abort();
            }
        });
        std::thread::scope(|scope| {
            for pointer in [&SHARED.1, &SHARED.2] {
                let values = &values;
                scope.spawn(move || {
                    // As above.
                    use_everything(0);
                    interrupted_by(libc::SIGURG, use_everything, |is_enough| {
                        for value in values.iter().cycle() {
                            pointer.swap(Some(Arc::clone(value)));
                            SHARED.0.fetch_add(1, SeqCst);
                            if is_enough() {
                                break;
                            }
                        }
                    });
                });
            }
        });
        drop(done);
    }

    /// So many rounds of a program that is interrupted.
    const ROUNDS: u64 = 2000;
    /// So many signals, of which some meet the program in the middle of an operation.
    const SIGNALS: u64 = 500;
    /// All of it takes less than a second.
    #[cfg(feature = "arc-swap")]
    const STUCK: Duration = Duration::from_secs(120);

    /// Calls `f`, which goes on until its argument, asked after each round, returns `true`:
    /// after so many rounds and signals, however long that takes. Interrupts it again and
    /// again meanwhile. Handlers are those of the whole process, so each has a signal of
    /// its own.
    fn interrupted_by(
        signal: libc::c_int,
        handler: extern "C" fn(libc::c_int),
        f: impl FnOnce(&mut dyn FnMut() -> bool),
    ) {
        use std::sync::atomic::{AtomicBool, AtomicU64};
        let (sent, is_over) = (AtomicU64::new(0), AtomicBool::new(false));
        // SAFETY: the handlers are of the right type and do what may be done in one:
        // atomic operations, looking at a pointer, and waking a thread, which is one
        // more and a call of the system.
        #[expect(unsafe_code, reason = "a signal handler is what is tested")]
        let me = unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handler as usize;
            action.sa_flags = libc::SA_RESTART;
            assert_eq!(libc::sigaction(signal, &action, std::ptr::null_mut()), 0);
            libc::pthread_self()
        };
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !is_over.load(SeqCst) {
                    // SAFETY: the thread lives: it waits for this scope.
                    #[expect(unsafe_code, reason = "a signal is what is tested")]
                    unsafe {
                        libc::pthread_kill(me, signal);
                    }
                    sent.fetch_add(1, SeqCst);
                    std::thread::sleep(Duration::from_micros(20));
                }
            });
            let mut rounds = 0;
            f(&mut || {
                rounds += 1;
                rounds > ROUNDS && sent.load(SeqCst) > SIGNALS
            });
            is_over.store(true, SeqCst);
        });
    }

    struct Last(Arc<(Mutex<u32>, AtomicU64)>);

    impl Drop for Last {
        fn drop(&mut self) {
            *self.0.0.lock().unwrap() += 1;
            self.0.1.fetch_add(1, SeqCst);
            thread::current().unpark();
            thread::park();
            assert_eq!(*LAZY, 7);
        }
    }

    thread_local! {
        static LAST: std::cell::RefCell<Option<Last>> = const { std::cell::RefCell::new(None) };
    }

    static LAZY: LazyLock<u32> = LazyLock::new(|| 7);

    /// Thread-local values use everything when they are dropped, also those of scoped
    /// threads, for whom the scope does not wait.
    #[test]
    fn threads_that_end() {
        let shared = Arc::new((Mutex::new(0), AtomicU64::new(0)));
        for _ in 0..10 {
            let inside = Arc::clone(&shared);
            thread::spawn(move || {
                inside.1.fetch_add(1, SeqCst);
                LAST.set(Some(Last(inside)));
            })
            .join()
            .unwrap();
            thread::scope(|scope| {
                scope.spawn(|| {
                    shared.1.fetch_add(1, SeqCst);
                    LAST.set(Some(Last(Arc::clone(&shared))));
                });
            });
        }
        while Arc::strong_count(&shared) > 1 {
            thread::yield_now();
        }
        assert_eq!(*shared.0.lock().unwrap(), 20);
    }

    /// The child of a fork goes on, unrecorded, also with what other threads had.
    #[test]
    fn a_forked_child() {
        let atomic = AtomicU64::new(0);
        let until = Instant::now() + Duration::from_millis(100);
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while Instant::now() < until {
                        atomic.fetch_add(1, SeqCst);
                    }
                });
            }
            for _ in 0..10 {
                // SAFETY: the child uses an atomic, and ends.
                #[expect(unsafe_code, reason = "a fork is what is tested")]
                unsafe {
                    match libc::fork() {
                        0 => {
                            for _ in 0..100 {
                                atomic.fetch_add(1, SeqCst);
                            }
                            libc::_exit(0);
                        }
                        child => {
                            let mut status = 0;
                            libc::waitpid(child, &mut status, 0);
                            assert_eq!(status, 0);
                        }
                    }
                }
            }
        });
    }
}
