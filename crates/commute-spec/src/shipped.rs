//! The specifications that come with Commute: the files of `specs/`, embedded.
//!
//! | name | of |
//! |---|---|
//! | `dictionary` | RD2, Figures 5 and 6 |
//! | `set`, `hashtable`, `counter` | the thesis, chapters 2 and 4 |
//! | `memory`, `file`, `context` | the thesis, Figure 3.2 |
//! | `register` | plain reads and writes |
//! | `channel`, `condvar` | Rust's and Go's |
//! | `mpsc` | Rust's channels, whose messages come in any order |
//! | `union_find`, `union_find_coarse` | fine (exact where the state is known) and coarse |
//! | `map`, `hashset`, `vec`, `queue`, `bounded_queue`, `stack`, `priority_queue` | Rust's collections |
//! | `atomic`, `semaphore`, `barrier`, `latch` | Rust's, C++'s and Java's synchronisation |
//! | `wait_group`, `future` | Go's wait group; a value that is set once |
//!
//! Each names its model and is sound for it ([`crate::verify()`]).

use std::sync::LazyLock;

use crate::parse;
use crate::specification::Specification;

macro_rules! sources {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../specs/", $name, ".ecl")))),*]
    };
}

/// Name and text of every shipped specification, by name.
pub const SOURCES: &[(&str, &str)] = sources![
    "atomic",
    "barrier",
    "bounded_queue",
    "channel",
    "condvar",
    "context",
    "counter",
    "dictionary",
    "file",
    "future",
    "hashset",
    "hashtable",
    "latch",
    "map",
    "memory",
    "mpsc",
    "priority_queue",
    "queue",
    "register",
    "semaphore",
    "set",
    "stack",
    "union_find",
    "union_find_coarse",
    "vec",
    "wait_group",
];

/// Every shipped specification, by name.
pub fn all() -> &'static [Specification] {
    static ALL: LazyLock<Vec<Specification>> = LazyLock::new(|| {
        let specifications = |(_, text): &(&str, &str)| parse(text).specifications;
        SOURCES.iter().flat_map(specifications).collect()
    });
    &ALL
}

/// Parses the shipped specification of this name, and no other.
pub(crate) fn parse_one(name: &str) -> Option<Specification> {
    let (_, text) = SOURCES.iter().find(|(shipped, _)| *shipped == name)?;
    parse(text).specifications.pop()
}

/// The shipped specification of this name; `-` is as good as `_`.
///
/// ```
/// let map = commute_spec::shipped::named("map").unwrap();
/// assert!(map.method("or_insert").is_some());
/// assert!(commute_spec::shipped::named("union-find").is_some());
/// ```
pub fn named(name: &str) -> Option<&'static Specification> {
    let name = name.replace('-', "_");
    all()
        .iter()
        .find(|specification| specification.name == name)
}
