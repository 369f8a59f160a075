//! Resources that `commute check` uses: file descriptors and memory do not grow with
//! the number of traces.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs the program in a folder under limits that the shell sets.
fn limited(limits: &str, args: &[&str], folder: &Path) -> Output {
    Command::new("sh")
        .args(["-c", &format!("{limits} && exec \"$0\" \"$@\"")])
        .arg(env!("CARGO_BIN_EXE_commute"))
        .args(args)
        .arg("--no-store")
        .current_dir(folder)
        .output()
        .expect("the shell runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const RACE: &str = "T0|fork(T1)|a:1\nT0|w(x)|a:2\nT1|w(x)|a:3\n";

#[test]
fn more_traces_than_descriptors() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("short.std"), RACE).expect("written");
    // Long enough to be read by a thread of its own.
    let long = "# 456789012345\n".repeat(20_000) + RACE;
    fs::write(folder.path().join("long.std"), long).expect("written");
    let mut args = vec!["check", "--only", "data-races"];
    args.extend(["short.std"; 200]);
    args.extend(["long.std"; 70]);
    let output = limited("ulimit -n 64", &args, folder.path());
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(out.contains("270 findings"), "{out} {err}");
}

/// Returns the memory of a process that has checked so many traces and still reads
/// the last one, in bytes.
fn memory_after(traces: usize, folder: &Path) -> u64 {
    let mut child = Command::new(env!("CARGO_BIN_EXE_commute"))
        .args(["check", "--no-store", "-q"])
        .args(vec!["short.std"; traces])
        .arg("-")
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("it starts");
    // A pipe holds less than this: what is written has been read, and the traces before
    // are done with.
    let mut stdin = child.stdin.take().expect("a pipe");
    let comments = "# 456789012345\n".repeat(40_000);
    stdin.write_all(comments.as_bytes()).expect("it reads");
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).expect("it runs");
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().nth(1));
    stdin.write_all(RACE.as_bytes()).expect("it reads");
    drop(stdin);
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
    kibibytes
        .expect("a number")
        .parse::<u64>()
        .expect("a number")
        << 10
}

#[test]
fn memory_does_not_grow_with_the_number_of_traces() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("short.std"), RACE).expect("written");
    let few = memory_after(20, folder.path());
    let many = memory_after(400, folder.path());
    assert!(
        many < 2 * few,
        "{few} bytes after 20 traces, {many} after 400"
    );
}

#[test]
fn reading_stops_at_the_memory_limit() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut long = RACE.to_owned();
    for number in 0..60_000 {
        long += &format!("T0|w(v{number}x)|b:{number}\n");
    }
    fs::write(folder.path().join("long.std"), &long).expect("written");
    let check = |args: &[&str]| {
        let output = limited(
            "true",
            &[&["check", "long.std"], args].concat(),
            folder.path(),
        );
        (
            output.status.code(),
            text(&output.stdout),
            text(&output.stderr),
        )
    };
    let json = ["--message-format", "json", "--max-memory"];
    let (code, out, err) = check(&[&json[..], &["1M"]].concat());
    // Findings of the events that were read count.
    assert_eq!(code, Some(1), "{out} {err}");
    assert!(out.contains("\"CM102\""), "{out}");
    let only = ["--only", "races", "--max-memory"];
    let (code, out, err) = check(&[&only[..], &["1M"]].concat());
    assert_eq!(code, Some(3), "{out} {err}");
    assert!(
        out.contains("reading stopped after") && out.contains("--max-memory"),
        "{out}"
    );
    let (code, out, _) = check(&[&only[..], &["64G"]].concat());
    assert_eq!(code, Some(0), "{out}");
    let (code, _, err) = check(&[&only[..], &["much"]].concat());
    assert_eq!(code, Some(2), "{err}");
}
