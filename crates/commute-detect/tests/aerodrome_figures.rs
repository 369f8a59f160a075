//! The figures of the AeroDrome paper: verdicts, reporting events, and the
//! clocks that Figures 5 to 7 print.

use std::sync::Arc;

use commute_detect::{Atomicity, Method, Pass};
use commute_spec::Library;
use commute_testkit::figures;
use commute_testkit::traces::Trace;

const ALL: [Method; 3] = [Method::AeroDrome, Method::AeroDromeBasic, Method::Velodrome];

/// The events at which a violation is reported.
fn reported(text: &'static str, method: Method) -> Vec<u64> {
    let Trace { events, names } = Trace::parse(text);
    let library = Arc::new(Library::shipped());
    let mut pass = Atomicity::new(library, method, None).keep_reports();
    pass.steps(&events, &names).expect("understood");
    pass.finish(&names, &mut Vec::new());
    pass.reports().iter().map(|report| report.index).collect()
}

#[test]
fn figure_1_is_serializable() {
    for method in ALL {
        assert_eq!(reported(figures::AERODROME_FIGURE_1, method), []);
    }
}

#[test]
fn figures_2_to_4_are_not() {
    for (text, clocks, graph) in [
        (figures::AERODROME_FIGURE_2, 6, 6),
        // With clocks it takes the end of a transaction to see it.
        (figures::AERODROME_FIGURE_3, 7, 6),
        (figures::AERODROME_FIGURE_4, 11, 11),
    ] {
        assert_eq!(reported(text, Method::AeroDrome)[0], clocks);
        assert_eq!(reported(text, Method::AeroDromeBasic)[0], clocks);
        assert_eq!(reported(text, Method::Velodrome)[0], graph);
    }
}

/// Runs `aerodrome-basic` and compares the clocks it has after events with what
/// the figure prints in the row of the event.
fn check_clocks(text: &'static str, rows: &[(usize, &str, &str)]) {
    let Trace { events, names } = Trace::parse(text);
    let threads = names.threads.len();
    let library = Arc::new(Library::shipped());
    let mut pass = Atomicity::new(library, Method::AeroDromeBasic, None);
    let mut next = 0;
    for &(event, clock, expected) in rows {
        pass.steps(&events[next..event], &names)
            .expect("understood");
        next = event;
        let found = match clock.strip_prefix("W_") {
            Some(x) => {
                let x = names.variables.lookup(x).expect("a variable");
                pass.clock_of_write(x, threads)
            }
            None => {
                let t = names
                    .threads
                    .lookup(&clock.replace("C_", ""))
                    .expect("a thread");
                pass.clock_of(t, threads)
            }
        };
        assert_eq!(
            found.as_deref(),
            Some(expected),
            "{clock} after event {event}"
        );
    }
}

#[test]
fn figure_5_has_these_clocks() {
    check_clocks(
        figures::AERODROME_FIGURE_2,
        &[
            (1, "C_t1", "⟨2,0⟩"),
            (2, "C_t2", "⟨0,2⟩"),
            (3, "W_x", "⟨2,0⟩"),
            (4, "C_t2", "⟨2,2⟩"),
            (5, "W_y", "⟨2,2⟩"),
        ],
    );
}

#[test]
fn figure_6_has_these_clocks() {
    check_clocks(
        figures::AERODROME_FIGURE_3,
        &[
            (1, "C_t1", "⟨2,0⟩"),
            (2, "C_t2", "⟨0,2⟩"),
            (3, "W_x", "⟨2,0⟩"),
            (4, "W_y", "⟨0,2⟩"),
            (5, "C_t1", "⟨2,2⟩"),
            (6, "C_t2", "⟨2,2⟩"),
        ],
    );
}

#[test]
fn figure_7_has_these_clocks() {
    check_clocks(
        figures::AERODROME_FIGURE_4,
        &[
            (1, "C_t1", "⟨2,0,0⟩"),
            (2, "W_x", "⟨2,0,0⟩"),
            (3, "C_t2", "⟨0,2,0⟩"),
            (4, "W_y", "⟨0,2,0⟩"),
            (5, "C_t2", "⟨2,2,0⟩"),
            (6, "W_y", "⟨2,2,0⟩"),
            (7, "C_t3", "⟨0,0,2⟩"),
            (8, "C_t3", "⟨2,2,2⟩"),
            (9, "W_z", "⟨2,2,2⟩"),
        ],
    );
}
