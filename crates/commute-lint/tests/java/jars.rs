//! Directories and jars.

use std::fs;
use std::io::Write;

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

/// A jar of entries with these names, of so many zeros each.
fn zeros(path: &std::path::Path, names: &[&str], length: usize) {
    let mut jar = zip::ZipWriter::new(fs::File::create(path).expect("it is created"));
    let options = zip::write::SimpleFileOptions::default();
    let options = options.compression_method(zip::CompressionMethod::Deflated);
    for name in names {
        jar.start_file(*name, options).expect("an entry");
        jar.write_all(&vec![0; length]).expect("it is written");
    }
    jar.finish().expect("it is written");
}

/// A small jar does not become much memory: the first entry beyond a limit ends it all,
/// in one jar or in several.
#[test]
fn jars_are_bounded() {
    let directory = tempfile::tempdir().expect("a directory");
    let root = directory.path();
    let limits = archive::Limits {
        class: 100_000,
        all: 250_000,
        entries: 6,
    };
    zeros(&root.join("large.jar"), &["A.class", "B.class"], 100_001);
    zeros(&root.join("fits.jar"), &["A.class", "B.class"], 100_000);
    zeros(&root.join("many.jar"), &["a", "b", "c", "d", "e"], 0);
    let read = |names: &[&str]| {
        let paths: Vec<_> = names.iter().map(|name| root.join(name)).collect();
        let classes = archive::read_up_to(limits, &paths);
        let refused = classes.refused.map(|gap| {
            let (_, entry) = gap.place.rsplit_once('/').expect("a path");
            format!("{entry}: {}", gap.what)
        });
        (classes.inputs.len(), refused.unwrap_or_default())
    };
    let twice = "fits.jar!A.class: the class files up to here unpack to more than 250000 bytes";
    let all = "fits.jar!B.class: the class files up to here unpack to more than 250000 bytes";
    for (names, inputs, refused) in [
        (&["fits.jar"][..], 2, ""),
        (&["many.jar"], 0, ""),
        (
            &["large.jar"],
            0,
            "large.jar!A.class: it unpacks to more than 100000 bytes",
        ),
        (&["fits.jar", "fits.jar"], 2, twice),
        (
            &["fits.jar", "many.jar"],
            2,
            "many.jar: the jars up to here have more than 6 entries",
        ),
    ] {
        assert_eq!(read(names), (inputs, refused.to_owned()), "{names:?}");
    }
    let small = archive::Limits {
        all: 150_000,
        ..limits
    };
    let classes = archive::read_up_to(small, &[root.join("fits.jar")]);
    let refused = classes.refused.expect("too much");
    assert!(
        format!("{}: {}", refused.place, refused.what).ends_with(&all.replace("250000", "150000"))
    );
    assert_eq!(classes.inputs.len(), 1);
}

/// Code takes a hundred times its size when it is followed: methods behind so much are gaps.
#[test]
fn code_is_bounded() {
    let increments = "n++; ".repeat(6000);
    let source = format!("class A00000 {{ int n; void f() {{ {increments} }} }}");
    let Some(directory) = compile(&source, &[]) else {
        return;
    };
    let class = &archive::read(&[directory.path().join("classes")]).inputs[0];
    let name = b"A00000";
    let copies = (0..230).map(|number| {
        let mut bytes = class.bytes.clone();
        let other = format!("B{number:05}");
        for at in 0..bytes.len() - name.len() {
            if bytes[at..].starts_with(name) {
                bytes[at..at + name.len()].copy_from_slice(other.as_bytes());
            }
        }
        commute_lint::java::Input { name: other, bytes }
    });
    let program = program(&copies.collect::<Vec<_>>());
    let statements = |name: &str| {
        let mut functions = program.functions.iter();
        let function = functions.find(|function| function.name == name);
        let blocks = &function.expect("a function").blocks;
        blocks
            .iter()
            .map(|block| block.statements.len())
            .sum::<usize>()
    };
    assert!(statements("B00000.f") > 6000);
    assert!(statements("B00229.f") < 10);
    let gap = program.gaps.last().expect("a gap");
    assert_eq!(gap.place, "B00229: B00229.f");
    assert!(gap.what.contains("MiB of code"), "{}", gap.what);
}
