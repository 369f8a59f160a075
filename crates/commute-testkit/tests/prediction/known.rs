//! How the tests by hand say what they expect.

use std::collections::BTreeSet;

use commute_spec::Library;
use commute_testkit::oracle::prediction::{
    Legal, Predicted, is_correct_reordering, is_order_only, predict,
};
use commute_testkit::traces::Trace;

/// Pairs of places in the trace, from 0.
type Pairs<'a> = &'a [(usize, usize)];

/// A trace of lines `thread|operation`; blank lines are for the reader.
pub(crate) fn trace(text: &str) -> Trace {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let located = lines.enumerate().map(|(n, line)| format!("{line}|{n}\n"));
    Trace::parse(&located.collect::<String>())
}

pub(crate) fn predicted(trace: &Trace, legal: Legal) -> Predicted {
    let library = Library::shipped();
    let found = predict(&trace.events, &trace.names, &library, legal, 100_000);
    found.expect("a small trace")
}

fn set(pairs: Pairs<'_>) -> BTreeSet<(usize, usize)> {
    pairs.iter().copied().collect()
}

/// Checks the predicted races and order violations by one reading.
#[track_caller]
pub(crate) fn check_as(legal: Legal, text: &str, races: Pairs<'_>, orders: Pairs<'_>) {
    let found = predicted(&trace(text), legal);
    assert_eq!(found.races, set(races), "races, {legal:?}");
    assert_eq!(found.orders, set(orders), "order violations, {legal:?}");
}

/// Checks them by every reading.
#[track_caller]
pub(crate) fn check(text: &str, races: Pairs<'_>, orders: Pairs<'_>) {
    for legal in Legal::ALL {
        check_as(legal, text, races, orders);
    }
}

/// Whether the conflict of these two is order-only.
pub(crate) fn order_only(text: &str, pair: (usize, usize)) -> bool {
    let trace = trace(text);
    is_order_only(&trace.events, &trace.names, &Library::shipped(), pair)
}

/// What is wrong with this reordering by each of the readings, if anything.
pub(crate) fn wrong(text: &str, rho: &[usize]) -> [Option<String>; 3] {
    let (trace, library) = (trace(text), Library::shipped());
    Legal::ALL
        .map(|legal| is_correct_reordering(&trace.events, &trace.names, &library, legal, rho).err())
}
