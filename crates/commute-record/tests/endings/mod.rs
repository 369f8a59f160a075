//! What is left of programs that end in unusual ways.

use std::collections::BTreeMap;
use std::io::Read;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use commute_model::{Op, Value};
use commute_trace::{Options, TraceReader};

use crate::programs::endings::{BEFORE, LATE};
use crate::{check_order, command, read, record};

pub(crate) fn exit_while_others_are_busy() {
    for _ in 0..5 {
        let started = Instant::now();
        let ran = record("exit_busy");
        // Also if they write as fast as the collector reads, as under ThreadSanitizer. It
        // takes a tenth of a second; waiting for the others would take for ever.
        assert!(started.elapsed() < Duration::from_secs(120));
        assert_eq!(ran.status.code(), Some(7), "{}", ran.stderr);
        let (events, names, whole) = read(&ran.trace);
        assert!(whole, "{}", ran.stderr);
        assert!(check_order(&events, &names) > 100);
    }
}

pub(crate) fn exit_at_once() {
    let ran = record("exit_at_once");
    assert_eq!(ran.status.code(), Some(7), "{}", ran.stderr);
    let (events, names, whole) = read(&ran.trace);
    assert!(!whole);
    assert_eq!(check_order(&events, &names), BEFORE as i128);
}

/// As on a disk that is full after a while. The program is not killed for it, either.
pub(crate) fn limited() {
    let ran = record("limited");
    assert!(ran.status.success(), "{} {}", ran.status, ran.stderr);
    assert!(
        ran.stderr.contains("commute: the trace ends here: "),
        "{}",
        ran.stderr
    );
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    let (events, names, whole) = read(&ran.trace);
    assert!(!whole);
    assert!(check_order(&events, &names) > 0);
}

/// Starts the program that leaves a child behind, and returns when it has ended.
fn leave_a_child(variable: &str, place: &Path, go: &Path) {
    let mut command = command("leave_a_child", Path::new(""));
    command.env(variable, place).env("GO", go);
    let command = command.stdout(Stdio::null()).stderr(Stdio::null());
    assert!(command.status().unwrap().success());
}

/// A child that lives on has not got the file.
pub(crate) fn a_child_has_no_file() {
    let directory = tempfile::tempdir().unwrap();
    let (trace, go) = (directory.path().join("t.ctr"), directory.path().join("go"));
    leave_a_child("COMMUTE_TRACE", &trace, &go);
    let (events, names, whole) = read(&trace);
    assert!(whole);
    assert_eq!(check_order(&events, &names), BEFORE as i128);
    // The child closes the file when it first runs, which may be after its parent has ended.
    let started = Instant::now();
    while !go.with_extension("ready").exists() {
        assert!(started.elapsed() < Duration::from_secs(120));
        std::thread::sleep(Duration::from_millis(10));
    }
    // Another program may have it now.
    let output = command("exit", &trace).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    std::fs::write(go, "").unwrap();
}

/// Nor the connection: whoever checks the program sees that it has ended.
pub(crate) fn a_child_has_no_connection() {
    let directory = tempfile::tempdir().unwrap();
    let (socket, go) = (directory.path().join("s"), directory.path().join("go"));
    let listener = UnixListener::bind(&socket).unwrap();
    let checker = std::thread::spawn(move || {
        let mut stream = listener.accept().unwrap().0;
        // Far longer than the program takes, and less than its child.
        let long = Duration::from_secs(120);
        stream.set_read_timeout(Some(long)).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).map(|_| bytes)
    });
    leave_a_child("COMMUTE_SOCKET", &socket, &go);
    let bytes = checker.join().unwrap().expect("it ends");
    std::fs::write(go, "").unwrap();
    let header = bytes.iter().position(|&byte| byte == b'\n').unwrap();
    let trace = std::io::Cursor::new(bytes[header + 1..].to_vec());
    let mut reader = TraceReader::from_reader(trace, Options::default()).unwrap();
    let mut batch = Vec::new();
    while reader.read_batch(&mut batch).unwrap() > 0 {}
    // Each time a lock, an action, an unlock; new and drop.
    assert_eq!(reader.events_read(), 3 * BEFORE as u64 + 2);
}

pub(crate) fn signalled() {
    let ran = record("signalled");
    assert!(ran.status.success(), "{}", ran.stderr);
    let (events, names, whole) = read(&ran.trace);
    assert!(whole);
    assert_eq!(check_order(&events, &names), BEFORE as i128 + 20);
}

/// Each counter returns 0, 1, 2 … whoever had the buffer in between.
pub(crate) fn late_together() {
    let ran = record("late_together");
    assert!(ran.status.success(), "{}", ran.stderr);
    let (events, names, whole) = read(&ran.trace);
    assert!(whole);
    let (mut counters, mut actions) = (BTreeMap::new(), 0);
    for event in &events {
        match &event.op {
            // The name may be that of one that is gone.
            Op::New(object, _) => {
                counters.insert(*object, 0);
            }
            Op::Action(action) => {
                let thread = names.threads.name(event.thread).to_string();
                assert_eq!(thread, "ending threads");
                let count = counters.get_mut(&action.object).expect("it is new");
                assert_eq!(action.result, Some(Value::Int(*count)));
                *count += 1;
                actions += 1;
            }
            _ => {}
        }
    }
    assert_eq!(actions, LATE.0 * LATE.1);
}
