//! All that arrive at a barrier come before all that leave it.

use std::sync::Arc;

use commute_detect::{Pass, Races};
use commute_spec::{Library, parse};
use commute_trace::{Options, TraceReader};

const BARRIER: &str = "type barrier {
  orders barrier
  arrive()
  leave()
  arrive ~ arrive, arrive ~ leave, leave ~ leave : true
}";

/// The pairs of events that race.
fn races(text: &'static str) -> Vec<(u64, u64)> {
    let mut library = Library::empty();
    library.insert(parse(BARRIER).specifications.remove(0));
    let reader = TraceReader::from_reader(text.as_bytes(), Options::default());
    let mut reader = reader.expect("a text can be read");
    let mut races = Races::all(Arc::new(library)).keep_pairs();
    let mut events = Vec::new();
    while reader.read_batch(&mut events).expect("well-formed") > 0 {
        races.steps(&events, reader.names()).expect("understood");
    }
    let pairs = races.pairs().iter();
    pairs.map(|&(_, earlier, later)| (earlier, later)).collect()
}

#[test]
fn what_is_done_before_arriving_is_known_after_leaving() {
    let text = "T0|new(b:barrier)|1\nT1|w(x)|2\nT2|w(y)|3\n\
                T1|b.arrive()|4\nT2|b.arrive()|5\nT2|b.leave()|6\nT1|b.leave()|7\n\
                T1|r(y)|8\nT2|r(x)|9\n";
    assert_eq!(races(text), []);
}

#[test]
fn what_is_done_after_leaving_is_not() {
    let text = "T0|new(b:barrier)|1\n\
                T1|b.arrive()|2\nT2|b.arrive()|3\nT1|b.leave()|4\nT1|w(x)|5\n\
                T2|b.leave()|6\nT2|r(x)|7\n";
    assert_eq!(races(text), [(5, 7)]);
}

#[test]
fn a_thread_that_leaves_late_learns_nothing_of_the_next_round() {
    let text = "T0|new(b:barrier)|1\n\
                T1|b.arrive()|2\nT2|b.arrive()|3\nT1|b.leave()|4\nT1|w(x)|5\nT1|b.arrive()|6\n\
                T2|b.leave()|7\nT2|r(x)|8\nT2|b.arrive()|9\nT2|b.leave()|10\nT2|r(x)|11\n";
    // The read at 8 is of the first round and races; the one at 11 is not.
    assert_eq!(races(text), [(5, 8)]);
}
