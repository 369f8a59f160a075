//! Predicted races and order violations of a small trace: everything that some
//! correct reordering of it shows.
//!
//! [`is_correct_reordering`] is the definition, word for word. [`predict`] looks
//! at every configuration that correct reorderings can reach; the tests hold one
//! against the other. Exponential in the number of threads.
//!
//! Where the definition leaves a choice: releasing a lock that is not held does
//! nothing, and an action of an object whose type is not known conflicts with
//! nothing. An action that does not fit its method panics, as everywhere in the
//! oracles.
//!
//! An opaque value is equal to nothing in a conflict, and may be equal to anything
//! for what an action needs.

mod observed;
mod reordering;
mod search;

use std::collections::{BTreeMap, BTreeSet};

use commute_model::{Event, Names};
use commute_spec::Library;

use observed::Observed;

/// When the actions of a library object may be reordered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Legal {
    /// Nothing is swapped with, or happens without, what it does not commute
    /// with.
    Order,
    /// Nothing is swapped with what it does not commute with, or happens without
    /// a mutation that it does not commute with.
    Observe,
    /// The sequential model returns what was recorded. As `Observe` for a type without a
    /// model, or with one whose size or initial state the program chooses; for an object
    /// that was not made in the trace, or does not do in the trace what a new one does;
    /// and from the first action of an object with something opaque on.
    Replay,
}

impl Legal {
    /// All readings; each allows what the one before it does.
    pub const ALL: [Legal; 3] = [Legal::Order, Legal::Observe, Legal::Replay];
}

/// Pairs of conflicting events of different threads, by their places in the
/// trace, which count from 0. The earlier one comes first.
///
/// An event is next if it is the next of its thread and can execute, perhaps with
/// another outcome: an acquisition is next only while no other thread holds the lock.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Predicted {
    /// Both can be next.
    pub races: BTreeSet<(usize, usize)>,
    /// The earlier one can be next when the later one has happened.
    pub orders: BTreeSet<(usize, usize)>,
}

/// For every predicted pair a shortest correct reordering that shows it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Witnesses {
    /// Of the races.
    pub races: BTreeMap<(usize, usize), Vec<usize>>,
    /// Of the order violations.
    pub orders: BTreeMap<(usize, usize), Vec<usize>>,
}

/// All predicted races and order violations, of order-only and of communicating
/// conflicts; `None` if there are more than `most` configurations.
pub fn predict(
    events: &[Event],
    names: &Names,
    library: &Library,
    legal: Legal,
    most: usize,
) -> Option<Predicted> {
    let found = witnesses(events, names, library, legal, most)?;
    Some(Predicted {
        races: found.races.into_keys().collect(),
        orders: found.orders.into_keys().collect(),
    })
}

/// As [`predict`], with a witness for each pair.
pub fn witnesses(
    events: &[Event],
    names: &Names,
    library: &Library,
    legal: Legal,
    most: usize,
) -> Option<Witnesses> {
    search::all(&Observed::new(events, names, library, legal), most)
}

/// All pairs of conflicting events of different threads, whether or not anything
/// about them can be predicted.
pub fn conflicts(events: &[Event], names: &Names, library: &Library) -> BTreeSet<(usize, usize)> {
    Observed::new(events, names, library, Legal::Observe).conflicts()
}

/// Whether the conflict between the events at these two places is order-only: no
/// value flows between them. False if they do not conflict.
pub fn is_order_only(
    events: &[Event],
    names: &Names,
    library: &Library,
    (a, b): (usize, usize),
) -> bool {
    let observed = Observed::new(events, names, library, Legal::Observe);
    observed.conflict(a.min(b), a.max(b)) == Some(observed::Conflict::OrderOnly)
}

/// Whether `rho`, a sequence of places in the trace, is a correct reordering of
/// it.
///
/// # Errors
/// What is wrong with it.
pub fn is_correct_reordering(
    events: &[Event],
    names: &Names,
    library: &Library,
    legal: Legal,
    rho: &[usize],
) -> Result<(), String> {
    reordering::check(&Observed::new(events, names, library, legal), rho)
}

/// Whether the event at place `e` can execute after `rho`, perhaps with another outcome:
/// it is the next of its thread, the events it cannot do without have happened, and the
/// lock that it acquires is free.
///
/// # Errors
/// What is in its way.
pub fn can_execute(
    events: &[Event],
    names: &Names,
    library: &Library,
    rho: &[usize],
    e: usize,
) -> Result<(), String> {
    reordering::can_execute(
        &Observed::new(events, names, library, Legal::Observe),
        rho,
        e,
    )
}
