//! The reference analyses on the examples and figures of the thesis, on traces
//! where they are wrong, and on random traces.

#[path = "prediction_references/naive.rs"]
mod naive;
#[path = "prediction_references/random.rs"]
mod random;

use std::sync::Arc;

use commute_detect::prediction::references::{
    Analysis, Bounds, Candidate, Pair, Reference, Ticks, pairs,
};
use commute_model::ThreadId;
use commute_spec::Library;
use commute_testkit::traces::Trace;

use Reference::{Edc, HappensBefore as Hb, Wdc};

const CCS: Reference = Reference::Ccs(Bounds {
    words: 4,
    releases: 8,
});

const RACY: bool = true;
const SWAPPED: bool = false;

/// The trace of this text: in each line a thread and some of its events.
fn trace(text: &str) -> Trace {
    let mut lines = String::new();
    let mut index = 0;
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let Some(thread) = words.next() else { continue };
        for op in words {
            index += 1;
            lines.push_str(&format!("{thread}|{op}|{index}\n"));
        }
    }
    Trace::parse(&lines)
}

fn found(reference: Reference, trace: &Trace) -> Vec<(u64, u64, bool)> {
    let library = Arc::new(Library::shipped());
    let found = pairs(reference, &trace.events, &trace.names, &library);
    let triple = |pair: Pair| (pair.earlier, pair.later, pair.racy);
    found.expect("understood").into_iter().map(triple).collect()
}

/// What happens-before, WDC and EDC say; bounded tracking says what EDC says.
fn check(text: &str, hb: &[(u64, u64, bool)], wdc: &[(u64, u64, bool)], edc: &[(u64, u64, bool)]) {
    let trace = trace(text);
    for (reference, expected) in [(Hb, hb), (Wdc, wdc), (Edc, edc), (CCS, edc)] {
        let found = found(reference, &trace);
        assert_eq!(found, expected, "{reference:?}\n{}", trace.text());
    }
}

#[test]
fn example_1_use_and_free_under_one_lock() {
    let text = "
        T1 acq(m) w(x) rel(m)
        T2 acq(m) free(x) rel(m)";
    check(text, &[], &[], &[(2, 5, SWAPPED)]);
}

/// EXAMPLE 2 and Figure 3.1: the set operations commute, so the critical
/// sections can be swapped; whoever sees them as accesses cannot know.
#[test]
fn example_2_and_figure_3_1() {
    let text = "
        T0 new(s:set) s.add(42)/false fork(T1) fork(T2)
        T1 r(x) acq(m) s.add(1)/false rel(m)
        T2 acq(m) s.contains(42)/true free(x) rel(m)";
    check(text, &[], &[], &[(5, 11, RACY)]);
    // The same value: the second thread learns what the first did.
    let text = "
        T0 new(s:set) fork(T1) fork(T2)
        T1 r(x) acq(m) s.add(42)/false rel(m)
        T2 acq(m) s.contains(42)/true free(x) rel(m)";
    check(text, &[], &[], &[]);
}

/// The accesses inside the library, in place of its operations.
#[test]
fn figure_3_1_below_the_library() {
    let text = "
        T1 r(x) acq(m) r(s) w(s) rel(m)
        T2 acq(m) r(s) free(x) rel(m)";
    check(text, &[], &[], &[]);
}

const FIGURE_3_3: &str = "
    T1 acq(m) r(y) w(x) rel(m)
    T2 acq(m) free(x) w(y) rel(m)";

#[test]
fn figure_3_3_is_no_violation() {
    check(FIGURE_3_3, &[], &[], &[]);
}

#[test]
fn figure_3_3_has_the_printed_clocks() {
    let rows = [
        // events taken, C_1, C_2, candidates
        (0, "⟨1,0⟩", "⟨0,1⟩", None),
        (1, "⟨2,0⟩", "⟨0,1⟩", None),
        (2, "⟨3,0⟩", "⟨0,1⟩", None),
        (3, "⟨4,0⟩", "⟨0,1⟩", None),
        (4, "⟨5,0⟩", "⟨0,1⟩", None),
        (5, "⟨5,0⟩", "⟨0,2⟩", None),
        (6, "⟨5,0⟩", "⟨0,3⟩", Some((4, "T1"))),
        (7, "⟨5,0⟩", "⟨5,4⟩", Some((4, "T1"))),
        (8, "⟨5,0⟩", "⟨5,5⟩", None),
    ];
    let Trace { events, names } = trace(FIGURE_3_3);
    let [t1, t2] = ["T1", "T2"].map(|name| names.threads.lookup(name).expect("a thread"));
    for reference in [Edc, CCS] {
        let library = Arc::new(Library::shipped());
        let mut analysis = Analysis::new(reference, library).with_ticks(Ticks::PerEvent);
        let mut taken = 0;
        for (row, first, second, candidate) in rows {
            for event in &events[taken..row] {
                analysis.step(event, &names).expect("understood");
            }
            taken = row;
            assert_eq!(analysis.clock(t1, &names), first, "row {row}");
            assert_eq!(analysis.clock(t2, &names), second, "row {row}");
            let named = |c: Candidate| (c.time, names.threads.name(c.thread).to_string());
            let candidates = analysis.candidates(t2).into_iter().map(named);
            let expected = candidate.map(|(time, thread)| (time, thread.to_owned()));
            assert_eq!(
                candidates.collect::<Vec<_>>(),
                expected.into_iter().collect::<Vec<_>>(),
                "row {row}"
            );
        }
        assert_eq!(analysis.finish(), []);
    }
}

/// Clocks that advance at releases only have the same order: the release of the
/// first section comes before `w(y)`, and not before `free(x)`.
#[test]
fn figure_3_3_has_the_printed_order() {
    let Trace { events, names } = trace(FIGURE_3_3);
    let t2 = names.threads.lookup("T2").expect("a thread");
    let mut analysis = Analysis::new(Edc, Arc::new(Library::shipped()));
    let mut clocks = Vec::new();
    for event in &events {
        analysis.step(event, &names).expect("understood");
        clocks.push(analysis.clock(t2, &names));
    }
    assert_eq!(clocks[4..], ["⟨0,1⟩", "⟨0,1⟩", "⟨1,1⟩", "⟨1,2⟩"]);
}

/// The broadcast may come before the wait and is lost then, lock or no lock.
#[test]
fn figure_3_4_a_lost_wakeup_in_cockroachdb() {
    let text = "
        T1 acq(mu) r(cycler) wait(c,mu)
        T2 acq(mu) r(cycler) notify_all(c) rel(mu)
        T1 wake(c,mu) rel(mu)";
    check(text, &[], &[], &[(3, 6, SWAPPED)]);
    // The other way round: the wait is what releases the lock.
    let text = "
        T2 acq(mu) r(cycler) notify_all(c) rel(mu)
        T1 acq(mu) r(cycler) wait(c,mu)";
    check(text, &[], &[], &[(3, 7, SWAPPED)]);
    // A broadcast without the lock.
    let text = "
        T1 acq(mu) r(cycler) wait(c,mu)
        T2 notify_all(c)
        T1 wake(c,mu) rel(mu)";
    check(text, &[(3, 4, RACY)], &[], &[(3, 4, RACY)]);
}

/// A flag under the lock decides who comes first, as it should.
#[test]
fn a_wait_that_looks_at_a_flag_loses_no_wakeup() {
    let text = "
        T1 acq(m) r(ready) wait(c,m)
        T2 acq(m) w(ready) notify(c) rel(m)
        T1 wake(c,m) r(ready) rel(m)";
    check(text, &[], &[], &[]);
}

/// What was done before a notification is done when the wait is over.
#[test]
fn a_notification_comes_before_the_wake() {
    let text = "
        T1 acq(m) wait(c,m)
        T2 w(x) acq(m) notify(c) rel(m)
        T1 wake(c,m) rel(m) r(x)";
    // WDC does not know condition variables.
    check(text, &[], &[(3, 9, RACY)], &[(2, 5, SWAPPED)]);
}

#[test]
fn figure_3_6_a_use_after_free_in_chromium() {
    let text = "
        T0 fork(worker) r(g_gc_info_table) r(table)
        worker acq(m) r(gc_info_index) w(gc_info_index) free(table) rel(m)";
    let pair = [(3, 7, RACY)];
    check(text, &pair, &pair, &pair);
    // A lock that both happened to take hides it from happens-before.
    let text = "
        T0 fork(worker) r(table) acq(m) r(other) rel(m)
        worker acq(m) w(gc_info_index) free(table) rel(m)";
    let pair = [(2, 8, RACY)];
    check(text, &[], &pair, &pair);
}

/// The renderer still uses a query that the application deletes.
#[test]
fn figure_3_5_a_query_is_deleted_while_it_is_rendered() {
    let text = "
        app fork(renderer)
        renderer r(draw.queries) r(query)
        app free(query)";
    let pair = [(3, 4, RACY)];
    check(text, &pair, &pair, &pair);
}

/// The check of `impl_` and its use are two steps, and the worker's lock
/// protects neither.
#[test]
fn figure_3_5_b_task_queues_are_deleted_after_the_check() {
    let text = "
        main fork(worker) r(impl_) r(impl_)
        worker acq(queues) w(queues_to_delete) free(impl_) rel(queues)";
    // Of several uses in a row the last one is kept.
    let pairs = [(3, 6, RACY)];
    check(text, &pairs, &pairs, &pairs);
}

/// The request is used and destroyed in sections of one lock: no race, and
/// nothing says which comes first.
#[test]
fn figure_3_5_c_a_request_is_destroyed_before_it_is_used() {
    let text = "
        T1 acq(db) w(request) rel(db)
        T2 acq(db) free(request) rel(db)";
    check(text, &[], &[], &[(2, 5, SWAPPED)]);
}

/// EDC is wrong: swapping the sections of A would put `w(y)` before `r(y)`. "A
/// deferred report is always true" is not so, even without any race.
#[test]
fn edc_reports_what_other_locks_forbid() {
    let text = "
        T0 acq(A) acq(B) r(y) rel(B) w(X) rel(A)
        T1 acq(B) w(y) rel(B) acq(A) free(X) rel(A)";
    check(text, &[], &[], &[(5, 11, SWAPPED)]);
}

/// EDC is wrong: the second section cannot end before `w(y)`, which comes after
/// the first. The race on `y` is real.
#[test]
fn edc_reports_what_a_read_outside_locks_forbids() {
    let text = "
        T1 acq(m) w(x) rel(m) w(y)
        T2 acq(m) free(x) r(y) rel(m)";
    let race = (4, 7, RACY);
    check(text, &[race], &[race], &[race, (2, 6, SWAPPED)]);
}

/// EDC is wrong: nobody reads `y`, so the sections may be swapped.
#[test]
fn edc_misses_what_two_writes_do_not_forbid() {
    let text = "
        T1 acq(m) w(y) w(x) rel(m)
        T2 acq(m) w(y) free(x) rel(m)";
    check(text, &[], &[], &[]);
}

/// A race that is no order violation by Definition 3.3.1: no reordering has the
/// read before the write.
#[test]
fn a_write_and_a_read_race() {
    let pair = [(1, 2, RACY)];
    check("T1 w(x)\n T2 r(x)", &pair, &pair, &pair);
}

/// WDC is wrong: it compares after it ordered the section, and keeps one write
/// of a thread. The first write is in a race.
#[test]
fn wdc_misses_an_access_that_is_repeated_under_a_lock() {
    let text = "
        T1 w(x) acq(m) w(x) rel(m)
        T2 acq(m) w(x) rel(m)";
    check(text, &[], &[], &[(1, 6, RACY)]);
}

/// An action that learns of another cannot do without it, but the two race.
#[test]
fn actions_that_do_not_commute_race() {
    let text = "
        T0 new(d:dictionary) fork(T1) fork(T2)
        T1 d.put(1,2)/nil
        T2 d.get(1)/2";
    let pair = [(4, 5, RACY)];
    check(text, &pair, &[], &pair);
    let text = "
        T0 new(d:dictionary) fork(T1) fork(T2)
        T1 d.put(1,2)/nil
        T2 d.get(2)/nil";
    check(text, &[], &[], &[]);
    let text = "
        T0 new(d:dictionary) fork(T1) fork(T2)
        T1 acq(m) d.put(1,2)/nil rel(m)
        T2 acq(m) d.get(1)/2 rel(m)";
    check(text, &[], &[], &[]);
}

/// Figure 3.2: pairs of a library that only their order matters to.
#[test]
fn order_only_conflicts_of_libraries_are_reported_under_a_lock() {
    for (type_name, first, second) in [
        ("channel", "send(1)/true", "close()/true"),
        ("context", "Err()/nil", "cancel()"),
        ("file", "read()", "close()"),
        ("file", "close()", "close()"),
        ("memory", "write(1,2)", "free(1)"),
    ] {
        let locked = format!(
            "T0 new(o:{type_name}) fork(T1) fork(T2)
             T1 acq(m) o.{first} rel(m)
             T2 acq(m) o.{second} rel(m)"
        );
        check(&locked, &[], &[], &[(5, 8, SWAPPED)]);
        let bare = format!(
            "T0 new(o:{type_name}) fork(T1) fork(T2)
             T1 o.{first}
             T2 o.{second}"
        );
        check(&bare, &[(4, 5, RACY)], &[], &[(4, 5, RACY)]);
    }
}

/// A pair of methods outside ECL has no access points.
#[test]
fn pairs_outside_ecl_are_compared_by_their_formula() {
    let text = "
        T0 new(q:priority_queue) fork(T1) fork(T2)
        T1 q.push(5)
        T2 q.peek()/7";
    let library = Library::shipped();
    let compiled = library.get("priority_queue").expect("shipped");
    assert!(!compiled.points().linear().is_empty());
    let pair = [(4, 5, RACY)];
    check(text, &pair, &[], &pair);
}

/// However many access points two actions have in common.
#[test]
fn no_pair_is_reported_twice() {
    let text = "type edges {
        connect(a, b)  mutates true
        connect(a1, b1) ~ connect(a2, b2) : a1 != a2 && b1 != b2
    }";
    let mut library = Library::shipped();
    library.insert(commute_spec::parse(text).specifications.remove(0));
    let library = Arc::new(library);
    let trace = trace(
        "T0 new(e:edges) fork(T1) fork(T2)
         T1 e.connect(1,2)
         T2 e.connect(1,2)",
    );
    for reference in [Hb, Edc, CCS] {
        let found = pairs(reference, &trace.events, &trace.names, &library);
        assert_eq!(found.expect("understood").len(), 1, "{reference:?}");
    }
}

/// As printed it would be reported at the end of the inner section.
#[test]
fn a_candidate_waits_for_the_outermost_lock() {
    let text = "
        T1 acq(A) acq(B) w(x) rel(B) r(y) rel(A)
        T2 acq(A) acq(B) free(x) rel(B) w(y) rel(A)";
    check(text, &[], &[], &[]);
    // Released in the other order, it is the lock that is released last.
    let text = "
        T1 acq(B) w(x) acq(A) rel(B) r(y) rel(A)
        T2 acq(A) acq(B) free(x) rel(B) w(y) rel(A)";
    check(text, &[], &[], &[(2, 9, SWAPPED)]);
    let text = "
        T1 acq(A) acq(B) w(x) r(y) rel(B) rel(A)
        T2 acq(A) acq(B) free(x) rel(A) w(y) rel(B)";
    check(text, &[], &[], &[]);
}

#[test]
fn a_candidate_is_decided_at_the_end_of_the_trace() {
    let text = "
        T1 acq(m) w(x) rel(m)
        T2 acq(m) free(x)";
    check(text, &[], &[], &[(2, 5, SWAPPED)]);
    let text = "
        T1 acq(m) r(y) w(x) rel(m)
        T2 acq(m) free(x) w(y)";
    check(text, &[], &[], &[]);
}

#[test]
fn fork_and_join_order() {
    let text = "
        T0 w(x) w(y) fork(T1)
        T1 w(x) free(y)
        T0 join(T1) w(x) r(y)";
    check(text, &[], &[], &[]);
}

#[test]
fn only_the_outermost_section_of_a_lock_counts() {
    let text = "
        T1 acq(m) acq(m) w(x) rel(m) w(y) rel(m)
        T2 acq(m) w(x) rel(m) r(y)";
    check(text, &[], &[], &[]);
}

#[test]
fn a_wait_gives_the_lock_up_however_often_it_is_held() {
    let text = "
        T1 acq(m) acq(m) wait(c,m)
        T2 acq(m) notify(c) rel(m)
        T1 wake(c,m) rel(m) w(x) rel(m)
        T2 acq(m) r(x) rel(m)";
    check(text, &[], &[], &[(3, 5, SWAPPED)]);
}

#[test]
fn readers_do_not_keep_each_other_out() {
    let text = "
        T1 racq(m) w(x) rrel(m)
        T2 racq(m) w(x) rrel(m)";
    let pair = [(2, 5, RACY)];
    check(text, &pair, &pair, &pair);
    let text = "
        T1 racq(m) r(y) r(x) rrel(m)
        T2 acq(m) free(x) rel(m)";
    check(text, &[], &[], &[(3, 6, SWAPPED)]);
    // A writer that goes over to reading lets readers in.
    let text = "
        T1 acq(m) w(x) racq(m) rel(m)
        T2 racq(m) r(x) rrel(m)
        T1 rrel(m)";
    check(text, &[], &[], &[]);
    // It holds the lock all the same, so its candidate is not decided yet.
    let text = "
        T1 acq(m) r(y) w(x) rel(m)
        T2 acq(m) racq(m) free(x) rel(m) w(y) rrel(m)";
    check(text, &[], &[], &[]);
}

#[test]
fn a_new_life_conflicts_with_no_old_one() {
    let text = "
        T1 acq(m) w(x) free(x) alloc(x) rel(m)
        T2 acq(m) w(x) rel(m)";
    check(text, &[], &[], &[]);
    let text = "
        T1 new(f:file) acq(m) f.read() f.close() drop(f) new(f:file) rel(m)
        T2 acq(m) f.read() rel(m)";
    check(text, &[], &[], &[]);
}

#[test]
fn channels_order_threads() {
    let text = "
        T0 new(c:channel) fork(T1) fork(T2)
        T1 w(x) c.send(1)/true
        T2 c.recv()/1 r(x)";
    check(text, &[], &[], &[]);
}

fn bounded(words: usize, releases: usize, trace: &Trace) -> Vec<(u64, u64, bool)> {
    found(Reference::Ccs(Bounds { words, releases }), trace)
}

/// The second thread pushes out the first one's word. The third might then come
/// after the first section, so nothing is said about the two.
#[test]
fn a_forgotten_word_orders() {
    let text = "
        T1 acq(m) w(x) r(y) rel(m)
        T2 acq(n) r(y) rel(n)
        T3 acq(m) r(y) free(x) rel(m)";
    let trace = trace(text);
    assert_eq!(found(Edc, &trace), [(2, 10, SWAPPED)]);
    assert_eq!(bounded(2, 8, &trace), [(2, 10, SWAPPED)]);
    assert_eq!(bounded(1, 8, &trace), []);
}

/// The third thread comes after the first section. When that ended is forgotten
/// together with the end of the second.
#[test]
fn a_forgotten_release_orders() {
    let text = "
        T1 acq(m) w(y) rel(m)
        T2 acq(m) w(x) rel(m)
        T3 acq(m) r(y) free(x) rel(m)";
    let trace = trace(text);
    assert_eq!(found(Edc, &trace), [(5, 9, SWAPPED)]);
    assert_eq!(bounded(4, 1, &trace), [(5, 9, SWAPPED)]);
    assert_eq!(bounded(4, 0, &trace), []);
}

#[test]
fn an_event_that_cannot_be_understood_is_named() {
    let trace = trace("T1 w(x) new(o:nonsense)");
    let library = Arc::new(Library::shipped());
    let error = pairs(Edc, &trace.events, &trace.names, &library).expect_err("no type");
    assert_eq!(error.offset, 1);
    assert!(error.message.contains("nonsense"), "{error}");
}

#[test]
fn a_thread_without_events_has_the_first_clock() {
    let analysis = Analysis::new(Wdc, Arc::new(Library::shipped()));
    let names = trace("T1 fork(T2)").names;
    assert_eq!(analysis.clock(ThreadId(1), &names), "⟨0,1⟩");
}
