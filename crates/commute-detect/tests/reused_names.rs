//! The name of an object that has gone may be given to another one: nothing that is found
//! or said depends on it.

use std::sync::Arc;

use commute_detect::{Atomicity, Legal, Method, Options, Pass, Prediction, Races, Scenes};
use commute_model::{Finding, Scene};
use commute_spec::Library;
use commute_testkit::traces::{Family, Trace};

const TYPES: [&str; 8] = [
    "semaphore",
    "register",
    "map",
    "dictionary",
    "context",
    "channel",
    "priority_queue",
    "set",
];

/// Two objects one after another, the second of which has the name `second`.
fn lifetimes(types: [&'static str; 2], seed: u64, second: &str, library: &Library) -> Trace {
    let mut text = String::new();
    for (name, kind, salt) in [("ob1", types[0], 0), (second, types[1], 1)] {
        let family = Family {
            events: 12 + 12 * (seed as usize % 2),
            frees: 30,
            ..Family::objects(&[kind])
        };
        let part = family.trace(2 * seed + salt, library).text();
        for (i, line) in part.lines().enumerate() {
            let fields: Vec<&str> = line.split('|').collect();
            let op = fields[1].replace("o0.", &format!("{name}."));
            let op = op.replace("(o0", &format!("({name}"));
            text += &format!("{}|{op}|{kind}{salt}.rs:{i}\n", fields[0]);
        }
        if salt == 0 && !text.contains("drop(") {
            text += "T0|drop(ob1)|drop.rs:1\n";
        }
    }
    Trace::parse(&text)
}

/// All that is found and drawn, as text; the other name of the second object is its own.
fn said(trace: &Trace, library: &Arc<Library>) -> String {
    let mut passes: Vec<Box<dyn Pass>> = vec![
        Box::new(Races::all(library.clone())),
        Box::new(Atomicity::new(library.clone(), Method::AeroDrome, None)),
        Box::new(Atomicity::new(library.clone(), Method::Velodrome, None)),
    ];
    for legal in [Legal::Order, Legal::Observe, Legal::Replay] {
        // A small budget leaves candidates undecided, which are told all the same.
        for (budget, window) in [(100_000, 10_000), (1, 10_000), (100_000, 16)] {
            let options = Options {
                legal,
                budget,
                window,
                all_orders: true,
                ..Options::default()
            };
            passes.push(Box::new(Prediction::new(library.clone(), options)));
        }
    }
    let mut findings: Vec<Finding> = Vec::new();
    for pass in &mut passes {
        pass.steps(&trace.events, &trace.names).expect("understood");
        pass.finish(&trace.names, &mut findings);
    }
    let mut scenes = Scenes::new(library.clone());
    scenes.watch(&findings, 10_000, None);
    for event in &trace.events {
        scenes.step(event, &trace.names);
    }
    let drawn: Vec<Scene> = scenes.finish(&trace.names);
    format!("{findings:#?}\n{drawn:#?}").replace("ob2", "ob1")
}

#[test]
fn the_type_is_that_of_the_lifetime() {
    let library = Arc::new(Library::shipped());
    let mut found = 0;
    for (i, first) in TYPES.into_iter().enumerate() {
        for (j, second) in TYPES.into_iter().enumerate() {
            for seed in 0..2 {
                let seed = (i * TYPES.len() + j) as u64 * 10 + seed;
                let own = lifetimes([first, second], seed, "ob2", &library);
                let reused = lifetimes([first, second], seed, "ob1", &library);
                let (own, reused_too) = (said(&own, &library), said(&reused, &library));
                found += usize::from(own.contains("CM1"));
                let differs = own.lines().zip(reused_too.lines()).find(|(a, b)| a != b);
                let lengths = (own.len(), reused_too.len());
                assert!(
                    own == reused_too,
                    "{first}, {second}, seed {seed}: {differs:?} {lengths:?}\n{}",
                    reused.text()
                );
            }
        }
    }
    assert!(found > 50, "only {found} with findings");
}
