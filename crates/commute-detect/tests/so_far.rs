//! A report in the middle: a copy of a pass, finished, says what a pass says that
//! saw no more; and the pass it was copied from goes on as if nothing had been.

use std::sync::Arc;

use commute_detect::prediction::references::{Bounds, Reference, ReferencePass};
use commute_detect::{Atomicity, Method, Options, Pass, Prediction, Races};
use commute_model::{Event, Finding};
use commute_spec::Library;
use commute_testkit::random::Random;
use commute_testkit::traces::{self, Family, Mix, Trace};

/// What a pass finds in these pieces of the trace.
fn found(mut pass: impl Pass, trace: &Trace, pieces: [&[Event]; 2]) -> Vec<Finding> {
    for events in pieces {
        pass.steps(events, &trace.names).expect("well-formed");
    }
    let mut findings = Vec::new();
    pass.finish(&trace.names, &mut findings);
    findings
}

/// How many findings there were in the middle, and at the end.
fn compare<P: Pass + Clone>(
    new: impl Fn(&Arc<Library>) -> P,
    library: &Arc<Library>,
    trace: &Trace,
    seed: u64,
) -> [usize; 2] {
    let (before, after) = { &trace.events }.split_at(Random::new(seed).below(trace.events.len()));
    let mut pass = new(library);
    pass.steps(before, &trace.names).expect("well-formed");
    let so_far = found(pass.clone(), trace, [&[], &[]]);
    let context = || format!("seed {seed}, {} events of\n{}", before.len(), trace.text());
    let no_more = found(new(library), trace, [before, &[]]);
    assert_eq!(so_far, no_more, "{}", context());
    let at_the_end = found(pass, trace, [after, &[]]);
    let undisturbed = found(new(library), trace, [before, after]);
    assert_eq!(at_the_end, undisturbed, "{}", context());
    [so_far.len(), at_the_end.len()]
}

fn compare_on<P: Pass + Clone>(
    new: impl Fn(&Arc<Library>) -> P,
    trace: impl Fn(u64, &Library) -> Trace,
) {
    let library = Arc::new(Library::shipped());
    let (mut middle, mut later) = (0, 0);
    for seed in 0..300 {
        let trace = trace(seed, &library);
        let [so_far, end] = compare(&new, &library, &trace, seed);
        middle += usize::from(so_far > 0);
        later += usize::from(end > so_far);
    }
    assert!(middle > 10 && later > 10, "{middle} and {later} of 300");
}

fn mixed(blocks: usize) -> impl Fn(u64, &Library) -> Trace {
    let mix = Mix {
        threads: 4,
        events: 60,
        variables: 3,
        locks: 2,
        types: vec!["map", "counter", "queue"],
        synchronisation: 30,
        blocks,
    };
    move |seed, library| traces::random(seed, &mix, library)
}

/// To predict from.
fn sections(seed: u64, library: &Library) -> Trace {
    let family = Family {
        frees: 60,
        events: 40,
        ..Family::objects(&["map"])
    };
    family.trace(seed, library)
}

#[test]
fn races() {
    compare_on(|library| Races::all(library.clone()), mixed(0));
}

#[test]
fn atomicity() {
    for method in [Method::AeroDrome, Method::AeroDromeBasic, Method::Velodrome] {
        let new = |library: &Arc<Library>| Atomicity::new(library.clone(), method, None);
        compare_on(new, mixed(25));
    }
}

#[test]
fn prediction() {
    let new = |library: &Arc<Library>| Prediction::new(library.clone(), Options::default());
    compare_on(new, sections);
}

#[test]
fn reference_predictions() {
    for reference in [
        Reference::HappensBefore,
        Reference::Wdc,
        Reference::Edc,
        Reference::Ccs(Bounds::default()),
    ] {
        let new = |library: &Arc<Library>| ReferencePass::new(reference, library.clone());
        compare_on(new, sections);
    }
}
