//! `commute lint`, from the outside: what cargo compiles is looked at, once; what cannot
//! be looked at is said.
#![cfg(unix)]

#[path = "../../commute-report/tests/documents/schema.rs"]
mod schema;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::SystemTime;

use serde_json::Value;

/// A folder with files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }
    folder
}

fn commute(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_commute"));
    command
        .arg("lint")
        .args(args)
        .current_dir(folder)
        .env_remove("CARGO_TARGET_DIR")
        .env("CARGO_TERM_QUIET", "true");
    command.output().expect("commute runs")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The last line of JSON.
fn summary(folder: &Path, args: &[&str]) -> (Option<i32>, Value) {
    let args = [&["--message-format", "json"], args].concat();
    let output = commute(folder, &args);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let last = text
        .lines()
        .last()
        .unwrap_or_else(|| panic!("{}", stderr(&output)));
    let summary: Value = serde_json::from_str(last).expect("JSON");
    assert_eq!(summary["reason"], "summary");
    (output.status.code(), summary)
}

/// What is kept below a folder: names of crates, and when their MIR was written.
fn kept(folder: &Path) -> Vec<(String, SystemTime)> {
    let mir = folder.join("target/commute/lint/mir");
    let entries = fs::read_dir(mir).expect("there is MIR").flatten();
    let mut kept: Vec<_> = entries
        .filter(|entry| entry.path().extension().is_some_and(|e| e == "mir"))
        .map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            let (name, _) = name.rsplit_once('-').expect("a hash");
            let modified = entry.metadata().and_then(|m| m.modified());
            (name.to_owned(), modified.expect("a time"))
        })
        .collect();
    kept.sort();
    kept
}

fn names(folder: &Path) -> Vec<String> {
    kept(folder).into_iter().map(|(name, _)| name).collect()
}

const MANIFEST: &str =
    "[package]\nname = \"bank\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";
const LIBRARY: &str = "use std::sync::Mutex;
pub struct Account { pub balance: Mutex<i64> }
pub fn withdraw(account: &Account, amount: i64) {
    let unused = 1;
    let balance = *account.balance.lock().unwrap();
    *account.balance.lock().unwrap() = balance - amount;
}
";

fn package() -> tempfile::TempDir {
    folder(&[
        ("Cargo.toml", MANIFEST),
        ("src/lib.rs", LIBRARY),
        (
            "src/main.rs",
            "fn main() { bank::withdraw(&bank::Account { balance: 3.into() }, 1); }\n",
        ),
        ("build.rs", "fn main() {}\n"),
        ("tests/it.rs", "#[test]\nfn it() {}\n"),
    ])
}

#[test]
fn libraries_and_binaries_are_looked_at_and_nothing_else() {
    let package = package();
    let (_, summary) = summary(package.path(), &[]);
    assert_eq!(summary["crates"], 2);
    assert_eq!(summary["events"], 0);
    assert_eq!(summary["analyses"], serde_json::json!(["commute"]));
    assert_eq!(names(package.path()), ["bank", "bank"]);
    let mir = package.path().join("target/commute/lint/mir");
    let texts = fs::read_dir(mir).expect("there is MIR").flatten();
    let texts: String = texts
        .filter_map(|entry| fs::read_to_string(entry.path()).ok())
        .collect();
    assert!(texts.contains("std::sync::Mutex::<i64>::lock"), "{texts}");
    assert!(texts.contains("// scope 1 at src/lib.rs:5"), "{texts}");
}

#[test]
fn an_unchanged_project_is_not_compiled_again() {
    let package = package();
    let (code, first) = summary(package.path(), &[]);
    let before = kept(package.path());
    let (again, second) = summary(package.path(), &[]);
    assert_eq!((code, &first["crates"]), (again, &second["crates"]));
    assert_eq!(first["reasons"], second["reasons"]);
    assert_eq!(kept(package.path()), before);
    let results = package.path().join("target/commute/lint/results");
    assert_eq!(fs::read_dir(&results).expect("results").count(), 1);
    // With other options the question is another one.
    summary(package.path(), &["--without", "paths"]);
    assert_eq!(fs::read_dir(&results).expect("results").count(), 2);
    assert_eq!(kept(package.path()), before);
}

#[test]
fn what_is_missing_is_printed_again() {
    let package = package();
    summary(package.path(), &[]);
    let mir = package.path().join("target/commute/lint/mir");
    for entry in fs::read_dir(&mir).expect("there is MIR").flatten() {
        fs::remove_file(entry.path()).expect("removed");
    }
    let (_, summary) = summary(package.path(), &[]);
    assert_eq!(summary["crates"], 2);
    assert_eq!(names(package.path()), ["bank", "bank"]);
}

#[test]
fn packages_and_targets_are_chosen() {
    let workspace = folder(&[
        (
            "Cargo.toml",
            "[workspace]\nmembers = [\"a\", \"b\"]\nresolver = \"2\"\n",
        ),
        (
            "a/Cargo.toml",
            "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
        ),
        ("a/src/lib.rs", "pub fn a() {}\n#[test]\nfn t() {}\n"),
        (
            "b/Cargo.toml",
            "[package]\nname = \"b\"\nversion = \"0.1.0\"\nedition = \"2018\"\n[features]\nf = []\n",
        ),
        ("b/src/main.rs", "fn main() {}\n"),
        ("b/examples/e.rs", "fn main() {}\n"),
    ]);
    let crates = |folder: &Path, args: &[&str]| summary(folder, args).1["crates"].clone();
    let root = workspace.path();
    assert_eq!(crates(root, &[]), 2);
    assert_eq!(crates(root, &["-p", "a"]), 1);
    assert_eq!(
        crates(root, &["-p", "b", "--examples", "--features", "f"]),
        1
    );
    assert_eq!(crates(root, &["--workspace", "--all-targets"]), 3);
    assert_eq!(crates(root, &["--manifest-path", "b/Cargo.toml"]), 1);
    assert_eq!(crates(root, &["a"]), 1);
    assert_eq!(crates(&root.join("b/src"), &[]), 1);
    // From elsewhere.
    let elsewhere = folder(&[]);
    let path = root.display().to_string();
    assert_eq!(crates(elsewhere.path(), &[&path]), 2);
    let output = commute(root, &["-p", "nobody"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}

#[test]
fn what_should_be_atomic_is_a_region() {
    let commute_crate = Path::new(env!("CARGO_MANIFEST_DIR")).join("../commute");
    let manifest = format!(
        "[dependencies]\ncommute = {{ path = {:?} }}\n{MANIFEST}",
        commute_crate.display().to_string()
    );
    let library = "use std::sync::Mutex;
pub struct Account { balance: Mutex<i64> }
impl Account {
    #[commute::atomic]
    pub fn balance(&self) -> i64 {
        *self.balance.lock().unwrap()
    }
    #[commute::atomic(\"to set\")]
    pub fn set(&self, balance: i64) {
        *self.balance.lock().unwrap() = balance;
    }
}
ATTRIBUTE
pub fn withdraw(account: &Account, amount: i64) {
    account.set(account.balance() - amount);
}
";
    for (attribute, code) in [("", 1), ("#[commute::atomic]", 0)] {
        let package = folder(&[
            ("Cargo.toml", &manifest),
            ("src/lib.rs", &library.replace("ATTRIBUTE", attribute)),
        ]);
        for algorithm in ["commute", "moth", "moth-extended"] {
            let output = commute(package.path(), &["--offline", "--algorithm", algorithm]);
            let text = String::from_utf8_lossy(&output.stdout);
            let said = stderr(&output);
            assert_eq!(
                output.status.code(),
                Some(code),
                "{algorithm}: {text}{said}"
            );
        }
    }
}

#[test]
fn what_does_not_compile_is_bad_input() {
    let package = package();
    let path = package.path().join("src/lib.rs");
    fs::write(&path, "pub fn withdraw() { 1 + }\n").expect("written");
    let output = commute(package.path(), &[]);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("expected expression, found `}`"), "{text}");
    assert!(text.contains("src/lib.rs:1:25"), "{text}");
    assert!(text.contains("the project could not be compiled"), "{text}");
    // Nothing is left behind that would be taken for it.
    fs::write(&path, LIBRARY).expect("written");
    assert_eq!(summary(package.path(), &[]).1["crates"], 2);
}

#[test]
fn warnings_of_the_compiler_are_for_another_day() {
    let package = package();
    let path = package.path().join("src/lib.rs");
    fs::write(&path, format!("#![deny(warnings)]\n{LIBRARY}")).expect("written");
    let output = commute(package.path(), &[]);
    assert_ne!(output.status.code(), Some(2));
    assert_eq!(stderr(&output), "");
}

#[test]
fn what_is_nothing_to_look_at_is_refused() {
    let here = folder(&[
        ("empty/x.txt", ""),
        ("empty.mir", ""),
        ("garbage.mir", "\u{0}\u{1}what\n(((\n"),
        ("binary.mir", "\u{7f}ELF"),
        ("A.class", ""),
    ]);
    let check = |args: &[&str], part: &str| {
        let output = commute(here.path(), args);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {text}");
        assert!(text.contains(part), "{args:?}: {text}");
        assert!(output.stdout.is_empty());
    };
    check(&[], "could not find `Cargo.toml`");
    check(&["empty"], "neither a Cargo.toml nor a class file");
    check(&["nowhere"], "there is no nowhere");
    check(&["--manifest-path", "no/Cargo.toml"], "no/Cargo.toml");
    check(&["empty.mir"], "empty.mir is empty");
    check(&["garbage.mir"], "garbage.mir is no MIR");
    check(&["binary.mir"], "binary.mir is no MIR");
    check(&["A.class", "-p", "x"], "here is no Cargo.toml");
}

/// MIR as the compiler prints it, of two functions.
fn mir() -> String {
    let package = folder(&[("two.rs", "pub fn a() {}\npub fn b(n: u32) -> u32 { n }\n")]);
    let output = Command::new("rustc")
        .args(["--crate-type=lib", "--emit=mir", "-o", "-", "two.rs"])
        .current_dir(package.path())
        .output()
        .expect("rustc runs");
    String::from_utf8(output.stdout).expect("MIR is UTF-8")
}

#[test]
fn mir_of_which_nothing_is_understood_is_refused() {
    let whole = mir();
    let second = whole.find("fn b(").expect("the second function");
    let first = whole.find("fn a(").expect("the first function").min(second);
    let last = first.max(second);
    let here = folder(&[
        ("whole.mir", &whole),
        ("cut.mir", &whole[..first + 40]),
        ("half.mir", &whole[..last + 40]),
        ("other.mir", &whole.replace("bb0: {", "block 0 {")),
        ("header.mir", &whole.replace("fn ", "fun ")),
    ]);
    let check = |args: &[&str], code: i32, part: &str| {
        let output = commute(here.path(), args);
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {text}");
        assert!(text.contains(part), "{args:?}: {text}");
    };
    let line = |text: &str, part: &str| {
        let before = &text[..text.find(part).expect("a part")];
        before.lines().count() + 1
    };
    check(&["whole.mir"], 0, "clean");
    check(&["cut.mir"], 2, "cut.mir:");
    check(&["cut.mir"], 2, "no function was understood");
    check(&["half.mir"], 3, "inconclusive");
    check(&["other.mir"], 2, "another release of the compiler");
    let at = line(&whole, "    bb0: {");
    check(&["other.mir"], 2, &format!("other.mir:{at}:5: expected "));
    let at = line(&whole, "fn ");
    check(&["header.mir"], 2, &format!("header.mir:{at}:"));
    check(&["cut.mir", "whole.mir"], 3, "inconclusive");
    check(
        &["cut.mir", "--candidates"],
        2,
        "no function was understood",
    );
}

#[test]
fn class_files_of_which_nothing_is_understood_are_refused() {
    // An interface: no code, but all of it is read.
    let interface: &[u8] = b"\xca\xfe\xba\xbe\0\0\0\x34\0\x05\x01\0\x01I\x07\0\x01\
        \x01\0\x10java/lang/Object\x07\0\x03\x06\0\0\x02\0\x04\0\0\0\0\0\0\0\0";
    let here = folder(&[("empty/A.class", ""), ("both/text.txt", "")]);
    let write = |name: &str, bytes: &[u8]| {
        fs::write(here.path().join(name), bytes).expect("written");
    };
    write("cut.class", &interface[..30]);
    write("both/cut.class", &interface[..30]);
    write("both/I.class", interface);
    write("I.class", interface);
    let check = |path: &str, code: i32, part: &str| {
        let output = commute(here.path(), &[path]);
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{path}: {text}");
        assert!(text.contains(part), "{path}: {text}");
    };
    check(
        "empty",
        2,
        "cannot look at empty/A.class: it ends early, at byte 0",
    );
    check(
        "cut.class",
        2,
        "cannot look at cut.class: it ends early, at byte ",
    );
    check("both", 3, "both/cut.class: it ends early");
    check("I.class", 0, "clean");
}

#[test]
fn without_cargo_it_says_so() {
    let package = package();
    let output = Command::new(env!("CARGO_BIN_EXE_commute"))
        .arg("lint")
        .current_dir(package.path())
        .env("PATH", "")
        .env_remove("CARGO")
        .output()
        .expect("commute runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("cannot run cargo"));
}

/// A compiler that is not ours: it knows no `-Z`, and fails on `--emit=mir` if told to.
fn other_compiler(folder: &Path, knows_mir: bool) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join("other-rustc");
    let mir = if knows_mir { "never" } else { "--emit=mir*" };
    let script = format!(
        "#!/bin/sh\nfor a in \"$@\"; do case \"$a\" in -Z*|{mir}) echo 'error: what is this' >&2; exit 1;; esac; done\nexec rustc \"$@\"\n"
    );
    fs::write(&path, script).expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
    path
}

#[test]
fn another_compiler_is_asked_by_stable_flags() {
    for knows_mir in [true, false] {
        let package = folder(&[("Cargo.toml", MANIFEST), ("src/lib.rs", LIBRARY)]);
        let rustc = other_compiler(package.path(), knows_mir);
        let output = Command::new(env!("CARGO_BIN_EXE_commute"))
            .args(["lint", "--message-format", "json"])
            .current_dir(package.path())
            .env_remove("CARGO_TARGET_DIR")
            .env("RUSTC", rustc)
            .output()
            .expect("commute runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(
            output.status.code(),
            Some(if knows_mir { 1 } else { 3 }),
            "{text} {}",
            stderr(&output)
        );
        let mir = package.path().join("target/commute/lint/mir");
        assert_eq!(
            kept(package.path()).len(),
            usize::from(knows_mir),
            "{mir:?}"
        );
        let says = text.contains("crate `bank`: not looked at: what is this");
        assert_eq!(says, !knows_mir, "{text}");
    }
}

#[test]
fn what_another_release_prints_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let package = folder(&[("Cargo.toml", MANIFEST), ("src/lib.rs", LIBRARY)]);
    let rustc = package.path().join("next-rustc");
    let script = "#!/bin/sh
rustc \"$@\" || exit
for a in \"$@\"; do
    case \"$before\" in -o) out=$a;; esac
    case \"$a\" in -Zunpretty=mir) mir=yes;; esac
    before=$a
done
[ -z \"$mir\" ] || sed -i 's/bb0: {/block 0 {/' \"$out\"
";
    fs::write(&rustc, script).expect("written");
    fs::set_permissions(&rustc, fs::Permissions::from_mode(0o755)).expect("executable");
    let output = Command::new(env!("CARGO_BIN_EXE_commute"))
        .arg("lint")
        .current_dir(package.path())
        .env_remove("CARGO_TARGET_DIR")
        .env("RUSTC", rustc)
        .output()
        .expect("commute runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &stderr(&output);
    assert_eq!(output.status.code(), Some(3), "{text}");
    let says = "crate `bank`: not looked at: its MIR is not understood, line ";
    assert!(text.contains(says), "{text}");
    assert!(text.contains("(rustc "), "{text}");
}

#[test]
fn the_settings_of_the_project_are_read() {
    let package = package();
    // Also with the line ends of Windows.
    for end in ["\n", "\r\n"] {
        let write = |text: &str| {
            let settings = package.path().join("commute.toml");
            fs::write(settings, text.replace('\n', end)).expect("written");
        };
        write("[lint]\nalow = []\n");
        let output = commute(package.path(), &[]);
        let said = "warning: commute.toml:2:1: unknown key `alow`; did you mean `allow`?";
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
        write("[lint]\nallow = [\"stale\"]\n");
        let output = commute(package.path(), &[]);
        assert_eq!(output.status.code(), Some(2));
        let said = "error: commute.toml:2:10: unknown name `stale`";
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
    }
}

#[test]
fn documents_are_written_and_say_what_failed() {
    let package = package();
    let output = commute(
        package.path(),
        &["--message-format", "junit", "--html", "page.html"],
    );
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("name=\"Cargo.toml\""), "{text}");
    let page = fs::read_to_string(package.path().join("page.html")).expect("a page");
    assert!(page.contains("<dt>regions</dt>"), "{page}");
    fs::write(package.path().join("src/lib.rs"), "fn").expect("written");
    let output = commute(package.path(), &["--message-format", "sarif"]);
    assert_eq!(output.status.code(), Some(2));
    let log: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(
        log["runs"][0]["invocations"][0]["executionSuccessful"],
        false
    );
}

#[test]
fn a_document_is_valid() {
    let folder = folder(&[("Cargo.toml", MANIFEST), ("src/lib.rs", LIBRARY)]);
    let output = commute(folder.path(), &["-v", "--message-format", "sarif"]);
    let log = schema::valid(&String::from_utf8_lossy(&output.stdout));
    let results = log["runs"][0]["results"].as_array().expect("results");
    assert!(!results.is_empty(), "{log}");
    assert!(
        results
            .iter()
            .all(|r| r["codeFlows"][0]["threadFlows"].is_array())
    );
}

const EXTENDED: &str = "use std::sync::{Mutex, MutexGuard, RwLock};
pub trait LockExt<T> { fn safe_lock(&self) -> MutexGuard<'_, T>; }
impl<T> LockExt<T> for Mutex<T> {
    fn safe_lock(&self) -> MutexGuard<'_, T> { self.lock().unwrap_or_else(|e| e.into_inner()) }
}
pub struct Bank { balance: Mutex<i64>, unused: RwLock<i64> }
impl Bank {
    pub fn new() -> Bank { Bank { balance: Mutex::new(0), unused: RwLock::new(0) } }
    pub fn deposit(&self, amount: i64) {
        let balance = *self.balance.safe_lock();
        *self.balance.safe_lock() = balance + amount;
    }
}
";

/// Locks that are taken in a way that is not known are named, for every algorithm.
#[test]
fn lost_critical_sections_are_no_clean_run() {
    let folder = folder(&[("Cargo.toml", MANIFEST), ("src/lib.rs", EXTENDED)]);
    for algorithm in ["commute", "moth", "moth-extended", "artho"] {
        let (code, summary) = summary(folder.path(), &["-v", "--algorithm", algorithm]);
        assert_eq!(code, Some(3), "{summary}");
        assert_eq!(summary["verdict"], "inconclusive");
        let reasons = summary["reasons"].to_string();
        for line in [10, 11] {
            let place = format!("`Mutex::safe_lock` at src/lib.rs:{line}:");
            assert!(reasons.contains(&place), "{algorithm}: {reasons}");
        }
    }
    let output = commute(folder.path(), &["-v"]);
    let note = "no lock of the type `std::sync::RwLock` is taken in the analysed code";
    assert!(stderr(&output).contains(note), "{}", stderr(&output));
}
