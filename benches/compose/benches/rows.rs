//! The methods that are measured.

use commute::compose::{Checked, Environment, check};

use crate::described::Described;
use crate::rivals::{Found, Search};
use crate::script::Script;
use crate::worlds::{interrupted, plain, watched};
use crate::{alone, injection, threads};

/// A method, and how it is checked by whom.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    /// By the adversary, with so many operations of others.
    pub(crate) ours: fn(usize) -> Checked,
    /// By a random test with two threads.
    pub(crate) threads: fn(&Search) -> Found,
    /// By a random test that interrupts it.
    pub(crate) injection: fn(&Search) -> Found,
    /// By a test in which nobody interrupts anybody.
    pub(crate) alone: fn(&Search) -> Found,
}

/// A method on a map that others use in every way.
macro_rules! open {
    ($name:expr, $map:ident, $method:ident) => {
        Row {
            name: $name,
            ours: |steps| {
                watched::with_a_value(check(watched::$map::default))
                    .method(watched::$method)
                    .collection(|map: &watched::$map| &map.0)
                    .environment(Environment::open())
                    .steps(steps)
                    .run()
            },
            threads: |search| {
                let described = Described::<plain::$map>::new().without_itself();
                let described = plain::others_use_the_map(plain::with_a_value(described));
                threads::search(&described.method(plain::$method), search)
            },
            injection: |search| {
                let described = Described::<interrupted::$map>::new().without_itself();
                let described =
                    interrupted::others_use_the_map(interrupted::with_a_value(described));
                injection::search(described.method(interrupted::$method), search)
            },
            alone: |search| {
                let described = Described::<plain::$map>::new().without_itself();
                let described = plain::others_use_the_map(plain::with_a_value(described));
                alone::search(&described.method(plain::$method), search)
            },
        }
    };
}

/// A method of an object, which others use by its methods.
macro_rules! client {
    ($name:expr, $script:ident) => {
        Row {
            name: $name,
            ours: |steps| watched::$script(check(Default::default)).steps(steps).run(),
            threads: |search| threads::search(&plain::$script(Described::new()), search),
            injection: |search| injection::search(interrupted::$script(Described::new()), search),
            alone: |search| alone::search(&plain::$script(Described::new()), search),
        }
    };
}

pub(crate) const WRONG: &[Row] = &[
    open!("figure 2a, dashmap", Dash, figure_2a),
    open!("figure 2a, RwLock<HashMap>", Locked, figure_2a),
    open!("figure 3a, 12 (iv), dashmap", Dash, figure_3a),
    open!("figure 3a, 12 (iv), RwLock<HashMap>", Locked, figure_3a),
    open!("figure 8, dashmap", Dash, figure_8),
    open!("figure 8, RwLock<HashMap>", Locked, figure_8),
    open!("figure 12 (iii), dashmap", Dash, figure_12_iii),
    open!("figure 12 (iii), RwLock<HashMap>", Locked, figure_12_iii),
    open!("figure 12 (v), dashmap", Dash, figure_12_v),
    open!("figure 12 (v), RwLock<HashMap>", Locked, figure_12_v),
    open!("figure 12 (vi), dashmap", Dash, figure_12_vi),
    open!("figure 12 (vi), RwLock<HashMap>", Locked, figure_12_vi),
    client!("sessions: touch and put back", sessions),
    client!("pool: look, then take", pool_look_then_take),
    client!("limiter: look, then acquire", limiter_look_then_acquire),
    client!("users: one map, then the other", users),
    client!("files: leave, then remove", files),
];

pub(crate) const CORRECT: &[Row] = &[
    open!("figure 1, dashmap", Dash, figure_1),
    open!("figure 1, RwLock<HashMap>", Locked, figure_1),
    open!("look twice, dashmap", Dash, figure_12_ii_twice),
    open!("look twice, RwLock<HashMap>", Locked, figure_12_ii_twice),
    client!("users: both maps locked", locked_users),
    client!("limiter: acquire", limiter_acquire),
    client!("pool: take", pool_take),
];
