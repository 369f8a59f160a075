//! Reports show source code of the project, and nothing else that a trace or a stored run
//! names.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use rustix::fs::{CWD, FileType, Mode, mknodat};

/// In every file that must not be shown, and in the environment.
const SECRET: &str = "hunter2hunter2";
/// In files that are shown.
const SHOWN: &str = "let shown = 4711;";

/// Where no file may be shown. `OUTSIDE` and `PROJECT` are directories.
const LOCATIONS: [&str; 21] = [
    "OUTSIDE/secret.rs:1",
    "../outside/secret.rs:1",
    "src/../../outside/secret.rs:1",
    "src/link.rs:1",
    "src/linked/secret.rs:1",
    "PROJECT/src/link.rs:1:3",
    ".hidden/secret.rs:1",
    ".secret.rs:1",
    "src/.hidden/../.hidden/secret.rs:1",
    "src/visible/secret.rs:1",
    "secret:1",
    "secret.toml:1",
    "secret.json:1",
    "Cargo.toml:1",
    "secret.rs/secret.pem:1",
    "src/pipe.rs:1",
    "src/self.rs:1",
    "/proc/self/environ:1:401",
    "/proc/kmsg:1",
    "/proc/self/root/OUTSIDE/secret.rs:1",
    "/dev/stdin:1",
];

struct Project(tempfile::TempDir);

impl Project {
    fn new() -> Project {
        let project = Project(tempfile::tempdir().expect("a directory"));
        let secret = format!("let secret = \"{SECRET}\";\n");
        for file in [
            "outside/secret.rs",
            "outside/.git",
            "project/.hidden/secret.rs",
            "project/.secret.rs",
            "project/src/.hidden/secret.rs",
            "project/secret",
            "project/secret.toml",
            "project/secret.json",
            "project/secret.rs/secret.pem",
        ] {
            project.write(file, &secret);
        }
        let manifest = "[package]\nname = \"p\"\nversion = \"0.1.0\"\n[workspace]\n";
        project.write("project/Cargo.toml", &format!("# {SECRET}\n{manifest}"));
        project.write("project/src/lib.rs", &format!("{SHOWN}\n"));
        project.write("elsewhere/.git", "");
        let at = |name: &str| project.path(name);
        symlink(at("outside/secret.rs"), at("project/src/link.rs")).expect("a link");
        symlink(at("outside"), at("project/src/linked")).expect("a link");
        symlink(".hidden", at("project/src/visible")).expect("a link");
        symlink("/proc/self/environ", at("project/src/self.rs")).expect("a link");
        let pipe = at("project/src/pipe.rs");
        mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a pipe");
        project
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a directory")).expect("made");
        fs::write(path, text).expect("written");
    }

    /// The location with names of directories in the place of words.
    fn fill(&self, text: &str) -> String {
        let name = |name| self.path(name).canonicalize().expect("there");
        let outside = name("outside").display().to_string();
        text.replace("/OUTSIDE", &outside)
            .replace("OUTSIDE", &outside)
            .replace("PROJECT", &name("project").display().to_string())
    }

    /// A trace with a race at each of these places.
    fn trace(&self, locations: &[&str]) -> String {
        let races = locations.iter().enumerate().map(|(i, location)| {
            let location = self.fill(location);
            format!("T1|w(x{i})|{location}\nT2|w(x{i})|{location}\n")
        });
        races.collect()
    }

    /// All that a command prints and writes, run in the project.
    fn says(&self, words: &str) -> String {
        self.says_in("project", words)
    }

    fn says_in(&self, directory: &str, words: &str) -> String {
        let page = self.path("page.html");
        let _ = fs::remove_file(&page);
        let output = Command::new(env!("CARGO_BIN_EXE_commute"))
            .args(self.fill(words).split_whitespace())
            .current_dir(self.path(directory))
            .env("HOSTILE", SECRET)
            .env("COMMUTE_SOURCES", self.path("outside"))
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("CARGO_BUILD_TARGET_DIR")
            .env_remove("NO_COLOR")
            .stdin(fs::File::open(self.path("outside/secret.rs")).expect("a file"))
            .output()
            .expect("commute runs");
        let mut said = String::from_utf8_lossy(&output.stdout).into_owned();
        said += &String::from_utf8_lossy(&output.stderr);
        said + &fs::read_to_string(&page).unwrap_or_default()
    }

    /// Checks that no form of a report has the secret, and returns the one for people.
    fn is_kept(&self, directory: &str, command: &str) -> String {
        let page = self.path("page.html").display().to_string();
        for format in ["short", "json", "github", "sarif", "junit"] {
            let said = self.says_in(directory, &format!("{command} --message-format {format}"));
            assert!(!said.contains(SECRET), "{command}, {format}: {said}");
        }
        let mut said = String::new();
        for flags in ["", "--verbose"] {
            said = self.says_in(directory, &format!("{command} --html {page} {flags}"));
            assert!(!said.contains(SECRET), "{command} {flags}: {said}");
        }
        said
    }

    /// The ids of the findings of the last run.
    fn ids(&self) -> Vec<String> {
        let said = self.says("report --message-format json");
        let lines = said.lines().filter(|line| line.contains("\"fingerprint\""));
        lines
            .map(|line| {
                let (_, rest) = line.split_once("\"fingerprint\":\"").expect("one");
                rest[..8].to_owned()
            })
            .collect()
    }
}

#[test]
fn files_outside_of_the_project_are_not_shown() {
    let project = Project::new();
    let all = [&LOCATIONS[..], &["src/lib.rs:1"]].concat();
    project.write("project/t.std", &project.trace(&all));
    let said = project.is_kept("project", "check t.std");
    assert!(said.contains(SHOWN), "{said}");
    let said = project.is_kept("project", "report");
    assert!(said.contains(SHOWN), "{said}");
    let ids = project.ids();
    assert_eq!(ids.len(), all.len());
    for id in ids {
        for command in ["explain", "replay"] {
            let said = project.says(&format!("{command} {id} -v"));
            assert!(!said.contains(SECRET), "{command} {id}: {said}");
        }
    }
    let run = fs::read_dir(project.path("project/target/commute/findings"));
    let run = run
        .expect("kept")
        .next()
        .expect("one")
        .expect("read")
        .path();
    fs::copy(&run, project.path("project/a.jsonl")).expect("copied");
    fs::copy(&run, project.path("project/b.jsonl")).expect("copied");
    let said = project.is_kept("project", "report merge a.jsonl b.jsonl");
    assert!(said.contains(SHOWN), "{said}");
    project.write("project/clean.std", "T1|w(x)|a.rs:1\n");
    project.says("check clean.std --out-dir old");
    let said = project.says("report diff old a.jsonl -v");
    assert!(said.contains(SHOWN) && !said.contains(SECRET), "{said}");
    // From elsewhere nothing of the project is shown.
    let said = project.is_kept("elsewhere", "report ../project/a.jsonl");
    assert!(!said.contains(SHOWN), "{said}");
}

#[test]
fn what_a_stored_run_names_does_not_count() {
    let project = Project::new();
    project.write(
        "project/t.std",
        &project.trace(&["secret.rs:1", "outside/secret.rs:1"]),
    );
    let stored = project.says("check t.std --message-format json --no-store");
    let outside = project.path("outside").display().to_string();
    for file in [
        "/proc/kmsg",
        "secret.rs",
        "../project/secret.toml",
        "../project/secret",
    ] {
        let head = format!(
            "{{\"reason\":\"run\",\"command\":\"check\",\"version\":\"0.1.0\",\"directory\":\"{outside}\",\"exit\":1,\"ignored\":0,\"deny_unconfirmed\":false,\"left_out\":0}}\n\
             {{\"reason\":\"trace\",\"name\":\"t.std\",\"file\":\"{file}\",\"directories\":[\"/\",\"{outside}\",\"..\",\"/proc/self/cwd\"],\"events\":4,\"threads\":2,\"objects\":0,\"suppressed\":0,\"reasons\":[],\"notes\":[]}}\n"
        );
        project.write("project/hostile.jsonl", &(head.clone() + &stored));
        project.is_kept("project", "report hostile.jsonl");
        project.is_kept("project", "report merge hostile.jsonl");
        project.write(
            "project/kept/findings/check-00000000-1.jsonl",
            &(head + &stored),
        );
        let said = project.says("report --out-dir kept --message-format json");
        for line in said.lines().filter(|line| line.contains("\"fingerprint\"")) {
            let (_, rest) = line.split_once("\"fingerprint\":\"").expect("one");
            for command in ["explain", "replay"] {
                let said = project.says(&format!("{command} {} --out-dir kept", &rest[..8]));
                assert!(!said.contains(SECRET), "{command}: {said}");
            }
        }
    }
}

#[test]
fn the_directory_of_a_trace_is_shown_and_none_around_it() {
    let project = Project::new();
    project.write("outside/traces/lib.rs", &format!("{SHOWN}\n"));
    let locations = ["lib.rs:1", "../secret.rs:1", "OUTSIDE/secret.rs:1"];
    project.write("outside/traces/t.std", &project.trace(&locations));
    let said = project.is_kept("project", "check ../outside/traces/t.std");
    assert!(said.contains(SHOWN), "{said}");
}

/// The current directory is the root of the file system.
#[test]
fn files_of_the_kernel_are_never_shown() {
    let project = Project::new();
    let trace = project.path("project/t.std");
    project.write("project/t.std", &project.trace(&LOCATIONS[15..]));
    let page = project.path("page.html").display().to_string();
    let run = |directory: &Path| {
        let output = Command::new(env!("CARGO_BIN_EXE_commute"))
            .args(["check", "--no-store", "--no-config", "--html", &page])
            .arg(&trace)
            .current_dir(directory)
            .env("HOSTILE", SECRET)
            .output()
            .expect("commute runs");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        said + &fs::read_to_string(&page).expect("a page")
    };
    for directory in ["/", "/proc/self", "/dev"] {
        let said = run(Path::new(directory));
        // The pipe, what the link leads to, the environment, the log and standard input.
        assert!(!said.contains(SECRET), "in {directory}: {said}");
    }
}

#[test]
fn more_is_shown_if_the_command_line_says_so() {
    let project = Project::new();
    let locations = [
        "OUTSIDE/secret.rs:1",
        ".hidden/secret.rs:1",
        "secret.toml:1",
    ];
    project.write("project/t.std", &project.trace(&locations));
    let shown = project.says("check t.std --sources ../outside --message-format human");
    let lines = shown.lines().filter(|line| line.contains(SECRET)).count();
    assert_eq!(lines, 1, "{shown}");
    // Names are also looked up there.
    project.write("project/u.std", &project.trace(&["secret.rs:1"]));
    let shown = project.says("check u.std --sources OUTSIDE");
    assert!(shown.contains(SECRET), "{shown}");
    let shown = project.says("check u.std --sources .hidden");
    assert!(
        shown.contains(SECRET),
        "a hidden directory may be named: {shown}"
    );
    // Neither a project nor the environment, which has it in all of these runs, can say it.
    project.write("project/commute.toml", "sources = [\"../outside\"]\n");
    assert!(!project.says("check u.std").contains(SECRET));
    for (directory, why) in [
        ("nowhere", "No such file or directory"),
        ("Cargo.toml", "not a directory"),
        ("/proc/self", "never shown"),
    ] {
        let said = project.says(&format!("check u.std --no-config --sources {directory}"));
        assert!(said.contains(why) && said.contains("--sources"), "{said}");
    }
}
