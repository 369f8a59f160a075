//! Tests that do what no test should: what is said then. Each is run in a process of its
//! own, because it does not end well.

use std::process::Command;

use crate::seen::seen;

/// Whether this process is one of those; else it is run, and what it said comes back.
fn told(test: &str) -> Option<String> {
    if std::env::var_os("EXPLORE_MISUSE").is_some() {
        return None;
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]);
    command
        .env("EXPLORE_MISUSE", "1")
        .env("COMMUTE_PATIENCE", "100");
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
    match told("misuse::a_wait_for_something_else") {
        None => drop(seen(|| {
            drop(commute::sync::Mutex::new(()).lock());
            std::thread::sleep(std::time::Duration::from_millis(700));
        })),
        Some(said) => {
            assert!(said.contains("the test has done no operation"), "{said}");
            assert!(said.contains("misuse.rs"), "{said}");
        }
    }
}
