//! Tests that do what no test should: what is said then. Each is run in a process of its
//! own, because it does not end well.

use std::process::Command;
use std::time::{Duration, Instant};

use commute_explore::runtime::{Guard, Test};
use commute_explore::{Ending, Limits, Subject};

use crate::seen::seen;

/// The watchdog looks every 25 ms: on a machine that is not stuck it has looked by then.
const NOTICED: Duration = Duration::from_secs(60);

/// Whether this process is one of those; else it is run, and what it said comes back.
fn told(test: &str) -> Option<String> {
    if std::env::var_os("EXPLORE_MISUSE").is_some() {
        return None;
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]);
    command.env("EXPLORE_MISUSE", "1");
    let output = command.output().unwrap();
    Some(String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_stack_that_is_too_small() {
    #[expect(unconditional_recursion, reason = "that is the point")]
    fn deeper(n: u64) -> u64 {
        std::hint::black_box(n) + deeper(n + 1)
    }
    match told("misuse::a_stack_that_is_too_small") {
        None => drop(seen(|| assert_eq!(deeper(0), 0))),
        Some(said) => assert!(said.contains("overflowed its stack"), "{said}"),
    }
}

#[test]
fn a_wait_for_something_else() {
    let (tell, told) = std::sync::mpsc::channel();
    let guard = Guard {
        patience: Duration::from_millis(100),
        tell: Box::new(move |text| drop(tell.send(text))),
        ..Guard::default()
    };
    let said = std::rc::Rc::new(std::cell::OnceCell::new());
    let heard = std::rc::Rc::clone(&said);
    let body = move || {
        drop(commute::sync::Mutex::new(()).lock());
        // The wait lasts until the watchdog has noticed it.
        let _ = heard.set(told.recv_timeout(NOTICED).expect("it was noticed"));
    };
    run_once(&mut Test::guarded(body, guard));
    let said = said.get().expect("it was noticed");
    assert!(said.contains("the test has done no operation"), "{said}");
    assert!(said.contains("misuse.rs"), "{said}");
    assert!(said.contains("in `"), "{said}");
}

#[test]
#[cfg(target_os = "linux")]
fn more_memory_than_is_allowed() {
    let guard = Guard {
        memory: Some(1 << 20),
        ..Guard::default()
    };
    let body = || {
        let mutex = commute::sync::Mutex::new(());
        // The execution ends at the first operation after the watchdog has looked.
        let since = Instant::now();
        while since.elapsed() < NOTICED {
            std::thread::sleep(Duration::from_millis(50));
            drop(mutex.lock());
        }
    };
    let said = run_once(&mut Test::guarded(body, guard));
    let said = said.expect("it was noticed");
    assert!(said.contains("more memory than is allowed"), "{said}");
}

/// Why a test cannot be gone on with.
fn run_once(test: &mut Test) -> Option<String> {
    let mut subject = Subject::new(test, Limits::default());
    let run = subject.run(&mut |moment| Some(moment.straight_on()));
    match run.ending {
        Ending::Trouble(trouble) => Some(format!("{trouble:?}")),
        _ => None,
    }
}
