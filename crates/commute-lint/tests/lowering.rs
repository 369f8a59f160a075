//! What the Rust front end makes of small programs, next to each of them in
//! `lowering`. Bless with `UPDATE_EXPECT=1 cargo test -p commute-lint --test lowering`.
//!
//! MIR is another with every release of the compiler, so this is looked at with
//! the one that the files were made with, and passed over with others.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use commute_lint::print::print;
use commute_lint::rust::{CrateInfo, mir, program};
use expect_test::expect_file;

/// The release that the files were made with.
const RELEASE: &str = "rustc 1.95.";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lowering")
}

/// What the compiler prints.
fn rustc(arguments: &[&str]) -> String {
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(compiler)
        .current_dir(folder())
        .env("RUSTC_BOOTSTRAP", "1")
        .args(arguments)
        .output()
        .expect("rustc runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    String::from_utf8(output.stdout).expect("MIR is UTF-8")
}

fn lowered(name: &str) -> String {
    let file = format!("{name}.rs");
    let text = rustc(&[
        "--edition=2024",
        "--crate-type=lib",
        "-Awarnings",
        "-Zunpretty=mir",
        "-Zmir-include-spans=on",
        "-Ztrim-diagnostic-paths=no",
        "-o",
        "-",
        &file,
    ]);
    let info = CrateInfo {
        name: name.to_owned(),
        root: String::new(),
        edition: "2024".to_owned(),
        library: true,
    };
    let finder = |name: &str| fs::read_to_string(folder().join(name)).ok();
    let program = program(vec![(info, mir::parse::parse(&text))], &finder);
    assert_eq!(program.gaps, [], "{name}");
    let functions = program.functions.iter();
    let mut text: Vec<String> = functions.map(|f| print(&program, f)).collect();
    let processes = program.processes.iter();
    let names: Vec<&str> = processes.map(|process| process.name.as_str()).collect();
    text.push(format!("processes: {}\n", names.join(", ")));
    text.join("\n")
}

#[test]
#[expect(clippy::print_stderr, reason = "a test that does not run says so")]
fn small_programs() {
    let release = rustc(&["--version"]);
    if !release.starts_with(RELEASE) {
        eprintln!("passed over: made with {RELEASE}x, and this is {release}");
        return;
    }
    for name in [
        "atomics", "awaiting", "failing", "guards", "maps", "threads", "traits", "waiting",
    ] {
        let file = folder().join(format!("{name}.ir"));
        expect_file![file].assert_eq(&lowered(name));
    }
}
