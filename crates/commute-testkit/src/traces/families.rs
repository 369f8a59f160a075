//! Random traces to predict from: locks in sections that are nested, results
//! that the sequential models return, `free` mostly after the last use, waits
//! that mostly end by a notification.

mod run;

use commute_spec::Library;

use super::Trace;
use run::Run;

/// What the traces of a family contain. What is not a number is a percentage.
#[derive(Clone, Debug)]
pub struct Family {
    /// How many threads at most.
    pub threads: usize,
    /// About how many events at most; open sections are closed after them.
    pub events: usize,
    /// How many variables.
    pub variables: usize,
    /// How many locks.
    pub locks: usize,
    /// Types of the objects, one object each.
    pub types: Vec<&'static str>,
    /// Locking among the steps.
    pub locking: usize,
    /// Uses outside any section that enter one first: that of the lock which
    /// guards what is used.
    pub guarded: usize,
    /// Sections inside sections, which may be of the same lock.
    pub nested: usize,
    /// Shared acquisitions among all.
    pub read_locks: usize,
    /// Variables that are freed and objects that are dropped.
    pub frees: usize,
    /// Waits and notifications among the steps.
    pub condvars: usize,
    /// Frees and allocations of locks and condition variables among the steps.
    pub lock_frees: usize,
    /// Whether `'a'`, one of two values that models know, is opaque. Not a percentage.
    pub opaque_messages: bool,
    /// Arguments and results that are opaque. The trace is otherwise the same.
    pub opaque: usize,
    /// Objects that are not in the initial state of their model when the trace begins, nor
    /// after a later `new`: they were made with arguments, or filled before.
    pub filled: usize,
}

impl Default for Family {
    /// Two variables under two locks.
    fn default() -> Family {
        Family {
            threads: 3,
            events: 14,
            variables: 2,
            locks: 2,
            types: Vec::new(),
            locking: 35,
            guarded: 30,
            nested: 0,
            read_locks: 0,
            frees: 0,
            condvars: 0,
            lock_frees: 0,
            opaque_messages: false,
            opaque: 0,
            filled: 0,
        }
    }
}

impl Family {
    /// Objects of these types, and one variable.
    pub fn objects(types: &[&'static str]) -> Family {
        Family {
            types: types.to_vec(),
            variables: 1,
            locks: 1,
            guarded: 60,
            ..Family::default()
        }
    }

    /// Families that cover, together, everything there is to predict from.
    pub fn all() -> Vec<(&'static str, Family)> {
        let plain = Family::default;
        let one_lock = Family {
            locks: 1,
            guarded: 80,
            frees: 60,
            ..plain()
        };
        let many_locks = Family {
            locks: 4,
            threads: 4,
            events: 18,
            nested: 40,
            frees: 40,
            ..plain()
        };
        let nested = Family {
            nested: 60,
            locking: 45,
            frees: 60,
            ..plain()
        };
        let read_locks = Family {
            read_locks: 50,
            nested: 30,
            frees: 40,
            ..plain()
        };
        let freed = Family {
            variables: 1,
            guarded: 60,
            frees: 100,
            ..plain()
        };
        let waiting = Family {
            locks: 1,
            guarded: 60,
            condvars: 30,
            frees: 30,
            ..plain()
        };
        let reentrant_waits = Family {
            locks: 1,
            locking: 50,
            nested: 60,
            ..waiting.clone()
        };
        let freed_locks = Family {
            variables: 1,
            locking: 45,
            nested: 50,
            read_locks: 15,
            lock_frees: 12,
            frees: 20,
            ..plain()
        };
        let freed_condvars = Family {
            threads: 4,
            events: 16,
            variables: 1,
            nested: 25,
            condvars: 30,
            lock_frees: 12,
            ..plain()
        };
        // Freed while other threads hold them or wait for them.
        let contended_locks = Family {
            threads: 4,
            variables: 0,
            locking: 70,
            nested: 60,
            read_locks: 25,
            lock_frees: 20,
            ..plain()
        };
        let contended_waits = Family {
            locks: 1,
            read_locks: 0,
            condvars: 25,
            ..contended_locks.clone()
        };
        let mixed = Family {
            types: vec!["dictionary", "channel"],
            nested: 20,
            read_locks: 20,
            frees: 40,
            condvars: 10,
            events: 18,
            ..plain()
        };
        let dropped = Family {
            frees: 100,
            ..Family::objects(&["set"])
        };
        let opaque_messages = Family {
            opaque_messages: true,
            ..Family::objects(&["mpsc"])
        };
        let opaque = |opaque: usize, types: &[&'static str]| Family {
            opaque,
            ..Family::objects(types)
        };
        let filled = |types: &[&'static str]| Family {
            filled: 70,
            ..Family::objects(types)
        };
        vec![
            (
                "no locks",
                Family {
                    locks: 0,
                    ..plain()
                },
            ),
            ("few locks", plain()),
            ("one lock", one_lock),
            ("many locks", many_locks),
            ("nested locks", nested),
            ("read locks", read_locks),
            ("freed variables", freed),
            ("condition variables", waiting),
            ("reentrant waits", reentrant_waits),
            ("freed locks", freed_locks),
            ("freed condition variables", freed_condvars),
            ("contended locks", contended_locks),
            ("contended waits", contended_waits),
            ("dictionary", Family::objects(&["dictionary"])),
            ("set", Family::objects(&["set"])),
            ("channel", Family::objects(&["channel"])),
            ("mpsc", Family::objects(&["mpsc"])),
            ("opaque messages", opaque_messages),
            ("opaque map", opaque(35, &["map"])),
            ("opaque dictionary", opaque(35, &["dictionary"])),
            ("opaque set", opaque(35, &["set"])),
            ("opaque queue", opaque(35, &["queue"])),
            ("opaque counter", opaque(35, &["counter"])),
            ("opaque memory", opaque(25, &["memory"])),
            ("opaque channel", opaque(20, &["channel"])),
            ("opaque mpsc", opaque(20, &["mpsc"])),
            ("context", Family::objects(&["context"])),
            ("file", Family::objects(&["file"])),
            ("dropped objects", dropped),
            ("filled dictionary", filled(&["dictionary"])),
            ("filled queue", filled(&["queue"])),
            ("semaphore", filled(&["semaphore"])),
            ("filled atomic", filled(&["atomic"])),
            ("permits", Family::objects(&["semaphore(1)"])),
            ("rounds", Family::objects(&["barrier(2)"])),
            (
                "waiting",
                Family::objects(&["latch(2)", "future", "wait_group"]),
            ),
            ("stack", Family::objects(&["stack"])),
            ("mixed", mixed),
        ]
    }

    /// The random trace of this seed.
    pub fn trace(&self, seed: u64, library: &Library) -> Trace {
        Run::new(seed, self, library).complete()
    }
}
