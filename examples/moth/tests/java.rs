//! The Java programs compile, without a warning.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use commute_testkit::tools;

#[test]
fn all_compile() {
    let Some(javac) = tools::require("javac") else {
        return;
    };
    let java = Path::new(env!("CARGO_MANIFEST_DIR")).join("java");
    let classes = tempfile::tempdir().unwrap();
    let output = Command::new(javac)
        .args(["-Xlint:all", "-Werror", "-encoding", "UTF-8", "-d"])
        .arg(classes.path())
        .args(sources(&java))
        .output()
        .unwrap();
    let problem = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{problem}");
    let packages = fs::read_dir(classes.path()).unwrap().count();
    let folders = fs::read_dir(&java).unwrap().count();
    assert_eq!(packages, folders, "one package for each folder");
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut sources = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources.extend(sources_of_package(&path));
        }
    }
    sources
}

fn sources_of_package(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "java"))
}
