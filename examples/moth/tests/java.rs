//! The Java programs compile, without a warning.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, process};

#[test]
fn all_compile() {
    let java = Path::new(env!("CARGO_MANIFEST_DIR")).join("java");
    let classes = env::temp_dir().join(format!("commute-moth-{}", process::id()));
    fs::create_dir_all(&classes).unwrap();
    let output = Command::new("javac")
        .args(["-Xlint:all", "-Werror", "-encoding", "UTF-8", "-d"])
        .arg(&classes)
        .args(sources(&java))
        .output();
    let made = fs::read_dir(&classes).unwrap().count();
    fs::remove_dir_all(&classes).unwrap();
    match output {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            eprintln!("skipped: javac is not installed");
        }
        Err(error) => panic!("javac: {error}"),
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{said}");
            let folders = fs::read_dir(&java).unwrap().count();
            assert_eq!(made, folders, "one package for each folder");
        }
    }
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
