//! `commute test` on a project that uses tokio and futures: what the exploration does not
//! see makes a test inconclusive, and is named.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use serde_json::Value;

const MANIFEST: &str = r#"[package]
name = "user"
version = "0.1.0"
edition = "2024"

[dependencies]
commute = { path = "COMMUTE", features = ["dashmap"] }
tokio = { version = "1", features = ["full"] }

[dev-dependencies]
futures = "0.3"

[lints.rust]
unexpected_cfgs = "allow"

[workspace]
"#;

/// Makes the project anew.
fn project() -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("asynchronous");
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["src", "tests"] {
        let to = root.join(folder);
        let _ = fs::remove_dir_all(&to);
        fs::create_dir_all(&to).expect("a folder can be made");
        let from = here.join("tests/asynchronous/user").join(folder);
        for file in fs::read_dir(from).expect("a folder") {
            let file = file.expect("a file");
            fs::copy(file.path(), to.join(file.file_name())).expect("it can be copied");
        }
    }
    let library = here.join("../commute");
    let manifest = MANIFEST.replace("COMMUTE", library.to_str().expect("a path in UTF-8"));
    fs::write(root.join("Cargo.toml"), manifest).expect("a manifest");
    // With what this workspace has, so that nothing has to be fetched.
    fs::copy(here.join("../../Cargo.lock"), root.join("Cargo.lock")).expect("a lock file");
    root
}

struct Explored {
    root: PathBuf,
    lines: Vec<Value>,
}

/// All tests of the project, explored once for all tests here.
static EXPLORED: LazyLock<Explored> = LazyLock::new(|| explore(project()));

/// Explores the tests of a project.
fn explore(root: PathBuf) -> Explored {
    let mut command = Command::new(env!("CARGO_BIN_EXE_commute"));
    command.args(["test", "--message-format", "json"]);
    for (variable, _) in std::env::vars_os() {
        let name = variable.to_string_lossy();
        let is_ours =
            name.starts_with("CARGO_") || name.contains("RUST") || name.starts_with("COMMUTE");
        if is_ours && name != "CARGO_HOME" && !name.starts_with("RUSTUP") {
            command.env_remove(&variable);
        }
    }
    let output = command.current_dir(&root).output().expect("commute runs");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let printed = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<Value> = { printed.lines() }
        .map(|line| serde_json::from_str(line).expect(line))
        .collect();
    assert!(lines.len() > 1, "{errors}");
    Explored { root, lines }
}

/// The line of each test.
fn tests(explored: &Explored) -> BTreeMap<&str, &Value> {
    let lines = explored.lines.iter();
    let tests = lines.filter(|line| line["reason"] == "test");
    tests
        .map(|line| (line["name"].as_str().expect("a name"), line))
        .collect()
}

/// The verdict of each test, its cause if it is of a known kind, and a part of the reason.
#[track_caller]
fn check(expected: &[(&str, &str, &str, &str)]) {
    let tests = tests(&EXPLORED);
    for (name, verdict, cause, reason) in expected {
        let line = tests.get(name).unwrap_or_else(|| panic!("no test {name}"));
        assert_eq!(line["verdict"], *verdict, "{line:#}");
        if !cause.is_empty() {
            assert_eq!(line["causes"][0], *cause, "{line:#}");
        }
        let said = line["reasons"][0].as_str().unwrap_or_default();
        assert!(said.contains(reason), "{name}: {reason} in {said}");
    }
}

/// The line of `tests/FILE` that has this in it.
fn at(file: &str, part: &str) -> String {
    let text = fs::read_to_string(EXPLORED.root.join("tests").join(file)).expect("a file");
    let line = text.lines().position(|line| line.contains(part));
    format!(" at tests/{file}:{}", line.expect(part) + 1)
}

/// The tests as a new user writes them. Those that pass with tokio's objects would be wrong
/// to: in another order they fail.
#[test]
fn tests_that_depend_on_tokio_never_pass() {
    let runtime = "no reactor running";
    let notified = format!("`notify::Notified`{}", at("a.rs", "n.notified().await"));
    let reactor = at(
        "a.rs",
        "tokio::spawn({ let s = s.clone(); async move { s.open(1).await } });",
    );
    let select = format!(
        "at random which branch it looks at first{}",
        at("a.rs", "= tokio::select!")
    );
    let executor = format!("`Runtime::block_on`{}", at("a.rs", "rt.block_on(async {"));
    check(&[
        ("t1_tokio_spawn", "inconclusive", "no-runtime", &reactor),
        ("t3_tokio_mutex_lost_update", "failed", "", ""),
        (
            "t4_notify_lost",
            "inconclusive",
            "foreign-future",
            &notified,
        ),
        (
            "t5_mpsc_order",
            "inconclusive",
            "foreign-object",
            "`Sender::send`",
        ),
        ("t6_select", "inconclusive", "random-choice", &select),
        ("t7_timeout", "inconclusive", "no-runtime", runtime),
        (
            "t8_semaphore_deadlock",
            "inconclusive",
            "foreign-object",
            "`Semaphore::acquire`",
        ),
        (
            "t9_own_runtime",
            "inconclusive",
            "foreign-executor",
            &executor,
        ),
        ("t10_multi_thread_runtime", "inconclusive", "", ""),
        (
            "t12_cancel_safety",
            "inconclusive",
            "random-choice",
            "src/lib.rs",
        ),
    ]);
}

/// Where functions of tokio may have been inlined, nothing shows that a test uses none of
/// its objects.
#[test]
fn nothing_passes_where_tokio_is_optimised() {
    let root = &EXPLORED.root;
    let manifest = root.join("Cargo.toml");
    let text = fs::read_to_string(&manifest).expect("a manifest");
    let profile = "[profile.dev.package.tokio]\nopt-level = 1\n";
    fs::write(&manifest, text + profile).expect("a manifest");
    let explored = explore(root.clone());
    let tests = tests(&explored);
    assert!(tests.len() > 20);
    for (name, line) in &tests {
        assert_ne!(line["verdict"], "passed", "{name}");
    }
    let deadlock = tests["t8_semaphore_deadlock"];
    assert_eq!(deadlock["verdict"], "inconclusive", "{deadlock:#}");
    // It uses nothing of tokio, but that cannot be known.
    let joined = tests["tasks_that_are_joined"];
    assert_eq!(joined["causes"][0], "unwatched-library", "{joined:#}");
    let said = joined["reasons"][0].as_str().expect("a reason");
    assert!(said.contains("`tokio`"), "{said}");
}

/// Functions of `#[tokio::test]` are counted, and no part of the verdict.
#[test]
fn tests_of_tokio_are_counted() {
    let summary = EXPLORED.lines.last().expect("a summary");
    assert_eq!(summary["unexplored_tests"], 1, "{summary:#}");
}

/// What hides behind combinators, wakers that are kept, and objects that are always ready.
#[test]
fn futures_of_other_crates_are_named() {
    check(&[
        // In which order a set polls those that were woken is not seen.
        ("tasks_in_a_set", "inconclusive", "foreign-future", ""),
        (
            "a_task_that_is_shared",
            "inconclusive",
            "foreign-future",
            "",
        ),
        (
            "a_channel_of_futures",
            "inconclusive",
            "foreign-future",
            "Receiver",
        ),
        (
            "a_lock_that_is_free",
            "inconclusive",
            "foreign-object",
            "Mutex::lock",
        ),
        (
            "a_lock_that_is_tried",
            "inconclusive",
            "foreign-object",
            "Mutex::try_lock",
        ),
        (
            "a_waker_that_is_kept_outside",
            "inconclusive",
            "foreign-future",
            "tests/more.rs",
        ),
        ("a_channel_among_tasks", "inconclusive", "", ""),
        (
            "a_channel_in_a_select",
            "inconclusive",
            "foreign-future",
            "oneshot::Receiver",
        ),
        (
            "an_atomic_waker",
            "inconclusive",
            "foreign-future",
            "AtomicWaker::register",
        ),
        (
            "a_local_pool",
            "inconclusive",
            "foreign-executor",
            "block_on",
        ),
    ]);
}

/// Combinators that hand on the waker, over tasks of ours, and futures whose state is in objects of ours.
#[test]
fn what_is_explored_passes_and_fails() {
    check(&[
        ("tasks_that_are_joined", "passed", "", ""),
        ("tasks_that_are_selected", "passed", "", ""),
        ("a_future_of_the_test", "passed", "", ""),
        ("a_task_that_yields", "passed", "", ""),
        ("tasks_lose_an_update", "failed", "", ""),
    ]);
}
