//! Memory over time: a program whose objects come and go, recorded or checked for as
//! many seconds as the argument says (600). Memory should depend on what lives, not on
//! how long it has run.
//!
//! ```text
//! export RUSTFLAGS="--cfg commute"
//! commute run --only races --output /dev/null -- cargo bench -p commute --features dashmap --bench soak
//! ```

#![allow(clippy::print_stdout, missing_docs)]

use std::time::{Duration, Instant};

use commute::dashmap::DashMap;
use commute::sync::atomic::{AtomicBool, Ordering::SeqCst};
use commute::sync::{Arc, Mutex};
use commute::thread;

fn main() {
    let seconds = std::env::args().find_map(|word| word.parse().ok());
    let end = Duration::from_secs(seconds.unwrap_or(600));
    let store: Arc<DashMap<u64, u64>> = Arc::new(DashMap::new());
    let stop = Arc::new(AtomicBool::new(false));
    let threads: Vec<_> = (0..4u64)
        .map(|thread| {
            let (store, stop) = (Arc::clone(&store), Arc::clone(&stop));
            thread::spawn(move || {
                let mut round = thread;
                while !stop.load(SeqCst) {
                    burst(&store, &mut round);
                    thread::sleep(Duration::from_millis(5));
                }
                round
            })
        })
        .collect();
    let start = Instant::now();
    println!("   seconds   program MB   checker MB");
    while start.elapsed() < end {
        std::thread::sleep(end / 20);
        let (mine, parents) = (resident("self"), checker());
        println!(
            "{:>10.0} {mine:>12.1} {parents:>12.1}",
            start.elapsed().as_secs_f64()
        );
    }
    stop.store(true, SeqCst);
    let rounds: u64 = threads
        .into_iter()
        .map(|t| t.join().expect("no panic"))
        .sum();
    println!("{rounds} rounds");
}

/// Objects that live for a moment, and keys that come and go.
fn burst(store: &DashMap<u64, u64>, round: &mut u64) {
    let scratch: DashMap<u64, u64> = DashMap::with_shard_amount(2);
    let total = Mutex::new(0);
    for _ in 0..20 {
        *round += 7;
        store.insert(*round % 1000, *round);
        store.remove(&((*round + 500) % 1000));
        scratch.insert(*round, 1);
        *total.lock().expect("no panic") += scratch.len();
    }
}

/// Megabytes of memory of a process.
fn resident(process: &str) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) / 1024.0
}

/// Of the process that checks this one, if there is one: `commute`, above cargo.
fn checker() -> f64 {
    let mut process = String::from("self");
    for _ in 0..6 {
        let path = format!("/proc/{process}/status");
        let status = std::fs::read_to_string(path).unwrap_or_default();
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            line.map(|line| line.trim().to_owned())
        };
        if field("Name:").as_deref() == Some("commute") {
            return resident(&process);
        }
        match field("PPid:") {
            Some(parent) => process = parent,
            None => break,
        }
    }
    0.0
}
