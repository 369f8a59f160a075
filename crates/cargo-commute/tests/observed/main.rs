//! `commute run` says what it observed of a program and what it did not, and calls no
//! program clean whose threads may share what is not observed.
#![cfg(unix)]

mod project;

use serde_json::{Value, json};

use project::{Project, Ran, with_library};

const UNSAFE: &str = include_str!("programs/unsafe_uaf.rs");

#[test]
fn a_use_after_free_by_raw_pointers_is_not_clean() {
    let project = with_library("uaf", &[("src/main.rs", UNSAFE)]);
    let ran = project.run(&[]);
    assert_eq!(ran.code, 3, "{ran:?}");
    let last = ran.last();
    let reason = "(observed: threads, locks, values in locks; not observed: plain memory): \
        plain memory is not observed, and `uaf` has unsafe code: `unsafe impl Send` at \
        src/main.rs:5:1, raw pointer used at src/main.rs:9:86, raw pointer freed at \
        src/main.rs:11:61 (--trust unsafe)";
    assert!(
        last.starts_with("commute: inconclusive: no findings in "),
        "{last}"
    );
    assert!(last.ends_with(reason), "{last}");

    let ran = project.run(&["--message-format", "json"]);
    let summary = ran.summary();
    assert_eq!(summary["verdict"], "inconclusive");
    assert_eq!(
        summary["observed"],
        json!(["threads", "locks", "variables"])
    );
    let used = |construct: &str, place: &str| json!({"construct": construct, "location": place});
    let uses = [
        used("unsafe-send", "src/main.rs:5:1"),
        used("raw-pointer", "src/main.rs:9:86"),
        used("free", "src/main.rs:11:61"),
    ];
    let not = json!([
        {"what": "plain-memory"},
        {"what": "unsafe", "crate": "uaf", "uses": uses, "trusted": false},
    ]);
    assert_eq!(summary["not_observed"], not);
}

#[test]
fn what_the_user_vouches_for_is_listed_and_waived() {
    let project = with_library("uaf_trusted", &[("src/main.rs", UNSAFE)]);
    let ran = project.run(&["--trust", "tokio,unsafe"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let last = ran.last();
    assert!(last.starts_with("commute: clean: "), "{last}");
    assert!(
        last.ends_with("not observed: plain memory; trusted: unsafe code of `uaf_trusted`)"),
        "{last}"
    );
    // Trust in something else is none in this.
    assert_eq!(project.run(&["--trust", "tokio"]).code, 3);
    // A key of the project's file.
    project.write("commute.toml", "[run]\ntrust = [\"unsafe\"]\n");
    let ran = project.run(&["--message-format", "json"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(ran.summary()["not_observed"][1]["trusted"], true);
}

/// A service whose code is safe, with every type of the library that it needs.
#[test]
fn safe_code_on_the_library_is_observed() {
    let project = with_library(
        "svc2",
        &[
            ("src/lib.rs", include_str!("programs/cache.rs")),
            ("src/main.rs", include_str!("programs/cache_main.rs")),
        ],
    );
    let ran = project.run(&["--message-format", "json"]);
    let summary = ran.summary();
    assert_eq!(
        summary["not_observed"],
        json!([{"what": "plain-memory"}]),
        "{ran:?}"
    );
    let kinds = ["threads", "locks", "variables", "atomics", "maps"];
    assert_eq!(summary["observed"], json!(kinds));
    let reasons = summary["reasons"].as_array().cloned().unwrap_or_default();
    assert!(
        !reasons
            .iter()
            .any(|reason| reason.to_string().contains("--trust"))
    );
}

/// Libraries by the crate and the place that uses them.
fn libraries(ran: &Ran) -> Vec<(String, String, String)> {
    let summary = ran.summary();
    let not = summary["not_observed"].as_array().expect("a list");
    let text = |one: &Value, name: &str| one[name].as_str().unwrap_or_default().to_owned();
    { not.iter() }
        .filter(|one| one["what"] == "library")
        .map(|one| {
            (
                text(one, "crate"),
                text(one, "library"),
                text(one, "location"),
            )
        })
        .collect()
}

const JSON: [&str; 2] = ["--message-format", "json"];

#[test]
fn libraries_that_are_not_instrumented_count_if_they_are_used_directly() {
    let project = Project::of_parts("libraries");
    let ran = project.run(&JSON);
    assert_eq!(ran.code, 3, "{ran:?}");
    let used = |krate: &str, library: &str, place: &str| {
        (krate.to_owned(), library.to_owned(), place.to_owned())
    };
    // `outside` uses `flume`, and is of no workspace; `unused` is a member and not part of
    // the program; `parking_lot` is optional and off; `crossbeam` is for tests only; of
    // `futures` nothing is used that counts.
    let expected = [
        used("inner", "tokio", "inner/src/lib.rs:1:16"),
        used("program", "async-std", "src/main.rs:4:20"),
    ];
    assert_eq!(libraries(&ran), expected, "{ran:?}");
    let last = project.run(&[]);
    let last = last.last();
    let reason = "`inner` uses `tokio`, which is not instrumented, at inner/src/lib.rs:1:16 \
        (--trust tokio); `program` uses `async-std`, which is not instrumented, at \
        src/main.rs:4:20 (--trust async-std)";
    assert!(last.ends_with(reason), "{last}");
    let ran = project.run(&["--trust", "tokio,async_std"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let listed = "trusted: `async-std` in `program`, `tokio` in `inner`)";
    assert!(ran.last().ends_with(listed), "{}", ran.last());
}

#[test]
fn features_and_targets_decide_what_is_part_of_the_program() {
    let project = Project::of_parts("features");
    let ran = project.run(&[&JSON[..], &["--features", "locks"]].concat());
    let names: Vec<String> = libraries(&ran).into_iter().map(|one| one.1).collect();
    assert_eq!(names, ["tokio", "async-std", "parking_lot"], "{ran:?}");
    let ran = project.run(&[&JSON[..], &["--test", "works"]].concat());
    let names: Vec<String> = libraries(&ran).into_iter().map(|one| one.1).collect();
    assert_eq!(names, ["tokio", "crossbeam"], "{ran:?}");
}

#[test]
fn unsafe_code_counts_in_the_crates_of_the_workspace() {
    let project = Project::of_parts("parts");
    project.write(
        "inner/src/lib.rs",
        "pub mod cell;\npub fn act(flag: bool) -> bool { flag }\n",
    );
    project.write(
        "inner/src/cell.rs",
        "#[cfg(test)]\nmod tests { static mut A: u32 = 0; }\n\
         #[cfg(not(commute))]\nstatic mut B: u32 = 0;\n\
         #[cfg(feature = \"never\")]\nstatic mut C: u32 = 0;\n\
         pub static mut D: u32 = 0;\n",
    );
    let trust = ["--trust", "tokio,async-std"];
    let ran = project.run(&[&JSON[..], &trust].concat());
    assert_eq!(ran.code, 3, "{ran:?}");
    let not = ran.summary()["not_observed"].clone();
    let found: Vec<&Value> = { not.as_array().expect("a list").iter() }
        .filter(|one| one["what"] == "unsafe")
        .collect();
    assert_eq!(found.len(), 1, "{not}");
    assert_eq!(found[0]["crate"], "inner");
    let place = json!([{"construct": "static-mut", "location": "inner/src/cell.rs:7:5"}]);
    assert_eq!(found[0]["uses"], place);
}

/// What is shown again is what was shown.
#[test]
fn a_stored_run_says_what_was_not_observed() {
    let project = Project::of_parts("stored");
    let ran = project.run(&["--trust", "tokio"]);
    let again = project.commute(&["report"]);
    assert_eq!((again.code, again.last()), (ran.code, ran.last()));
}

#[test]
fn of_a_command_it_is_not_known() {
    let project = Project::of_parts("command");
    project.run(&[]);
    let program = project.target("commute/debug/program");
    let ran = project.run(&["--", &program]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let last = "(observed: threads, variables; not observed: not known, because nothing was built)";
    assert!(ran.last().ends_with(last), "{}", ran.last());
    let ran = project.run(&[&JSON[..], &["--", &program]].concat());
    assert_eq!(ran.summary()["not_observed"], json!([{"what": "unknown"}]));
}
