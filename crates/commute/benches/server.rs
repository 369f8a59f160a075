//! A key–value server under load, as ratios to its speed when nothing is recorded:
//!
//! ```text
//! cargo build --release --bin commute
//! RUSTFLAGS="--cfg commute" cargo bench -p commute --features dashmap --bench server --target-dir target/commute
//! ```
//!
//! Clients send requests over channels; workers parse them, check a checksum of two
//! kilobytes, and get, put or delete. The bounds are the ones we promise: half the speed
//! when recorded, a third when checked for races while it runs. The checker is
//! `target/release/commute`, or what `COMMUTE` names.

#![allow(clippy::print_stdout, missing_docs)]

use std::process::Command;
use std::time::Instant;

use commute::dashmap::DashMap;
use commute::sync::mpsc::{Receiver, Sender, channel};
use commute::sync::{Arc, Mutex};
use commute::thread;

const CLIENTS: usize = 4;
const WORKERS: usize = 2;
const REQUESTS: usize = 50_000;

struct Request {
    text: String,
    body: Arc<[u8]>,
    reply: Sender<Option<u64>>,
}

fn main() {
    if std::env::var_os("SERVE").is_some() {
        let start = Instant::now();
        serve();
        let rate = (CLIENTS * REQUESTS) as f64 / start.elapsed().as_secs_f64();
        println!("{rate}");
        return;
    }
    let program = std::env::current_exe().expect("this program has a path");
    let trace = std::env::temp_dir().join(format!("commute-server-{}.ctr", std::process::id()));
    let commute = std::env::var("COMMUTE").unwrap_or_else(|_| "target/release/commute".into());
    let normal = best(|| Command::new(&program));
    println!("normal    {normal:>10.0} requests/s");
    let recorded = best(|| {
        let mut command = Command::new(&program);
        command.env("COMMUTE_TRACE", &trace);
        command
    });
    let row = |name: &str, rate: f64, least: f64| {
        let ratio = rate / normal;
        let verdict = if ratio < least { ": UNDER" } else { "" };
        println!("{name:<9} {rate:>10.0} requests/s {ratio:>6.2}  at least {least:.2}{verdict}");
    };
    row("recorded", recorded, 0.5);
    let _ = std::fs::remove_file(&trace);
    let checked = best(|| {
        let mut command = Command::new(&commute);
        command.args(["run", "--only", "races", "--output", "/dev/null", "--"]);
        command.arg(&program);
        command
    });
    row("checked", checked, 1.0 / 3.0);
}

/// The best of three runs.
fn best(command: impl Fn() -> Command) -> f64 {
    let run = |_| {
        let output = command()
            .env("SERVE", "1")
            .output()
            .expect("it can be started");
        let text = String::from_utf8_lossy(&output.stdout);
        let rate = text.lines().find_map(|line| line.parse().ok());
        rate.unwrap_or_else(|| panic!("no rate: {output:?}"))
    };
    (0..3).map(run).fold(0.0, f64::max)
}

fn serve() {
    let store: Arc<DashMap<u64, u64>> = Arc::new(DashMap::new());
    commute::name(&store, "store");
    let (sender, requests) = channel();
    let requests = Arc::new(Mutex::new(requests));
    thread::scope(|scope| {
        for _ in 0..WORKERS {
            let (store, requests) = (&store, &requests);
            scope.spawn(move || work(store, requests));
        }
        for client in 0..CLIENTS {
            let sender = sender.clone();
            scope.spawn(move || ask(client as u64, &sender));
        }
        drop(sender);
    });
}

fn ask(client: u64, server: &Sender<Request>) {
    let body: Arc<[u8]> = (0..2048).map(|i| (i * 7 + client as usize) as u8).collect();
    let (reply, replies) = channel();
    for i in 0..REQUESTS as u64 {
        let key = (i * 31 + client) % 1000;
        let text = match i % 4 {
            0 => format!("put {key} {i}"),
            3 if i % 8 == 7 => format!("del {key}"),
            _ => format!("get {key}"),
        };
        let request = Request {
            text,
            body: Arc::clone(&body),
            reply: reply.clone(),
        };
        server.send(request).expect("the server runs");
        // A few are under way at a time.
        if i >= 16 {
            replies.recv().expect("every request is answered");
        }
    }
}

fn work(store: &DashMap<u64, u64>, requests: &Mutex<Receiver<Request>>) {
    loop {
        let request = requests.lock().expect("no worker panics").recv();
        let Ok(request) = request else { return };
        let sum = { request.body.iter() }.fold(17u64, |sum, byte| {
            sum.wrapping_mul(31).wrapping_add(u64::from(*byte))
        });
        let mut words = request.text.split(' ');
        let command = words.next();
        let mut number = || words.next().and_then(|word| word.parse::<u64>().ok());
        let (key, value) = (number().unwrap_or(0), number());
        let answer = match (command, value) {
            (Some("put"), Some(value)) => store.insert(key, value ^ sum),
            (Some("del"), _) => store.remove(&key).map(|(_, value)| value),
            _ => store.get(&key).map(|value| *value),
        };
        // A client that has heard enough is gone.
        let _ = request.reply.send(answer);
    }
}
