//! What synchronisation orders, and what it does not: programs with an unprotected
//! register, recorded, and the races that are found on it.

#![cfg(commute)]

mod probe;
mod programs;
mod trace;

use std::sync::Arc;

use commute_detect::{Options, Pass, Prediction, Races};
use commute_spec::Library;

use crate::trace::Trace;

fn record(program: &str) -> Trace {
    let trace = Trace::of_test(&format!("programs::{program}"));
    trace.is_well_formed();
    trace
}

/// The objects on which a pass finds something.
fn found(mut pass: impl Pass, trace: &Trace) -> Vec<String> {
    let mut findings = Vec::new();
    pass.steps(&trace.events, &trace.names).unwrap();
    pass.finish(&trace.names, &mut findings);
    let objects = findings.into_iter().filter_map(|finding| finding.object);
    let mut objects: Vec<String> = objects.collect();
    objects.dedup();
    objects
}

/// The objects on which the program has races.
fn races(trace: &Trace) -> Vec<String> {
    found(Races::all(Arc::new(Library::shipped())), trace)
}

/// The objects on which it could have some in another order.
fn predictions(trace: &Trace) -> Vec<String> {
    let library = Arc::new(Library::shipped());
    found(Prediction::new(library, Options::default()), trace)
}

macro_rules! tests {
    ($module:literal; $($test:ident: $races:expr;)*) => {
        $(#[test]
        fn $test() {
            let expected: &[&str] = &$races;
            let trace = record(concat!($module, "::", stringify!($test)));
            assert_eq!(races(&trace), expected);
            if expected.is_empty() {
                assert_eq!(predictions(&trace), expected);
            }
        })*
    };
}

mod ordered {
    use super::*;

    tests! {
        "ordered";
        by_a_mutex: [];
        by_a_condvar: [];
        by_a_writer: [];
        by_spawn_and_join: [];
        by_the_end_of_a_scope: [];
        by_an_atomic: [];
        by_a_message: [];
        by_the_last_sender: [];
        by_room_in_a_channel: [];
        by_handing_over: [];
        by_a_barrier: [];
        by_a_once: [];
        by_a_once_lock: [];
        by_a_lazy_lock: [];
        by_unpark: [];
    }
}

mod free {
    use super::*;

    tests! {
        "free";
        of_everything: ["probe"];
        of_other_readers: ["probe"];
        of_others_who_arrive: ["probe"];
        of_others_who_look: ["probe"];
        of_others_who_unpark: ["probe"];
        of_messages_on_their_way: ["probe"];
    }
}

/// The type of a barrier has its number of parties, also if the barrier has a name.
#[test]
fn a_barrier_has_parties() {
    let trace = record("gate");
    let of_gate = |op: &String| op.contains("gate");
    let text: Vec<String> = trace.operations().filter(of_gate).collect();
    let expected = [
        "new(gate:barrier(2))",
        "gate.arrive()",
        "gate.arrive()",
        "gate.leave()",
        "gate.leave()",
        "drop(gate)",
    ];
    assert_eq!(text, expected);
}

#[test]
fn blocks_and_names() {
    let trace = record("blocks");
    let text: Vec<String> = trace
        .events
        .iter()
        .map(|event| event.op.display(&trace.names).to_string())
        .collect();
    let expected = [
        "begin(outer)",
        "acq(total)",
        "r(total)",
        "w(total)",
        "rel(total)",
        "begin(inner)",
        "end(inner)",
        "end(outer)",
        "new(count:atomic)",
        "begin(inner)",
        "count.fetch_add(1)/0",
        "end(inner)",
        "drop(count)",
        "alloc(total)",
    ];
    assert_eq!(text, expected);
}
