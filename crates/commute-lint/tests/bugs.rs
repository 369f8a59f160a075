//! Bugs in the style of those that published projects had and fixed: found
//! before the fix, silent after it. And correct code that looks like them.
//!
//! `rust/bugs` and `rust/deps` have a file for each: `--cfg fixed` is the
//! version after the fix, and a line `//@` says in which function the bug is;
//! another one names calls whose critical sections are lost.
//! `rust/correct` is silent as it is. What files use of other crates is
//! declared in `rust/stubs`, by the same names.

#[path = "snippets/compiler.rs"]
mod compiler;
#[path = "snippets/forgetting.rs"]
mod forgetting;
#[path = "snippets/lists.rs"]
mod lists;
#[path = "snippets/titles.rs"]
mod titles;

use std::fs;
use std::path::Path;

use commute_lint::rust::{CrateInfo, mir, program};
use commute_lint::{Confidence, Violation};
use compiler::{run, rustc, tests};
use lists::compare;
use titles::titles;

/// Bugs that are not found yet, and why.
const KNOWN_MISSES: &[(&str, &str)] = &[
    (
        "account_nonce_fetched_twice",
        "what is read again is for another object: low confidence",
    ),
    (
        "channel_planned_version",
        "what goes through a channel is not followed to who receives it",
    ),
    (
        "dash_counter_drain",
        "the check is in another loop than the action: low confidence",
    ),
    (
        "download_slots",
        "the thread that is spawned acts, and is not seen to depend on the check",
    ),
    (
        "drain_in_flight",
        "a flag decides about a count: two objects, low confidence",
    ),
    (
        "event_counter_reload",
        "a count is the key of a map: two objects, low confidence",
    ),
    (
        "fetch_sub_then_load",
        "the count and what it decides about are two objects: low confidence",
    ),
    (
        "header_by_hash_lookup",
        "the key is for another map: two objects, low confidence",
    ),
    (
        "key_interned_reverse_later",
        "nobody reads the two maps in one region",
    ),
    (
        "light_peer_inserted_then_fetched",
        "what is taken for granted was written before, not read",
    ),
    (
        "llm_budget_call_limit",
        "an atomic update in between counts as a claim: low confidence",
    ),
    (
        "memtable_chosen_then_frozen",
        "the handle that was fetched is written to: another object",
    ),
    ("once_lock_get_set", "`OnceLock::set` is not known"),
    (
        "pl_subscription_receiver_drop",
        "`remove` is looked at, though only for a message",
    ),
    (
        "pl_sync_queue_next_peer",
        "who writes gets the lock as a parameter, and nobody is seen to pass it",
    ),
    (
        "price_level_snapshot",
        "a pair of which each has its own lock or atomic, though writers hold both, is no pair",
    ),
    (
        "record_lsn_pair",
        "nobody writes the two atomics in one region",
    ),
    (
        "refcounted_release_count",
        "the count and what it decides about are two objects: low confidence",
    ),
    (
        "reload_epoch_outside_lock",
        "a count decides about a map: two objects, low confidence",
    ),
    (
        "round_robin_wrap",
        "two atomic operations that should be one, and no value goes from one to the other",
    ),
    (
        "snapshot_reader_register",
        "the time is the key of another map: two objects, low confidence",
    ),
    (
        "tokio_cache_slot_error",
        "what decides was inserted by itself, and may have been replaced",
    ),
    (
        "tokio_failed_session_removed",
        "the handle decides by what is in it: another object, low confidence",
    ),
    (
        "tokio_join_handle_value",
        "what a spawned task returns is not followed to who waits for it",
    ),
    (
        "tokio_shutdown_wait",
        "waiting for `Notify` is no action that depends on a check",
    ),
    (
        "tokio_snapshot_entry",
        "an index for two other objects: low confidence",
    ),
    (
        "unique_handle_two_counts",
        "nobody writes the two atomics in one region, and nothing is done here",
    ),
    (
        "waiting_and_connections",
        "two queues with locks of their own that nobody takes together",
    ),
    (
        "watch_version_seen",
        "a pair of which each has its own lock or atomic, though writers hold both, is no pair",
    ),
];

/// Correct code that is reported, and why.
const KNOWN_ALARMS: &[(&str, &str)] = &[
    (
        "dist_job_allocated",
        "it has put its own mark into what it chose, and takes only that back",
    ),
    (
        "layer_gc_compaction",
        "who is not kept out only adds others, with keys that nobody has yet",
    ),
    (
        "pl_pool_validate_then_add",
        "what writes in between writes what it has read, and the one that changes it is kept out",
    ),
    (
        "session_seen_sometimes",
        "what is written does not depend on what was read, and nobody minds which stays",
    ),
    (
        "snapshot_quota_recount",
        "it takes back what it has inserted itself before the check",
    ),
    (
        "token_refresh_herd",
        "a value that is looked at again, in two steps, before `?` of a trait's method",
    ),
    (
        "tokio_single_flight",
        "it is looked at again under a lock of the key, in another region than the one that writes",
    ),
    (
        "tokio_key_cache_fill",
        "what is put in was read again, in the meantime, under a lock that writers take",
    ),
];

const STUBS: [&str; 7] = [
    "arc_swap",
    "dashmap",
    "futures",
    "once_cell",
    "parking_lot",
    "rayon",
    "tokio",
];

/// What is shown by default for a file.
fn found(file: &str, arguments: &[String]) -> Vec<Violation> {
    let mut rustc = rustc();
    rustc.args(arguments).args([
        "-Zunpretty=mir",
        "-Zmir-include-spans=on",
        "-Ztrim-diagnostic-paths=no",
        "-o",
        "-",
    ]);
    let mir = mir::parse::parse(&run(&mut rustc, file));
    let info = CrateInfo {
        name: "sample".to_owned(),
        root: String::new(),
        edition: "2024".to_owned(),
        library: true,
    };
    let finder = |name: &str| fs::read_to_string(tests().join(name)).ok();
    let program = program(vec![(info, mir)], &finder);
    assert_eq!(program.gaps, [], "{file}");
    let outcome = forgetting::outcome(&program, file);
    assert_eq!(outcome.limits, [] as [String; 0], "{file}");
    let lost: Vec<&str> = { outcome.lost.iter() }.map(|lost| &*lost.call).collect();
    let expected = said(file, "lost").unwrap_or_default();
    assert_eq!(lost.join(", "), expected, "lost sections of {file}");
    if let Some(regions) = said(file, "regions") {
        assert_eq!(outcome.regions.to_string(), regions, "regions of {file}");
    }
    let shown = |violation: &Violation| violation.confidence == Confidence::High;
    outcome.violations.into_iter().filter(shown).collect()
}

/// The files of a directory, with the names that lists use.
fn files(directory: &str) -> Vec<(String, String)> {
    let entries = fs::read_dir(tests().join("rust").join(directory)).expect("a directory");
    let mut files: Vec<(String, String)> = entries
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let name = path.file_stem().expect("a name").to_string_lossy();
            let file = format!("rust/{directory}/{name}.rs");
            (name.into_owned(), file)
        })
        .collect();
    files.sort();
    files
}

/// What a file says of itself: `//@ name: …`.
fn said(file: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(tests().join(file)).expect("a file");
    let name = format!("//@ {name}: ");
    let mut lines = text.lines();
    lines.find_map(|line| line.strip_prefix(&name).map(str::to_owned))
}

/// Where the bug of a file is.
fn place(file: &str) -> String {
    said(file, "finding").unwrap_or_else(|| panic!("{file} does not say where its bug is"))
}

fn check_bugs(directory: &str, arguments: &[String]) {
    let mut wrong = Vec::new();
    for (name, file) in files(directory) {
        let place = place(&file);
        let before = found(&file, arguments);
        let is_there = |violation: &Violation| {
            let mut stops = violation.path.iter();
            stops.any(|stop| stop.function.contains(&place))
        };
        let missed = match (before.is_empty(), before.iter().any(is_there)) {
            (_, true) => None,
            (true, _) => Some("is not found".to_owned()),
            (false, _) => Some(format!("is not found, but {}", titles(&before))),
        };
        compare(&name, missed.as_deref(), KNOWN_MISSES, &mut wrong);
        let mut fixed = arguments.to_vec();
        fixed.extend(["--cfg".to_owned(), "fixed".to_owned()]);
        let after = found(&file, &fixed);
        let alarm = (!after.is_empty()).then(|| format!("after the fix {}", titles(&after)));
        compare(&name, alarm.as_deref(), KNOWN_ALARMS, &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn bugs() {
    check_bugs("bugs", &[]);
}

/// Compiles the stubs; the arguments that find them.
fn stubs(directory: &Path) -> Vec<String> {
    let out = directory.to_string_lossy().into_owned();
    let mut arguments = vec!["-L".to_owned(), out.clone()];
    for stub in STUBS {
        let mut rustc = rustc();
        rustc.args(["--emit=metadata", "--crate-name", stub, "--out-dir", &out]);
        run(&mut rustc, &format!("rust/stubs/{stub}.rs"));
        arguments.push("--extern".to_owned());
        arguments.push(format!("{stub}={out}/lib{stub}.rmeta"));
    }
    arguments
}

#[test]
fn bugs_with_dependencies() {
    let directory = tempfile::tempdir().expect("a directory");
    check_bugs("deps", &stubs(directory.path()));
}

#[test]
fn correct() {
    let directory = tempfile::tempdir().expect("a directory");
    let stubs = stubs(directory.path());
    let mut wrong = Vec::new();
    for (name, file) in files("correct") {
        let violations = found(&file, &stubs);
        let alarm = (!violations.is_empty()).then(|| titles(&violations));
        compare(&name, alarm.as_deref(), KNOWN_ALARMS, &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every file that a list names is there.
#[test]
fn lists() {
    let all: Vec<String> = ["bugs", "deps", "correct"]
        .iter()
        .flat_map(|directory| files(directory))
        .map(|(name, _)| name)
        .collect();
    for (name, _) in KNOWN_MISSES.iter().chain(KNOWN_ALARMS) {
        assert!(all.iter().any(|known| known == name), "{name} is not there");
    }
}
