//! Edges and clocks of events against the clocks of `hb` and against the definition, on
//! random traces.

use std::collections::BTreeSet;
use std::sync::Arc;

use commute_clock::{Epoch, VectorClock};
use commute_model::Id;
use commute_spec::{Library, parse};
use commute_testkit::oracle;
use commute_testkit::random::Random;
use commute_testkit::traces::{self, Family, Mix, Trace};

use super::*;
use crate::pass::Pass;
use crate::races::Races;

const BARRIER: &str = "type barrier {
  orders barrier
  arrive()
  leave()
  arrive ~ arrive, arrive ~ leave, leave ~ leave : true
}";

/// For each event those that come before it, by position.
type Before = Vec<BTreeSet<usize>>;

fn by_edges(trace: &Trace, library: &Arc<Library>) -> (Before, BTreeSet<EdgeKind>) {
    let mut edges = Edges::new(library.clone());
    edges.set_initial_states(&states(trace, library));
    let mut last = vec![None; trace.names.threads.len()];
    let mut before: Before = Vec::new();
    let mut kinds = BTreeSet::new();
    for (position, event) in trace.events.iter().enumerate() {
        let incoming = edges.step(event, position as u64 + 1, &trace.names);
        let sources = incoming.iter().map(|edge| {
            let source = edge.from as usize - 1;
            assert_eq!(trace.events[source].thread, edge.thread);
            assert_ne!(edge.thread, event.thread, "program order is no edge");
            kinds.insert(edge.kind);
            source
        });
        let own = &mut last[event.thread.index()];
        let mut set = BTreeSet::new();
        for source in sources.chain(*own) {
            set.insert(source);
            set.extend(&before[source]);
        }
        *own = Some(position);
        before.push(set);
    }
    assert_eq!(edges.not_understood(), None);
    (before, kinds)
}

fn states(trace: &Trace, library: &Arc<Library>) -> Arc<InitialStates> {
    let library = library.clone();
    Arc::new(InitialStates::infer(&trace.events, &trace.names, library))
}

fn by_event_clocks(trace: &Trace, library: &Arc<Library>) -> Before {
    let mut clocks = EventClocks::new(library.clone());
    clocks.set_initial_states(&states(trace, library));
    let mut counts = vec![0; trace.names.threads.len()];
    let mut all: Vec<VectorClock> = Vec::new();
    for (position, event) in trace.events.iter().enumerate() {
        let clock = clocks.step(event, position as u64 + 1, &trace.names);
        let count = &mut counts[event.thread.index()];
        *count += 1;
        assert_eq!(clock.get(event.thread.0), *count, "events are counted");
        all.push(clock.clone());
    }
    let less = |i: usize, j: usize| i != j && all[i].le(&all[j]);
    let before = |j| (0..all.len()).filter(|&i| less(i, j)).collect();
    (0..all.len()).map(before).collect()
}

/// Whether each pair of events is ordered as the clocks of `hb` say. An event that the
/// clocks do not see, as the `new` of an object, is not compared.
fn compare_with_hb(trace: &Trace, library: &Arc<Library>, before: &Before) {
    let mut races = Races::all(library.clone());
    races.set_initial_states(&states(trace, library));
    let mut seen: Vec<(Option<Epoch>, VectorClock)> = Vec::new();
    for (j, event) in trace.events.iter().enumerate() {
        let t = event.thread;
        let epoch = races.hb().known_epoch(t);
        races.step(event, &trace.names).expect("well-formed");
        let Some(now) = races.hb().known_epoch(t) else {
            seen.push((None, VectorClock::default()));
            continue;
        };
        let clock = races.hb().clock(t).clone();
        let epoch = epoch.unwrap_or(Epoch { time: 1, ..now });
        for (i, (earlier, _)) in seen.iter().enumerate() {
            if let Some(earlier) = earlier
                && trace.events[i].thread != t
            {
                let known = clock.knows(*earlier);
                assert_eq!(known, before[j].contains(&i), "{i} {j}\n{}", trace.text());
            }
        }
        seen.push((Some(epoch), clock));
    }
}

fn compare(trace: &Trace, library: &Arc<Library>) -> BTreeSet<EdgeKind> {
    let defined = oracle::happens_before(&trace.events, &trace.names, library);
    let (before, kinds) = compare_clocks(trace, library);
    if oracle::synchronisation::is_unambiguous(&trace.events, &trace.names, library) {
        assert_eq!(before, defined, "edges\n{}", trace.text());
    }
    // Where it cannot be told which message was received, there may be more edges.
    if oracle::synchronisation::is_explained(&trace.events, &trace.names, library) {
        for (found, defined) in before.iter().zip(&defined) {
            assert!(found.is_superset(defined), "edges\n{}", trace.text());
        }
    }
    kinds
}

fn compare_clocks(trace: &Trace, library: &Arc<Library>) -> (Before, BTreeSet<EdgeKind>) {
    let (before, kinds) = by_edges(trace, library);
    let counted = by_event_clocks(trace, library);
    assert_eq!(counted, before, "clocks of events\n{}", trace.text());
    compare_with_hb(trace, library, &before);
    (before, kinds)
}

/// Threads that meet at a barrier again and again, and leave it in any order.
fn meetings(seed: u64) -> Trace {
    let mut random = Random::new(seed);
    let threads = 2 + random.below(3);
    // Outside, arrived, may leave.
    let mut states = vec![0; threads];
    let mut text = String::from("T0|new(b:barrier)|\n");
    for _ in 0..40 {
        let t = random.below(threads);
        let line = match states[t] {
            0 if random.chance(50) => format!("T{t}|w(x{t})|\n"),
            0 => {
                states[t] = 1;
                if states.iter().filter(|&&state| state == 1).count() == threads {
                    states.fill(2);
                }
                format!("T{t}|b.arrive()|\n")
            }
            1 => continue,
            _ => {
                states[t] = 0;
                format!("T{t}|b.leave()|\n")
            }
        };
        text.push_str(&line);
    }
    Trace::parse(&text)
}

#[test]
fn edges_are_the_relation_of_the_clocks() {
    let library = Arc::new(Library::shipped());
    let objects = ["atomic", "channel", "dictionary"];
    let counted = ["semaphore", "semaphore(2)", "semaphore(1)"];
    let rounds = ["barrier", "barrier(2)", "barrier(3)"];
    let by_value = ["queue", "stack", "future", "bounded_queue"];
    let others = ["latch", "wait_group", "context", "priority_queue"];
    let mut kinds = BTreeSet::new();
    for (types, synchronisation) in [
        (&[][..], 70),
        (&objects[..], 30),
        (&counted[..], 10),
        (&rounds[..], 10),
        (&by_value[..], 10),
        (&others[..], 10),
    ] {
        let mix = Mix {
            threads: 5,
            events: 40,
            variables: 2,
            locks: 2,
            types: types.to_vec(),
            synchronisation,
            blocks: 0,
        };
        for seed in 0..400 {
            kinds.extend(compare(&traces::random(seed, &mix, &library), &library));
        }
    }
    let mpsc = Family {
        events: 40,
        locking: 10,
        ..Family::objects(&["mpsc"])
    };
    for (_, family) in Family::all().into_iter().chain([("mpsc", mpsc)]) {
        for seed in 0..100 {
            let trace = family.trace(seed, &library);
            // The definition does not say which message it was that is opaque.
            match family.opaque_messages || family.opaque > 0 {
                true => kinds.extend(compare_clocks(&trace, &library).1),
                false => kinds.extend(compare(&trace, &library)),
            }
        }
    }
    let mut library = Library::empty();
    library.insert(parse(BARRIER).specifications.remove(0));
    let library = Arc::new(library);
    for seed in 0..200 {
        kinds.extend(compare_clocks(&meetings(seed), &library).1);
    }
    assert_eq!(
        kinds.len(),
        7,
        "some kind of edge was never seen: {kinds:?}"
    );
}

fn listed(text: &str) -> Vec<String> {
    let trace = Trace::parse(text);
    let mut edges = Edges::new(Arc::new(Library::shipped()));
    let mut lines = Vec::new();
    for (event, index) in trace.events.iter().zip(1..) {
        for edge in edges.step(event, index, &trace.names) {
            lines.push(format!("{} -> {index} {}", edge.from, edge.kind.name()));
        }
    }
    lines
}

#[test]
fn what_is_acquired_again_gets_no_second_edge() {
    let trace = "A|acq(m)|\nA|rel(m)|\nB|acq(m)|\nB|acq(m)|\nB|rel(m)|\nB|rel(m)|\nA|acq(m)|\n";
    assert_eq!(listed(trace), ["2 -> 3 lock", "6 -> 7 lock"]);
}

#[test]
fn a_join_of_a_thread_without_events_comes_after_its_fork() {
    let trace = "A|fork(B)|\nC|join(B)|\nA|fork(D)|\nD|r(x)|\nA|join(D)|\n";
    assert_eq!(listed(trace), ["1 -> 2 join", "3 -> 4 fork", "4 -> 5 join"]);
}

#[test]
fn readers_are_ordered_with_writers_only() {
    let trace = "A|acq(m)|\nA|rel(m)|\nB|racq(m)|\nC|racq(m)|\nB|rrel(m)|\nC|rrel(m)|\nA|acq(m)|\n";
    let expected = ["2 -> 3 lock", "2 -> 4 lock", "5 -> 7 lock", "6 -> 7 lock"];
    assert_eq!(listed(trace), expected);
}

#[test]
fn what_is_not_understood_orders_nothing_and_is_told() {
    let trace = Trace::parse("A|new(o:thing)|\nA|o.f()|\nB|o.f()|\n");
    let mut edges = Edges::new(Arc::new(Library::shipped()));
    for (event, index) in trace.events.iter().zip(1..) {
        assert!(edges.step(event, index, &trace.names).is_empty());
    }
    let (index, message) = edges.not_understood().expect("unknown type");
    assert_eq!(
        (*index, &message[..]),
        (1, "no specification for type `thing`")
    );
}

/// How much is remembered after so many rounds of everything.
fn remembered(rounds: usize) -> usize {
    let round = "A|acq(m)|\nA|rel(m)|\nB|racq(m)|\nB|rrel(m)|\nA|fork(C)|\nC|c.send(1)/true|\n\
                 A|join(C)|\nB|c.recv()/1|\nA|a.load()/0|\nB|a.load()/0|\n";
    let text = format!("A|new(c:mpsc)|\nA|new(a:atomic)|\n{}", round.repeat(rounds));
    let trace = Trace::parse(&text);
    let mut edges = Edges::new(Arc::new(Library::shipped()));
    for (event, index) in trace.events.iter().zip(100_000..) {
        edges.step(event, index, &trace.names);
    }
    // Numbers may have more digits.
    let text = format!("{edges:?}");
    text.chars().filter(|c| !c.is_ascii_digit()).count()
}

#[test]
fn memory_does_not_grow_with_events() {
    assert_eq!(remembered(10), remembered(1000));
}
