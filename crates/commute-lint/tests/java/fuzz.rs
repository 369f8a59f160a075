//! Damaged class files and jars go through the whole analysis: they may end in gaps, and
//! in nothing else.

use std::fs;

use commute_lint::java::{Input, archive, program};
use commute_lint::{Options, lint};
use commute_testkit::fuzz;

use crate::compiler::{compile, run, validate};

const SOURCE: &str = "
    import java.util.*; import java.util.concurrent.*;
    class Test {
        int n; final Object lock = new Object(); Map<String, Integer> m = new ConcurrentHashMap<>();
        synchronized int f(int a) {
            switch (a) { case 0: n++; break; case 5000: n--; default: n *= 3; }
            synchronized (lock) { try { m.put(\"k\", a); } finally { n++; } }
            Runnable r = () -> { n += a; };
            new Thread(r).start();
            return n > 3 ? 1 : 2;
        }
    }";

const PIECES: [&[u8]; 8] = [
    b"\xCA\xFE\xBA\xBE",
    b"\xff\xff\xff\xff",
    b"\x7f\xff",
    b"\0\0",
    b"Code",
    b"()V",
    b"[[[[[[[[",
    b"\xaa\xab",
];

#[test]
fn damaged_classes() {
    let Some(directory) = compile(SOURCE, &["-g"]) else {
        return;
    };
    let inputs = archive::read(&[directory.path().join("classes")]).inputs;
    let class = inputs
        .iter()
        .find(|input| input.name.ends_with("Test.class"));
    let class = &class.expect("the class was compiled").bytes;
    fuzz::each(
        "class files",
        500,
        |random| {
            let mut bytes = class.clone();
            fuzz::damage(random, &mut bytes, &PIECES);
            bytes
        },
        |bytes| {
            let name = "Test.class".to_owned();
            let program = program(&[Input {
                name,
                bytes: bytes.to_vec(),
            }]);
            validate(&program);
            lint(&program, &Options::default());
        },
    );
}

#[test]
fn damaged_jars() {
    let Some(directory) = compile("class A { int n; } class B {}", &[]) else {
        return;
    };
    let root = directory.path();
    if !run("jar", &["cf", "all.jar", "-C", "classes", "."], root) {
        return;
    }
    let jar = fs::read(root.join("all.jar")).expect("the jar is there");
    let damaged = root.join("damaged.jar");
    fuzz::each(
        "jars",
        300,
        |random| {
            let mut bytes = jar.clone();
            fuzz::damage(
                random,
                &mut bytes,
                &[b"PK\x01\x02", b"PK\x05\x06", b"\xff\xff\xff\xff"],
            );
            bytes
        },
        |bytes| {
            fs::write(&damaged, bytes).expect("it is written");
            let classes = archive::read(std::slice::from_ref(&damaged));
            validate(&program(&classes.inputs));
        },
    );
}
