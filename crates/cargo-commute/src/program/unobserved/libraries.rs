//! Libraries for concurrent programs whose operations are not recorded.

/// A library that is not instrumented.
struct Library {
    /// The package.
    name: &'static str,
    /// The modules, macros and items that count; all but [`Library::harmless`] if there are
    /// none.
    counts: &'static [&'static str],
    /// Those that have nothing to do with other threads.
    harmless: &'static [&'static str],
}

const fn all(name: &'static str) -> Library {
    Library {
        name,
        counts: &[],
        harmless: &[],
    }
}

const fn only(name: &'static str, counts: &'static [&'static str]) -> Library {
    Library {
        name,
        counts,
        harmless: &[],
    }
}

const fn but(name: &'static str, harmless: &'static [&'static str]) -> Library {
    Library {
        name,
        counts: &[],
        harmless,
    }
}

/// Libraries with locks, channels, tasks or concurrent collections of their own.
const LIBRARIES: &[Library] = &[
    all("actix"),
    all("actix-rt"),
    all("arc-swap"),
    all("async-broadcast"),
    all("async-channel"),
    all("async-executor"),
    all("async-global-executor"),
    all("async-lock"),
    all("async-oneshot"),
    but("async-std", &["io", "path"]),
    all("async-task"),
    all("atomic-waker"),
    all("blocking"),
    all("chashmap"),
    all("concurrent-queue"),
    only(
        "crossbeam",
        &[
            "atomic", "channel", "deque", "epoch", "queue", "scope", "select", "sync", "thread",
        ],
    ),
    all("crossbeam-channel"),
    all("crossbeam-deque"),
    all("crossbeam-epoch"),
    all("crossbeam-queue"),
    all("crossbeam-skiplist"),
    only("crossbeam-utils", &["atomic", "sync", "thread"]),
    all("crossfire"),
    all("dashmap"),
    all("evmap"),
    all("event-listener"),
    all("flume"),
    all("flurry"),
    only("futures", &["channel", "executor", "lock"]),
    all("futures-channel"),
    all("futures-executor"),
    only("futures-util", &["lock"]),
    all("kanal"),
    all("left-right"),
    all("lock_api"),
    all("loole"),
    all("papaya"),
    all("parking_lot"),
    all("parking_lot_core"),
    all("postage"),
    all("rayon"),
    all("rayon-core"),
    all("ringbuf"),
    all("rtrb"),
    all("scc"),
    all("scoped_threadpool"),
    but("smol", &["io"]),
    all("spin"),
    all("spinning_top"),
    all("thingbuf"),
    all("threadpool"),
    but("tokio", &["io", "pin"]),
    only("tokio-util", &["sync", "task"]),
    all("waitgroup"),
];

/// Whether this package is such a library.
pub(super) fn is_known(package: &str) -> bool {
    find(package).is_some()
}

/// Whether using this item of the library counts: `sync` in `tokio::sync::Mutex`; none if
/// everything is meant, as in `use tokio::*` or `use tokio as t`.
pub(super) fn counts(package: &str, item: Option<&str>) -> bool {
    let Some(library) = find(package) else {
        return false;
    };
    match item {
        None => true,
        Some(item) if library.counts.is_empty() => !library.harmless.contains(&item),
        Some(item) => library.counts.contains(&item),
    }
}

fn find(package: &str) -> Option<&'static Library> {
    LIBRARIES.iter().find(|library| library.name == package)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_counts_of_a_library() {
        assert!(counts("tokio", Some("sync")) && counts("tokio", None));
        assert!(!counts("tokio", Some("io")));
        assert!(counts("crossbeam", Some("channel")) && !counts("crossbeam", Some("utils")));
        assert!(counts("parking_lot", Some("Mutex")));
        assert!(!counts("serde", Some("Serialize")) && !is_known("commute"));
    }
}
