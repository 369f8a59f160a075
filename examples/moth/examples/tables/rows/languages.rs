//! The programs as analyses read them: Rust's MIR and Java's class files, both
//! made here by the compilers of the machine.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use commute_lint::ir::Program;
use commute_lint::java;
use commute_lint::rust::{CrateInfo, mir, program};
use commute_testkit::tools;

/// The program in Rust. Panics if it does not compile.
pub fn rust(name: &str) -> Program {
    let root = folder("");
    let file = format!("src/bin/{name}.rs");
    let compiler = env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc"));
    let output = Command::new(compiler)
        .current_dir(&root)
        // Only so are these options known to a stable compiler.
        .env("RUSTC_BOOTSTRAP", "1")
        .args(["--edition", "2024", "-Zunpretty=mir"])
        .args(["-Zmir-include-spans=on", "-Ztrim-diagnostic-paths=no"])
        .arg(&file)
        .output()
        .unwrap_or_else(|error| panic!("rustc: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{file}: {said}");
    let text = String::from_utf8_lossy(&output.stdout);
    let info = CrateInfo {
        name: name.to_owned(),
        root: root.display().to_string(),
        edition: "2024".to_owned(),
        library: false,
    };
    let source = |name: &str| fs::read_to_string(root.join(name)).ok();
    program(vec![(info, mir::parse::parse(&text))], &source)
}

/// Returns all programs in Java, by their packages; `None` if there is no
/// compiler.
pub fn java() -> Option<BTreeMap<String, Program>> {
    let javac = tools::find("javac")?;
    let classes = tempfile::tempdir().unwrap_or_else(|error| panic!("no folder: {error}"));
    let output = Command::new(javac)
        .args(["-encoding", "UTF-8", "-d"])
        .arg(classes.path())
        .args(packages(&folder("java")).flat_map(|package| files(&package, "java")))
        .output()
        .unwrap_or_else(|error| panic!("javac: {error}"));
    let problem = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{problem}");
    let mut programs = BTreeMap::new();
    for package in packages(classes.path()) {
        let name = package.file_name().unwrap_or_default();
        let inputs = files(&package, "class")
            .into_iter()
            .map(|path| java::Input {
                name: path.display().to_string(),
                bytes: fs::read(&path).unwrap_or_default(),
            });
        let program = java::program(&inputs.collect::<Vec<_>>());
        programs.insert(name.to_string_lossy().into_owned(), program);
    }
    Some(programs)
}

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn packages(folder: &Path) -> impl Iterator<Item = PathBuf> {
    entries(folder).into_iter().filter(|path| path.is_dir())
}

fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let mut paths = entries(folder);
    paths.retain(|path| path.extension().is_some_and(|found| found == end));
    paths
}
