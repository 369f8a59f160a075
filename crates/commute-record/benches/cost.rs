//! What recording costs, against an uncontended `std::sync::Mutex` pair measured
//! in the same run:
//!
//! ```text
//! cargo build --release --bin commute
//! cargo bench -p commute-record [-- NUMBER OF EVENTS OF EACH KIND | PART OF A NAME]
//! ```
//!
//! The trace goes to a file in memory where there is one, so that the disk does not
//! count. Then the same once more while a checker looks for races as the program runs:
//! `target/release/commute`, or what `COMMUTE` names. The bounds are the ones we promise:
//! 6 for integers and 20 for short strings, and checked 15 and 30.

#![allow(clippy::print_stdout)]

use std::cell::Cell;
use std::hint::black_box;
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::Instant;

use commute_record::{Kind, LockOp, Method, Order, Raw, Tag, action, is_on, lock};

static MAP: Kind = Kind::object("map", "map");
static LOCK: Kind = Kind::lock("mutex");
static INSERT: Method = Method::new("insert");

fn main() {
    let is_checked = std::env::var_os("COMMUTE_SOCKET").is_some();
    if std::env::var_os("COMMUTE_TRACE").is_none() && !is_checked {
        record();
        return check();
    }
    assert!(is_on());
    let pair = yardstick();
    println!("{:<44} {:>7.1} ns", "Mutex lock and unlock", pair);
    let row = |name: &str, ns: f64, bound: Option<f64>| {
        let ratio = ns / pair;
        let verdict = match bound {
            Some(bound) if ratio > bound => format!("at most {bound}: OVER"),
            Some(bound) => format!("at most {bound}"),
            None => String::new(),
        };
        println!("{name:<44} {ns:>7.1} ns {ratio:>6.1}x  {verdict}");
    };
    let rounds = std::env::args().find_map(|word| word.parse().ok());
    let rounds: u64 = rounds.unwrap_or(2_000_000);
    let here = Location::caller();
    let (numbers, hosts) = (Tag::new(&MAP), Tag::new(&MAP));
    let burst = |f: &dyn Fn(u64)| {
        // In bursts that fit into the buffers: what the recording thread pays. Then
        // without a pause: what the collector can take.
        let mut best = f64::MAX;
        for _ in 0..20 {
            let start = Instant::now();
            (0..10_000).for_each(f);
            best = best.min(start.elapsed().as_nanos() as f64 / 10_000.0);
            std::thread::sleep(std::time::Duration::from_millis(40));
        }
        let mut steady = f64::MAX;
        for _ in 0..5 {
            let start = Instant::now();
            (0..rounds).for_each(f);
            steady = steady.min(start.elapsed().as_nanos() as f64 / rounds as f64);
        }
        (best, steady)
    };
    // What a map with a thousand keys returns: the value of before.
    let values: Vec<Cell<Option<u64>>> = vec![Cell::new(None); 1000];
    let integers = |i: u64| {
        let before = match values[i as usize % 1000].replace(Some(i)) {
            Some(value) => Raw::Int(value.into()),
            None => Raw::Nil,
        };
        let args = [Raw::Int((i % 1000).into()), Raw::Int(i.into())];
        action(&numbers, &INSERT, Order::Alone, here, &args, &[before]);
    };
    let keys: Vec<String> = (0..1000).map(|i| format!("host{i}.com")).collect();
    let states: Vec<Cell<Option<&str>>> = vec![Cell::new(None); 1000];
    let strings = |i: u64| {
        let key = i as usize % 1000;
        let state = match i / 1000 % 2 {
            0 => "connected",
            _ => "closed",
        };
        let before = match states[key].replace(Some(state)) {
            Some(state) => Raw::Str(state),
            None => Raw::Nil,
        };
        let args = [Raw::Str(&keys[key]), Raw::Str(state)];
        action(&hosts, &INSERT, Order::Alone, here, &args, &[before]);
    };
    let tag = Tag::new(&LOCK);
    let locks = |_: u64| {
        lock(&tag, LockOp::Acquire, here);
        lock(&tag, LockOp::Release, here);
    };
    let [few, many] = match is_checked {
        false => [6.0, 20.0],
        true => [15.0, 30.0],
    };
    let part = std::env::args().skip(1).find(|word| {
        let is_number = word.parse::<u64>().is_ok();
        !is_number && !word.starts_with('-')
    });
    for (name, f, bound) in [
        ("insert(int, int)", &integers as &dyn Fn(u64), Some(few)),
        ("insert(string, string)", &strings, Some(many)),
        ("acquire and release (two events)", &locks, None),
    ] {
        if part.as_ref().is_some_and(|part| !name.contains(part)) {
            continue;
        }
        let (burst, steady) = burst(f);
        row(name, burst, bound);
        row(&format!("{name}, without a pause"), steady, bound);
    }
}

fn yardstick() -> f64 {
    let mutex = Mutex::new(0u64);
    let mut best = f64::MAX;
    for _ in 0..20 {
        let start = Instant::now();
        for i in 0..100_000 {
            *black_box(&mutex).lock().unwrap() += i;
        }
        best = best.min(start.elapsed().as_nanos() as f64 / 100_000.0);
    }
    best
}

/// Starts this program so that it is recorded.
fn record() {
    let memory = Path::new("/dev/shm");
    let directory = match memory.is_dir() {
        true => memory.to_owned(),
        false => std::env::temp_dir(),
    };
    let trace = directory.join(format!("commute-bench-{}.ctr", std::process::id()));
    println!("recorded");
    let status = Command::new(this())
        .args(std::env::args().skip(1))
        .env("COMMUTE_TRACE", &trace)
        .status();
    let _ = std::fs::remove_file(&trace);
    assert!(status.expect("it can be started again").success());
}

/// Starts this program so that it is checked.
fn check() {
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/release/commute");
    let commute = std::env::var_os("COMMUTE").map_or(built, PathBuf::from);
    if !commute.exists() {
        println!("\nnot checked: {} is not there", commute.display());
        return;
    }
    println!("\nchecked for races while it runs");
    let status = Command::new(commute)
        .args(["run", "--only", "races", "--output", "/dev/null", "--"])
        .arg(this())
        .args(std::env::args().skip(1))
        .status();
    assert!(status.expect("it can be started").success());
}

fn this() -> PathBuf {
    std::env::current_exe().expect("this program has a path")
}
