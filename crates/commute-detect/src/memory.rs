//! Tests: what is remembered does not grow with time.

use std::fmt::Write as _;
use std::sync::Arc;

use commute_spec::Library;
use commute_testkit::random::Random;
use commute_testkit::traces::Trace;

use crate::{Atomicity, Method, Options, Pass, Prediction, Races};

/// A thread that sends so many different messages, and one that receives them.
fn messages(kind: &str, count: usize) -> Trace {
    let mut text = format!("T0|new(c:{kind})|a.rs:1\nT0|fork(T1)|a.rs:2\n");
    for message in 0..count {
        let _ = writeln!(text, "T0|c.send({message})/true|a.rs:3");
        let _ = writeln!(text, "T1|c.recv()/{message}|a.rs:4");
    }
    Trace::parse(&text)
}

#[test]
fn messages_that_were_received_are_forgotten() {
    let library = Arc::new(Library::shipped());
    for kind in ["mpsc", "channel"] {
        let kept = [20_000, 60_000].map(|count| {
            let trace = messages(kind, count);
            let options = Options {
                window: 1000,
                ..Options::default()
            };
            let mut races = Races::all(library.clone());
            let mut prediction = Prediction::new(library.clone(), options);
            let mut atomicity = Atomicity::new(library.clone(), Method::AeroDrome, None);
            let mut cycles = Atomicity::new(library.clone(), Method::Velodrome, None);
            let passes: [&mut dyn Pass; 4] =
                [&mut races, &mut prediction, &mut atomicity, &mut cycles];
            for pass in passes {
                let taken = pass.steps(&trace.events, &trace.names);
                taken.expect("well-formed");
            }
            assert_eq!(races.keys(), 0, "{kind}");
            [prediction.keys(), atomicity.keys(), cycles.keys()]
        });
        // However many there were: twice what the window has, or what is least.
        assert!(
            kept.as_flattened().iter().all(|&keys| keys <= 2048),
            "{kind}: {kept:?}"
        );
    }
}

/// Blocks of four threads that use keys which come and go, and mostly keys of their
/// own.
fn blocks(seed: u64, steps: usize) -> Trace {
    let mut random = Random::new(seed);
    let mut text = String::from("T0|new(m:map)|a.rs:1\n");
    let mut open = [false; 4];
    for step in 0..steps {
        let t = random.below(4);
        if random.chance(25) {
            let op = if open[t] { "end" } else { "begin(b)" };
            let _ = writeln!(text, "T{t}|{op}|a.rs:2");
            open[t] = !open[t];
            continue;
        }
        let near = random.chance(1 + 3 * (seed % 12) as usize);
        let key = if near {
            step / 100
        } else {
            1_000_000 + 4 * step + t
        };
        let op = if random.chance(50) {
            "remove_"
        } else {
            "contains_key"
        };
        let result = if op == "remove_" { "" } else { "/false" };
        let _ = writeln!(text, "T{t}|m.{op}({key}){result}|a.rs:3");
    }
    Trace::parse(&text)
}

/// The same violations are found if nothing is forgotten.
#[test]
fn what_atomicity_forgets_is_not_needed() {
    let library = Arc::new(Library::shipped());
    let (mut with, mut without) = (0, 0);
    for seed in 0..24 {
        let trace = blocks(seed, 8000);
        for method in [Method::AeroDrome, Method::Velodrome] {
            let found = |keep_all: bool| {
                let mut pass = Atomicity::new(library.clone(), method, None).keep_reports();
                for (number, events) in trace.events.chunks(100).enumerate() {
                    pass.steps(events, &trace.names).expect("well-formed");
                    if keep_all && number == 0 {
                        pass.keep_all();
                    }
                }
                // Several at one event come in the order of the touches, which is none.
                let mut reports = pass.reports().to_vec();
                reports.sort_by_key(|report| (report.index, report.cycle.clone()));
                (reports, pass.keys())
            };
            let ((all, most), (some, kept)) = (found(true), found(false));
            assert_eq!(all, some, "{method:?}, seed {seed}");
            assert!(kept < most, "{method:?}, seed {seed}: {kept} of {most}");
            with += usize::from(!all.is_empty());
            without += usize::from(all.is_empty());
        }
    }
    assert!(
        with > 10 && without > 1,
        "{with} with violations, {without} without"
    );
}

/// The events of a thread of the traces below.
fn short_work(text: &mut String, t: &str) {
    for op in [
        "begin(b)",
        "acq(l)",
        "r(x)",
        "w(x)",
        "rel(l)",
        "end(b)",
        "r(y)",
        "m.get(1)/1",
    ] {
        let _ = writeln!(text, "{t}|{op}|a.rs:2");
    }
}

/// So many threads that are joined soon, in one of several shapes.
fn short_threads(shape: &str, count: usize) -> Trace {
    let mut text = String::from("T0|new(m:map)|a.rs:1\n");
    let mut line = |line: String| {
        let _ = writeln!(text, "{line}|a.rs:1");
    };
    let work = |line: &mut dyn FnMut(String), t: &str| {
        let mut work = String::new();
        short_work(&mut work, t);
        work.lines().for_each(|event| {
            let event = event.strip_suffix("|a.rs:2").unwrap_or(event);
            line(event.to_owned());
        });
    };
    for i in 1..=count {
        let (t, before) = (format!("T{i}"), format!("T{}", i - 1));
        match shape {
            "one after another" => {
                line(format!("T0|fork({t})"));
                work(&mut line, &t);
                line(format!("T0|join({t})"));
            }
            "without events" => {
                line(format!("T0|fork({t})"));
                line(format!("T0|join({t})"));
            }
            "pool" => {
                if i > 8 {
                    line(format!("T0|join(T{})", i - 8));
                }
                line(format!("T0|fork({t})"));
                work(&mut line, &t);
            }
            "chain" => {
                line(format!("{before}|fork({t})"));
                work(&mut line, &t);
                if i > 1 {
                    line(format!("{t}|join({before})"));
                }
            }
            _ => {
                let (child, parent) = (format!("C{i}"), &t);
                line(format!("T0|fork({parent})"));
                line(format!("{parent}|fork({child})"));
                work(&mut line, &child);
                line(format!("{parent}|join({child})"));
                line(format!("T0|join({parent})"));
            }
        }
    }
    Trace::parse(&text)
}

/// How many slots every analysis needs.
fn slots(trace: &Trace) -> Vec<usize> {
    let library = Arc::new(Library::shipped());
    let mut races = Races::all(library.clone());
    let mut prediction = Prediction::new(library.clone(), Options::default());
    let methods = [Method::AeroDrome, Method::AeroDromeBasic, Method::Velodrome];
    let mut atomicity = methods.map(|method| Atomicity::new(library.clone(), method, None));
    let passes: [&mut dyn Pass; 2] = [&mut races, &mut prediction];
    for pass in passes {
        let taken = pass.steps(&trace.events, &trace.names);
        taken.expect("well-formed");
    }
    for pass in &mut atomicity {
        let taken = pass.steps(&trace.events, &trace.names);
        taken.expect("well-formed");
    }
    let found = atomicity.iter().map(|pass| pass.slots().count_slots());
    [
        races.hb().slots().count_slots(),
        prediction.slots().count_slots(),
    ]
    .into_iter()
    .chain(found)
    .collect()
}

#[test]
fn threads_one_after_another_need_no_more_slots_than_live_at_once() {
    for shape in [
        "one after another",
        "without events",
        "pool",
        "chain",
        "nested",
    ] {
        let few = slots(&short_threads(shape, 100));
        let many = slots(&short_threads(shape, 1000));
        assert_eq!(few, many, "{shape}");
        assert!(few.iter().all(|&slots| slots <= 80), "{shape}: {few:?}");
    }
}

#[test]
fn too_many_live_threads_are_an_error() {
    let library = Arc::new(Library::shipped());
    let mut text = String::new();
    for t in 1..=crate::slots::MOST_LIVE_THREADS {
        let _ = writeln!(text, "T0|fork(T{t})|a.rs:1");
    }
    let trace = Trace::parse(&text);
    let mut races = Races::all(library.clone());
    let mut atomicity = Atomicity::new(library.clone(), Method::AeroDrome, None);
    let mut prediction = Prediction::new(library, Options::default());
    let passes: [&mut dyn Pass; 3] = [&mut races, &mut atomicity, &mut prediction];
    for pass in passes {
        let (last, others) = trace.events.split_last().expect("events");
        pass.steps(others, &trace.names).expect("within the limit");
        let error = pass.steps(std::slice::from_ref(last), &trace.names);
        let error = error.expect_err("one thread more");
        assert_eq!(error.offset, 0);
        assert!(error.message.contains("8192 threads"), "{error}");
    }
}
