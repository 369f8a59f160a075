//! Directories and jars.

use std::fs;

use commute_lint::java::{archive, program};

use crate::compiler::{compile, run};

#[test]
fn jars_and_directories_are_the_same() {
    let Some(directory) = compile("class A { int n; } class B {}", &[]) else {
        return;
    };
    let root = directory.path();
    if !run("jar", &["cf", "all.jar", "-C", "classes", "."], root) {
        return;
    }
    let jar = archive::read(&[root.join("all.jar")]);
    let classes = archive::read(&[root.join("classes")]);
    assert_eq!(jar.problems, []);
    assert_eq!(jar.inputs.len(), 2);
    assert!(jar.inputs[0].name.ends_with("all.jar!A.class"));
    let bytes = |classes: &archive::Classes| -> Vec<Vec<u8>> {
        classes
            .inputs
            .iter()
            .map(|input| input.bytes.clone())
            .collect()
    };
    assert_eq!(bytes(&jar), bytes(&classes));
    assert_eq!(program(&jar.inputs).functions.len(), 2);
}

#[test]
fn problems_have_names() {
    let directory = tempfile::tempdir().expect("a directory");
    let root = directory.path();
    fs::write(root.join("a.jar"), b"no jar").expect("it is written");
    fs::write(root.join("notes.txt"), b"nothing").expect("it is written");
    let inside = archive::read(&[root.to_owned()]);
    assert_eq!(inside.inputs.len(), 0);
    assert_eq!(inside.problems.len(), 1);
    assert!(inside.problems[0].place.ends_with("a.jar"));
    let named = archive::read(&[root.join("notes.txt"), root.join("missing.class")]);
    assert_eq!(named.problems.len(), 2);
    assert_eq!(
        named.problems[0].what,
        "it is neither a class file nor a jar"
    );
}

#[test]
fn entries_that_are_broken_leave_the_others() {
    let Some(directory) = compile("class A {} class B {}", &[]) else {
        return;
    };
    let root = directory.path();
    // Stored, not compressed: the bytes of the classes are there as they are.
    if !run("jar", &["cf0", "all.jar", "-C", "classes", "."], root) {
        return;
    }
    let mut bytes = fs::read(root.join("all.jar")).expect("the jar is there");
    let magic = [0xCA, 0xFE, 0xBA, 0xBE];
    let at = bytes
        .windows(4)
        .position(|four| four == magic)
        .expect("a class is there");
    bytes[at + 20] ^= 0xff;
    fs::write(root.join("all.jar"), bytes).expect("it is written");
    let read = archive::read(&[root.join("all.jar")]);
    assert_eq!((read.inputs.len(), read.problems.len()), (1, 1));
    assert!(read.problems[0].place.ends_with("all.jar!A.class"));
}
