//! Programs that are recorded, and what is in their traces. A process is recorded
//! as a whole, so every program is this test again, started with its name.

#![expect(
    clippy::print_stdout,
    reason = "a test without a harness says what it tests"
)]

mod endings;
mod notices;
mod programs;
mod rows;

use std::panic::Location;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use commute_model::{Event, Names, Op, Value};
use commute_trace::{Options, TraceReader};

/// Where the caller is.
#[track_caller]
fn here() -> &'static Location<'static> {
    Location::caller()
}

fn main() {
    if let Ok(program) = std::env::var("RECORDED_PROGRAM") {
        return programs::run(&program);
    }
    let tests: &[(&str, fn())] = &[
        ("every_event_is_there_in_an_order_that_can_be", every_event),
        ("rows_of_actions_are_all_there", rows::rows),
        ("names", names),
        ("a_killed_process_loses_little", killed),
        ("an_aborted_process_loses_little", aborted),
        ("exit_writes_everything", exited),
        ("a_panic_writes_everything", panicked),
        ("a_full_disk_ends_the_trace_and_not_the_program", full_disk),
        ("a_disk_may_be_full_after_a_while", endings::limited),
        (
            "exit_does_not_wait_for_others",
            endings::exit_while_others_are_busy,
        ),
        ("an_end_without_exit_loses_little", endings::exit_at_once),
        ("signals_are_for_the_program", endings::signalled),
        ("what_is_not_recorded_is_counted", interrupted),
        ("a_forked_child_is_not_recorded", forked),
        (
            "a_forked_child_does_not_keep_the_file",
            endings::a_child_has_no_file,
        ),
        (
            "a_forked_child_does_not_keep_the_connection",
            endings::a_child_has_no_connection,
        ),
        (
            "a_program_without_a_connection_says_so",
            notices::not_connected,
        ),
        ("a_forked_child_that_goes_on_says_so", notices::forked),
        (
            "a_forked_child_that_does_nothing_is_silent",
            notices::forked_and_idle,
        ),
        ("a_notice_goes_to_the_pipe_or_nowhere", notices::elsewhere),
        ("a_pipe_without_a_reader_ends_no_program", notices::unread),
        ("a_file_in_use_is_left_alone", in_use),
        ("without_a_place_nothing_is_recorded", off),
        ("objects_that_come_and_go_reuse_names", come_and_go),
        ("values_of_thread_locals_are_recorded", late),
        ("threads_that_end_share_one_buffer", endings::late_together),
    ];
    let filter = std::env::args().nth(1).filter(|arg| !arg.starts_with('-'));
    let mut failed = false;
    for (name, test) in tests {
        if filter
            .as_ref()
            .is_some_and(|filter| !name.contains(filter.as_str()))
        {
            continue;
        }
        let result = std::panic::catch_unwind(test);
        println!(
            "test {name} ... {}",
            if result.is_ok() { "ok" } else { "FAILED" }
        );
        failed |= result.is_err();
    }
    std::process::exit(i32::from(failed));
}

/// A program that ran.
struct Ran {
    status: ExitStatus,
    stderr: String,
    trace: PathBuf,
    _directory: tempfile::TempDir,
}

fn command(program: &str, trace: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .env("RECORDED_PROGRAM", program)
        .env("COMMUTE_TRACE", trace)
        .env_remove("COMMUTE_SOCKET");
    command
}

fn record(program: &str) -> Ran {
    let directory = tempfile::tempdir().unwrap();
    let trace = directory.path().join("t.ctr");
    let output = command(program, &trace).output().unwrap();
    Ran {
        status: output.status,
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        trace,
        _directory: directory,
    }
}

/// The events of a trace, its names, and whether it ends as it should.
fn read(trace: &Path) -> (Vec<Event>, Names, bool) {
    let file = std::fs::File::open(trace).unwrap();
    let mut reader = TraceReader::from_reader(file, Options::default()).unwrap();
    let mut all = Vec::new();
    let mut batch = Vec::new();
    let whole = loop {
        match reader.read_batch(&mut batch) {
            Ok(more) => {
                all.append(&mut batch);
                if more == 0 {
                    break true;
                }
            }
            Err(_) => {
                all.append(&mut batch);
                break false;
            }
        }
    };
    (all, reader.names().clone(), whole)
}

/// The counter returns 0, 1, 2 … in the order of the trace, and locks are held by
/// one thread at a time; how many actions there are.
fn check_order(events: &[Event], names: &Names) -> i128 {
    let mut counter = 0;
    let mut held = std::collections::BTreeMap::new();
    let mut forked = std::collections::BTreeSet::new();
    let mut seen = std::collections::BTreeSet::new();
    for event in events {
        if seen.insert(event.thread) && names.threads.name(event.thread).to_string() != "main" {
            assert!(forked.contains(&event.thread), "runs before it is forked");
        }
        match &event.op {
            Op::Fork(u) => assert!(forked.insert(*u)),
            Op::Acquire(l) => assert_eq!(held.insert(*l, event.thread), None),
            Op::Release(l) => assert_eq!(held.remove(l), Some(event.thread)),
            Op::Action(action) => {
                assert_eq!(action.result, Some(Value::Int(counter)));
                counter += 1;
            }
            _ => {}
        }
    }
    counter
}

/// The collector writes events after 100 ms at the latest; if they are not there by then,
/// they never will be.
const WRITTEN: Duration = Duration::from_secs(120);

/// Waits until a trace that is being written has so many operations of the counter.
fn wait_until_written(trace: &Path, operations: i128) {
    let directory = tempfile::tempdir().unwrap();
    let copy = directory.path().join("so_far.ctr");
    let since = Instant::now();
    loop {
        // Read from a copy, which does not grow meanwhile. A trace that is too short to be
        // one is not read at all.
        let is_there = std::fs::copy(trace, &copy).is_ok_and(|bytes| bytes > 64);
        let (events, names, _) = if is_there {
            read(&copy)
        } else {
            (Vec::new(), Names::default(), false)
        };
        let written = check_order(&events, &names);
        if written >= operations {
            return;
        }
        assert!(since.elapsed() < WRITTEN, "{written} of {operations}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn every_event() {
    let ran = record("counter");
    assert!(ran.status.success(), "{}", ran.stderr);
    assert_eq!(ran.stderr, "");
    let (events, names, whole) = read(&ran.trace);
    assert!(whole);
    let (threads, rounds) = (programs::THREADS, programs::ROUNDS);
    assert_eq!(
        check_order(&events, &names),
        threads as i128 * rounds as i128
    );
    // Each round locks, acts and unlocks; new and drop; fork and join.
    assert_eq!(events.len(), threads * (3 * rounds + 2) + 2);
}

fn names() {
    let ran = record("names");
    let (events, names, whole) = read(&ran.trace);
    assert!(whole, "{}", ran.stderr);
    let text: Vec<String> = events
        .iter()
        .map(|event| {
            let location = names.locations.name(event.location).to_string();
            let file = location.split(':').next().unwrap_or_default().to_owned();
            assert!(
                file.is_empty() || file.ends_with("tests/programs/mod.rs"),
                "{file}"
            );
            format!(
                "{}|{}",
                names.threads.name(event.thread),
                event.op.display(&names)
            )
        })
        .collect();
    let object = text[0].strip_prefix("main|new(").unwrap();
    let (object, _) = object.split_once(":map)").unwrap();
    assert!(object.starts_with("dashmap@"), "{object}");
    let expected = [
        format!("main|new({object}:map)"),
        format!("main|{object}.insert('a',1)/nil"),
        format!("main|{object}.insert((1,'b'),opaque)/(2,true)"),
        "main|new(conns:map)".into(),
        "main|conns.get(18446744073709551615)".into(),
        "main|begin(transfer)".into(),
        "main|acq(m_1)".into(),
        "main|wait(ready,m_1)".into(),
        "main|notify(ready)".into(),
        "main|notify_all(ready)".into(),
        "main|wake(ready,m_1)".into(),
        "main|rel(m_1)".into(),
        "main|end(transfer)".into(),
        "main|racq(m_1)".into(),
        "main|rrel(m_1)".into(),
        "main|fork(worker)".into(),
        "main|join(worker)".into(),
        "main|drop(conns)".into(),
        format!("main|drop({object})"),
    ];
    let mut text = text;
    for line in &mut text {
        if line.contains("insert((1,") {
            // However an opaque value is written.
            *line = expected[2].clone();
        }
    }
    assert_eq!(text, expected);
}

fn killed() {
    let directory = tempfile::tempdir().unwrap();
    let trace = directory.path().join("t.ctr");
    let mut child = command("endless", &trace)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // The program writes a line when it has used the counter so often.
    let mut line = String::new();
    std::io::BufRead::read_line(
        &mut std::io::BufReader::new(child.stdout.take().unwrap()),
        &mut line,
    )
    .unwrap();
    let sure: i128 = line.trim().parse().unwrap();
    // All of it is written while the program goes on.
    wait_until_written(&trace, sure);
    child.kill().unwrap();
    child.wait().unwrap();
    let (events, names, whole) = read(&trace);
    assert!(!whole);
    let counted = check_order(&events, &names);
    assert!(counted >= sure, "{counted} of {sure}");
}

fn aborted() {
    let ran = record("abort");
    assert!(!ran.status.success());
    let (events, names, whole) = read(&ran.trace);
    assert!(!whole);
    assert!(check_order(&events, &names) >= 100);
}

fn exited() {
    let ran = record("exit");
    assert_eq!(ran.status.code(), Some(7));
    let (events, names, whole) = read(&ran.trace);
    assert!(whole);
    assert_eq!(check_order(&events, &names), 100);
}

fn panicked() {
    let ran = record("panic");
    assert_eq!(ran.status.code(), Some(101));
    let (events, names, whole) = read(&ran.trace);
    assert!(whole);
    assert_eq!(check_order(&events, &names), 100);
}

fn full_disk() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let output = command("counter", Path::new("/dev/full")).output().unwrap();
    assert!(output.status.success());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("commute: not recorded: "), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
}

fn interrupted() {
    let ran = record("interrupted");
    assert!(ran.status.success(), "{}", ran.stderr);
    let reader = TraceReader::open(&ran.trace, Options::default());
    let (mut reader, mut batch, mut results) = (reader.unwrap(), Vec::new(), Vec::new());
    while reader.read_batch(&mut batch).unwrap() > 0 {
        results.extend(batch.iter().filter_map(|event| match &event.op {
            Op::Action(action) => action.result.clone(),
            _ => None,
        }));
    }
    let expected = (0..programs::interrupted::RECORDED).map(Value::Int);
    assert_eq!(results, expected.collect::<Vec<_>>());
    assert_eq!(reader.notes().missed, programs::interrupted::MISSED);
}

fn forked() {
    let ran = record("fork");
    assert!(ran.status.success(), "{}", ran.stderr);
    let (events, names, whole) = read(&ran.trace);
    assert!(whole);
    assert_eq!(check_order(&events, &names), 200);
}

fn in_use() {
    let ran = record("same_file");
    assert!(ran.status.success(), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("another program is writing it"),
        "{}",
        ran.stderr
    );
    let (events, names, whole) = read(&ran.trace);
    assert!(whole);
    assert_eq!(check_order(&events, &names), 100);
}

fn off() {
    let output = command("counter", Path::new("")).output().unwrap();
    assert!(output.status.success());
    assert!(output.stderr.is_empty());
}

fn come_and_go() {
    let ran = record("come_and_go");
    let (_, names, whole) = read(&ran.trace);
    assert!(whole, "{}", ran.stderr);
    // At most two live at a time; the collector may be late to know.
    assert!(names.objects.len() < 5000, "{}", names.objects.len());
}

fn late() {
    let ran = record("thread_local");
    assert!(ran.status.success(), "{}", ran.stderr);
    let (events, names, whole) = read(&ran.trace);
    assert!(whole);
    assert_eq!(check_order(&events, &names), 4);
    // The thread's last action comes before its join.
    let join = events
        .iter()
        .position(|event| matches!(event.op, Op::Join(_)));
    let last = events.iter().rposition(|event| {
        matches!(event.op, Op::Action(_)) && names.threads.name(event.thread).to_string() != "main"
    });
    assert!(last < join, "{last:?} {join:?}");
}
