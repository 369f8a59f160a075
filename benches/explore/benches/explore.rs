//! How fast tests are explored, next to loom and shuttle on the same programs. Ratios are
//! of one run on one machine; loom and shuttle are cut off after many executions, and what
//! is printed of them is then a lower bound.

use std::time::{Duration, Instant};

/// So many executions are enough to tell how long a peer takes at least.
const LOOM: usize = 40_000;
const SHUTTLE: usize = 400_000;

mod in_loom {
    use std::collections::{BTreeMap, BTreeSet};

    use loom::sync::{Arc, Mutex};
    use loom::thread;

    include!("programs.rs");
}

mod in_shuttle {
    use std::collections::{BTreeMap, BTreeSet};

    use shuttle::sync::{Arc, Mutex};
    use shuttle::thread;

    include!("programs.rs");
}

/// A workload, for so many threads.
type Program = fn(i64);

/// Name, and the program for each of them.
const PEERS: &[(&str, Program, Program)] = &[
    ("counter", in_loom::counter, in_shuttle::counter),
    ("set_add", in_loom::set_add, in_shuttle::set_add),
    (
        "set_add_size",
        in_loom::set_add_size,
        in_shuttle::set_add_size,
    ),
    ("ht_put", in_loom::ht_put, in_shuttle::ht_put),
    ("ht_mixed", in_loom::ht_mixed, in_shuttle::ht_mixed),
    ("set_seek", in_loom::set_seek, in_shuttle::set_seek),
    ("uf_find", in_loom::uf_find, in_shuttle::uf_find),
    ("uf_mixed", in_loom::uf_mixed, in_shuttle::uf_mixed),
    ("fkp2013", in_loom::fkp2013, in_shuttle::fkp2013),
];

/// What a tool took for a program.
struct Took {
    executions: u64,
    time: Duration,
    finished: bool,
}

impl Took {
    fn show(&self) -> String {
        let rate = self.executions as f64 / self.time.as_secs_f64();
        let more = if self.finished { "" } else { ">" };
        format!(
            "{more}{:>9} runs {more}{:>9.3} ms {rate:>8.0}/s",
            self.executions,
            self.time.as_secs_f64() * 1e3
        )
    }
}

fn loom(program: Program, n: i64) -> Took {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
    static RUNS: AtomicU64 = AtomicU64::new(0);
    RUNS.store(0, Relaxed);
    let mut builder = loom::model::Builder::new();
    builder.max_permutations = Some(LOOM);
    builder.log = false;
    let started = Instant::now();
    builder.check(move || {
        RUNS.fetch_add(1, Relaxed);
        program(n);
    });
    let time = started.elapsed();
    Took {
        executions: RUNS.load(Relaxed),
        time,
        finished: RUNS.load(Relaxed) + 1 < LOOM as u64,
    }
}

fn shuttle(program: Program, n: i64) -> Took {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
    static RUNS: AtomicU64 = AtomicU64::new(0);
    RUNS.store(0, Relaxed);
    let mut config = shuttle::Config::new();
    config.silence_warnings = true;
    let scheduler = shuttle::scheduler::DfsScheduler::new(Some(SHUTTLE), false);
    let runner = shuttle::Runner::new(scheduler, config);
    let started = Instant::now();
    runner.run(move || {
        RUNS.fetch_add(1, Relaxed);
        program(n);
    });
    let time = started.elapsed();
    Took {
        executions: RUNS.load(Relaxed),
        time,
        finished: RUNS.load(Relaxed) < SHUTTLE as u64,
    }
}

#[cfg(commute)]
mod ours {
    use std::time::Instant;

    use commute::sync::Arc;
    use commute::sync::atomic::{AtomicU32, Ordering::SeqCst};
    use commute::thread;
    use commute_explore::{Settings, Verdict, explore, runtime::Test};
    use commute_workloads::programs;

    use super::{Program, Took};

    pub(crate) const PROGRAMS: &[(&str, Program)] = &[
        ("counter", programs::counter),
        ("set_add", programs::set_add),
        ("set_add_size", programs::set_add_size),
        ("ht_put", programs::ht_put),
        ("ht_mixed", programs::ht_mixed),
        ("set_seek", programs::set_seek),
        ("uf_find", programs::uf_find),
        ("uf_mixed", programs::uf_mixed),
        ("fkp2013", programs::fkp2013),
    ];

    /// The whole search.
    pub(crate) fn explored(body: impl Fn() + 'static, settings: &Settings) -> Took {
        let mut test = Test::new(body);
        let started = Instant::now();
        let report = explore(&mut test, settings, &mut |_| None).expect("an engine");
        let time = started.elapsed();
        if settings.max_executions.is_none() {
            assert_eq!(report.verdict, Verdict::Passed, "{:?}", report.reasons);
        }
        Took {
            executions: report.executions,
            time,
            finished: report.verdict == Verdict::Passed,
        }
    }

    /// Three threads with two operations each: every interleaving, up to a number.
    pub(crate) fn small(engine: &str) -> Took {
        let settings = Settings {
            engine: engine.to_owned(),
            max_executions: Some(300_000),
            ..Settings::default()
        };
        let body = || {
            let (a, b) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0)));
            let threads = [1, 2].map(|i| {
                let (a, b) = (Arc::clone(&a), Arc::clone(&b));
                thread::spawn(move || {
                    a.fetch_add(i, SeqCst);
                    b.fetch_add(a.load(SeqCst), SeqCst);
                })
            });
            for thread in threads {
                thread.join().unwrap();
            }
        };
        explored(body, &settings)
    }
}

#[cfg(commute)]
fn main() {
    use commute_explore::Settings;

    for engine in ["exhaustive", "random"] {
        println!(
            "executions per second, {engine}: {}",
            ours::small(engine).show()
        );
    }
    // Ours come first, then loom: shuttle leaves a hook behind that has something to say
    // of every thread that is unwound.
    let settings = Settings::default();
    let mut small = Vec::new();
    for (name, program) in ours::PROGRAMS {
        let program = *program;
        small.push(ours::explored(move || program(4), &settings));
        let n = if *name == "ht_mixed" { 5 } else { 7 };
        let large = ours::explored(move || program(n), &settings);
        let is_slow = large.time.as_secs_f64() >= 1.0;
        let verdict = if is_slow { "  OVER 1 s" } else { "" };
        println!("{name}, N = {n}   commute {}{verdict}", large.show());
    }
    let peer = |name: &str| {
        let found = PEERS.iter().find(|(peer, ..)| *peer == name);
        found.expect("every program is there for both")
    };
    let programs = ours::PROGRAMS.iter().map(|(name, _)| *name);
    let in_loom: Vec<Took> = programs.map(|name| loom(peer(name).1, 4)).collect();
    for (((name, _), ours), in_loom) in ours::PROGRAMS.iter().zip(small).zip(in_loom) {
        println!("{name}, N = 4   commute {}", ours.show());
        for (tool, took) in [("loom", in_loom), ("shuttle", shuttle(peer(name).2, 4))] {
            let ratio = took.time.as_secs_f64() / ours.time.as_secs_f64();
            let verdict = if ratio >= 100.0 { "" } else { "  UNDER 100" };
            let took = took.show();
            println!("    {tool:<8} {took}  {ratio:.0} times as long{verdict}");
        }
    }
}

/// Without our flag there is nothing to measure.
#[cfg(not(commute))]
fn main() {
    let _ = (PEERS, Took::show);
    let _ = [loom, shuttle];
    println!("RUSTFLAGS=\"--cfg commute\" cargo bench -p commute-explore-bench");
}
