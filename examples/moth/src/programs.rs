//! The table.

use crate::{Findings, Known, Numbers, Race, Stale, Wrong};

const fn stale(stale: &'static [Stale]) -> Findings {
    Findings { stale, races: &[] }
}

const fn races(races: &'static [Race]) -> Findings {
    Findings { stale: &[], races }
}

const fn race(first: &'static str, second: &'static str, whole: &'static str) -> Race {
    let split = (first, second);
    Race { split, whole }
}

/// Missed and false alarms: first of MoTH, then of Artho.
const fn numbers(
    table: u8,
    violations: usize,
    moth: (usize, usize),
    artho: (usize, usize),
) -> Option<Numbers> {
    Some(Numbers {
        table,
        violations,
        moth: Wrong {
            missed: moth.0,
            false_alarms: moth.1,
        },
        artho: Wrong {
            missed: artho.0,
            false_alarms: artho.1,
        },
    })
}

/// All programs, in the order of the paper's tables.
pub const PROGRAMS: &[Known] = &[
    Known {
        name: "connection",
        title: "Connection",
        source: "Beckman et al. 2008",
        violations: Findings {
            stale: &[("is_connected", "send")],
            races: &[race("reset_socket", "reset", "send")],
        },
        false_alarms: Findings::NONE,
        uncounted: Findings::NONE,
        numbers: numbers(1, 2, (0, 0), (1, 0)),
    },
    Known {
        name: "coord03",
        title: "Coord03",
        source: "Artho et al. 2003",
        violations: races(&[race("get_x", "get_y", "set_xy")]),
        false_alarms: Findings::NONE,
        uncounted: Findings::NONE,
        numbers: numbers(1, 1, (0, 0), (0, 0)),
    },
    Known {
        name: "local",
        title: "Local",
        source: "Artho et al. 2003",
        violations: stale(&[("get_value", "set_value")]),
        false_alarms: Findings::NONE,
        uncounted: Findings::NONE,
        numbers: numbers(1, 1, (0, 0), (1, 0)),
    },
    Known {
        name: "nasa",
        title: "NASA",
        source: "Artho et al. 2003",
        violations: races(&[race("set_value", "set_achieved", "try_issue_warning")]),
        false_alarms: Findings::NONE,
        uncounted: Findings::NONE,
        numbers: numbers(1, 1, (0, 0), (0, 0)),
    },
    Known {
        name: "coord04",
        title: "Coord04",
        source: "Artho et al. 2004",
        violations: races(&[race("reset_x", "reset_y", "swap")]),
        false_alarms: Findings::NONE,
        uncounted: Findings::NONE,
        numbers: numbers(1, 1, (0, 0), (0, 0)),
    },
    Known {
        name: "buffer",
        title: "Buffer",
        source: "Artho et al. 2004",
        violations: Findings::NONE,
        false_alarms: stale(&[("next", "add")]),
        // `next` reads head and cell; it writes head, and `add` writes cell.
        uncounted: races(&[race("next", "add", "next")]),
        numbers: numbers(1, 0, (0, 1), (0, 0)),
    },
    Known {
        name: "double_check",
        title: "DoubleCheck",
        source: "Artho et al. 2004",
        violations: Findings::NONE,
        false_alarms: stale(&[("get_shared_field", "update_shared_field")]),
        // Whether the update was made decides whether there is another.
        uncounted: stale(&[("update_shared_field", "update_shared_field")]),
        numbers: numbers(1, 0, (0, 1), (0, 0)),
    },
    Known {
        name: "string_buffer",
        title: "StringBuffer",
        source: "Flanagan, Freund 2004",
        violations: stale(&[("length", "get_chars")]),
        false_alarms: Findings::NONE,
        uncounted: Findings::NONE,
        numbers: numbers(1, 1, (0, 0), (1, 0)),
    },
    Known {
        name: "account",
        title: "Account",
        source: "von Praun, Gross 2003",
        violations: stale(&[("get_balance", "set_balance")]),
        false_alarms: Findings::NONE,
        uncounted: Findings::NONE,
        numbers: numbers(1, 1, (0, 0), (1, 0)),
    },
    Known {
        name: "jigsaw",
        title: "Jigsaw",
        source: "von Praun, Gross 2003",
        violations: races(&[race("lookup_entry", "check_closed", "shutdown")]),
        false_alarms: Findings::NONE,
        uncounted: Findings::NONE,
        numbers: numbers(1, 1, (0, 0), (0, 0)),
    },
    Known {
        name: "over_reporting",
        title: "OverReporting",
        source: "von Praun, Gross 2003",
        violations: Findings::NONE,
        false_alarms: Findings::NONE,
        uncounted: Findings::NONE,
        numbers: numbers(1, 0, (0, 0), (0, 0)),
    },
    Known {
        name: "under_reporting",
        title: "UnderReporting",
        source: "von Praun, Gross 2003",
        violations: stale(&[("inc", "inc")]),
        false_alarms: Findings::NONE,
        uncounted: Findings::NONE,
        numbers: numbers(1, 1, (0, 0), (1, 0)),
    },
    Known {
        name: "allocate_vector",
        title: "Allocate Vector",
        source: "IBM ConTest",
        violations: stale(&[("get_free_block_index", "mark_as_allocated_block")]),
        false_alarms: Findings::NONE,
        // Through the array that remembers the blocks.
        uncounted: stale(&[("get_free_block_index", "mark_as_free_block")]),
        numbers: numbers(1, 1, (0, 0), (1, 0)),
    },
    Known {
        name: "knight",
        title: "Knight",
        source: "Teixeira et al. 2010",
        violations: stale(&[("get_solution", "set_solution")]),
        false_alarms: Findings::NONE,
        // A solver starts others only if it is better, and they look again.
        uncounted: stale(&[("get_solution", "get_solution")]),
        numbers: numbers(1, 1, (0, 0), (1, 0)),
    },
    Known {
        name: "arithmetic_database",
        title: "Arithmetic Database",
        source: "Teixeira et al. 2010",
        violations: stale(&[
            ("get_key_by_result", "insert"),
            ("get_key_by_result", "get_max_key"),
            ("get_max_key", "insert"),
        ]),
        false_alarms: stale(&[("get_key_by_result", "get_key_by_result")]),
        uncounted: Findings::NONE,
        numbers: numbers(1, 3, (0, 1), (3, 0)),
    },
    Known {
        name: "elevator",
        title: "Elevator",
        source: "von Praun, Gross 2003",
        violations: stale(&[
            ("check_up", "check_up"),
            ("check_up", "claim_up2"),
            ("check_up", "check_down"),
            ("check_up", "claim_down2"),
            ("claim_up2", "check_up"),
            ("claim_up2", "claim_up2"),
            ("claim_up2", "check_down"),
            ("claim_up2", "claim_down2"),
            ("check_down", "check_up"),
            ("check_down", "claim_up2"),
            ("check_down", "check_down"),
            ("check_down", "claim_down2"),
            ("claim_down2", "check_up"),
            ("claim_down2", "claim_up2"),
            ("claim_down2", "check_down"),
            ("claim_down2", "claim_down2"),
        ]),
        false_alarms: Findings {
            stale: &[
                ("check_up", "get_up_people"),
                ("claim_up2", "get_up_people"),
                ("check_down", "get_down_people"),
                ("claim_down2", "get_down_people"),
            ],
            // Only where the lists of both directions are one variable.
            races: &[
                race("claim_up2", "get_down_people", "check_up"),
                race("claim_down2", "get_up_people", "check_down"),
            ],
        },
        // Through the target, which either direction may have set.
        uncounted: stale(&[
            ("check_up", "get_down_people"),
            ("claim_up2", "get_down_people"),
            ("check_down", "get_up_people"),
            ("claim_down2", "get_up_people"),
        ]),
        numbers: numbers(2, 16, (0, 6), (16, 4)),
    },
    Known {
        name: "philo",
        title: "Philo",
        source: "von Praun, Gross 2003",
        violations: Findings::NONE,
        // The paper has two: this one through the counter and through the forks, or
        // this one and the uncounted one.
        false_alarms: stale(&[("get_forks", "put_forks")]),
        uncounted: stale(&[("get_forks", "get_forks")]),
        numbers: numbers(2, 0, (0, 2), (0, 0)),
    },
    Known {
        name: "tsp",
        title: "Tsp",
        source: "von Praun, Gross 2003",
        violations: Findings::NONE,
        // The paper does not say which two; these are what the definitions give.
        false_alarms: stale(&[("get_tour", "get_tour"), ("get_tour", "set_best2")]),
        uncounted: Findings::NONE,
        numbers: numbers(2, 0, (0, 2), (0, 0)),
    },
    Known {
        name: "store",
        title: "Store",
        source: "the authors of MoTH",
        violations: Findings {
            stale: &[("has_orders", "treate_order")],
            races: &[race("inc_number", "set_sold_out_a", "is_consistent")],
        },
        false_alarms: Findings::NONE,
        uncounted: Findings::NONE,
        numbers: numbers(2, 2, (0, 0), (1, 1)),
    },
    Known {
        name: "vector_fail",
        title: "VectorFail",
        source: "the authors of MoTH",
        violations: races(&[race("get_max", "get_min", "set_elements")]),
        false_alarms: Findings::NONE,
        uncounted: Findings::NONE,
        numbers: None,
    },
];
