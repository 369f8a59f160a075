//! The same of programs, tests and source code.

use std::path::{Path, PathBuf};

use crate::project::{Project, Said, ids};

const CODE: &str = "use std::sync::Mutex;
pub static BALANCE: Mutex<u32> = Mutex::new(0);
pub fn deposit(amount: u32) {
    let balance = *BALANCE.lock().unwrap();
    *BALANCE.lock().unwrap() = balance + amount;
}
";

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the workspace is there")
}

/// Runs a command of the workspace; what it keeps is in `folder` of the project.
fn here(project: &Project, words: &str, folder: &str) -> Said {
    let mut command = project.command(words);
    command.current_dir(root()).arg("--out-dir");
    command.arg(project.path(folder));
    command.env("CARGO_TERM_QUIET", "true");
    Said::of(&command.output().expect("commute runs"))
}

#[test]
fn a_failing_test_is_shown_explained_and_replayed() {
    let project = Project::without_manifest(&[]);
    let test = "test locks -p commute-workloads --test classics --message-format";
    for format in ["short", "json", "junit"] {
        let first = here(&project, &format!("{test} {format}"), "out");
        let again = here(
            &project,
            &format!("report --message-format {format}"),
            "out",
        );
        assert_eq!(first, again);
        assert_eq!(first.code, Some(1));
    }
    let pages = ["first", "again"].map(|name| project.path(&format!("{name}.html")));
    for (words, page) in [
        (&*format!("{test} short"), &pages[0]),
        ("report", &pages[1]),
    ] {
        let said = here(
            &project,
            &format!("{words} --html {}", page.display()),
            "out",
        );
        assert_eq!(said.code, Some(1), "{said:?}");
    }
    let [first, again] = pages.map(|page| std::fs::read_to_string(page).expect("a page"));
    assert!(first.contains("class=\"arrow order\""), "it is drawn");
    assert_eq!(first, again, "what happened is stored");
    let last = project.runs("out/findings").pop().expect("a run");
    let text = std::fs::read_to_string(last).expect("read");
    let id = ids(&text)[0].clone();
    let folder = project.path("out").display().to_string();
    let command = format!("commute replay {id} -p commute-workloads --out-dir {folder}\"");
    assert!(text.contains(&command), "{text}");
    let said = here(&project, &format!("explain {id}"), "out");
    assert_eq!(said.code, Some(0), "{said:?}");
    let replay = format!("replay {id} -p commute-workloads --message-format json");
    let said = here(&project, &replay, "out");
    assert_eq!(said.code, Some(1), "{said:?}");
    assert_eq!(ids(&said.stdout), [&*id]);
    // A test that is known to fail does not fail the run.
    let known = project.path("known.jsonl");
    for flag in ["--write-baseline", "--baseline"] {
        let test = format!("{test} short {flag} {}", known.display());
        let said = here(&project, &test, "out");
        assert_eq!(said.code, Some(0), "{said:?}");
        assert!(said.stdout.contains("commute: clean: "), "{said:?}");
        assert!(said.stdout.contains(" known from the baseline"), "{said:?}");
    }
    std::fs::remove_dir_all(project.path("out/schedules")).expect("removed");
    here(&project, &replay, "out").is_refused("is not kept any more: `commute test` explores");
}

/// Another package may have a test of the same name.
#[test]
fn a_schedule_is_run_in_the_package_that_it_names() {
    // Cargo is asked to build, and does not.
    let cargo = format!(
        "#!/bin/sh\n[ \"$1\" = metadata ] && exec {} \"$@\"\necho \"$@\" >> asked\nexit 1\n",
        env!("CARGO")
    );
    let schedule =
        "# commute schedule 1\ntest: t\npackage: pb\ntarget: --lib\nsteps: 1\n\nm  f()\n";
    let files = [
        ("cargo", &*cargo),
        ("kept.schedule", schedule),
        ("src/lib.rs", ""),
    ];
    let project = Project::new(&files);
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(project.path("cargo"), executable).expect("made executable");
    for (flags, package) in [("", "pb"), ("-p other", "other")] {
        let mut command = project.command(&format!("replay kept.schedule {flags}"));
        command.env("CARGO", project.path("cargo"));
        Said::of(&command.output().expect("commute runs"))
            .is_refused("the tests could not be built");
        let asked = project.read("asked");
        let asked: Vec<&str> = asked.lines().last().expect("asked").split(' ').collect();
        let packages = asked
            .iter()
            .filter_map(|word| word.strip_prefix("--package="));
        let packages: Vec<&str> = packages.collect();
        assert_eq!(packages, [package], "{asked:?}");
        assert!(asked.contains(&"--lib"), "{asked:?}");
    }
}

#[test]
fn shards_that_are_kept_are_joined() {
    let project = Project::without_manifest(&[]);
    let test = "test -p commute-workloads --exact ht_mixed_3 --shard";
    for shard in ["1/2", "2/2"] {
        let said = here(&project, &format!("{test} {shard}"), "out");
        assert_eq!(said.code, Some(0), "{said:?}");
    }
    let folder = project.path("out");
    let merge = format!("report merge {} --message-format json", folder.display());
    let said = project.commute(&merge);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.stdout.contains("\"outcomes\":14,"), "{said:?}");
}

#[test]
fn source_code_is_found_wanting_once() {
    let manifest =
        "[package]\nname = \"bank\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";
    let project = Project::without_manifest(&[("Cargo.toml", manifest), ("src/lib.rs", CODE)]);
    let lint = |flags: &str| {
        let mut command = project.command(&format!("lint {flags}"));
        command.env("CARGO_TERM_QUIET", "true");
        Said::of(&command.output().expect("commute runs"))
    };
    for format in ["short", "json", "sarif"] {
        let first = lint(&format!("--message-format {format}"));
        assert_eq!(first.code, Some(1), "{first:?}");
        let again = project.commute(&format!("report --message-format {format}"));
        assert_eq!(first.stdout, again.stdout);
    }
    let id = ids(&project.last_run())[0].clone();
    project
        .commute(&format!("replay {id}"))
        .is_refused("nothing was run to find this: `commute explain ");
    let said = project.commute(&format!("explain {id}"));
    assert!(
        said.stdout.contains("let balance = *BALANCE.lock()"),
        "{said:?}"
    );
    assert_eq!(lint("--write-baseline known.jsonl").code, Some(0));
    // Lines move, and there is a second mistake.
    let more = CODE.replace("deposit", "withdraw").replace(" + ", " - ");
    let more = more.replace("BALANCE", "OTHER");
    let more = more.replace("use std::sync::Mutex;\n", "");
    project.write("src/lib.rs", &format!("//! A bank.\n\n{CODE}{more}"));
    let said = lint("--baseline known.jsonl --message-format short");
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(
        said.stdout.contains("1 known from the baseline"),
        "{said:?}"
    );
    assert!(
        said.stdout.contains("OTHER") && !said.stdout.contains("BALANCE"),
        "{said:?}"
    );
}

/// A program that is not built here, but records: what is stored of its trace can be looked
/// at, and all of it if it was saved.
#[test]
fn what_a_program_did_can_be_shown_again() {
    let project = Project::without_manifest(&[]);
    let run = "run -p commute-examples --example connections --message-format json";
    let pages = ["first.html", "again.html"].map(|name| project.path(name));
    let [first, again] = pages.each_ref().map(|page| page.display());
    let said = here(&project, &format!("{run} --html {first}"), "out");
    assert_eq!(said.code, Some(1), "{said:?}");
    let id = ids(&said.stdout)[0].clone();
    // What happened is in no file: it is stored, and drawn again.
    here(&project, &format!("report --html {again}"), "out");
    let [first, again] = pages.map(|page| std::fs::read_to_string(page).expect("a page"));
    assert!(first.contains("class=\"arrow order\""), "it is drawn");
    assert_eq!(first, again);
    let said = here(&project, &format!("replay {id}"), "out");
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(
        said.stdout.matches("connections.insert('a.com',").count(),
        2
    );
    let note = "; the trace was not kept: `commute run --save FILE` keeps it\n";
    assert!(said.stderr.ends_with(note), "{said:?}");
    let trace = project.path("trace.ctr");
    let said = here(
        &project,
        &format!("{run} --save {}", trace.display()),
        "saved",
    );
    assert_eq!(said.code, Some(1), "{said:?}");
    let id = ids(&said.stdout)[0].clone();
    let said = here(&project, &format!("replay {id}"), "saved");
    assert_eq!((said.code, &*said.stderr), (Some(0), ""), "{said:?}");
    assert!(said.stdout.contains("connections.rs:"), "{said:?}");
}
