//! Class files that are broken are gaps, and nothing else happens.

use std::time::{Duration, Instant};

use commute_lint::java::{Input, archive, program};
use expect_test::expect;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::compiler::{compile, text, validate};

const SOURCE: &str = "
    import java.util.*;
    @FunctionalInterface interface Op { int apply(int a); }
    class Test {
        int n; static long all; final Object lock = new Object();
        @interface Note { String[] names(); int[] numbers() default {1, 2}; }
        @Note(names = {\"a\", \"b\"}) synchronized int f(int[] a, Map<String, Integer> m) {
            int s = 0;
            for (int i = 0; i < a.length; i++) {
                switch (a[i]) { case 0: s++; break; case 1: s += 2; break; case 5000: s--; default: s *= 3; }
                switch (s) { case 0: case 1: case 2: n++; case 3: all++; }
            }
            synchronized (lock) { try { m.put(\"k\", s); } catch (RuntimeException e) { n = 1; } finally { n++; } }
            Op op = x -> x + n;
            return op.apply(s) + (s > 3 ? 1 : 2);
        }
    }";

fn inputs() -> Option<Vec<Input>> {
    let directory = compile(SOURCE, &["-g"])?;
    Some(archive::read(&[directory.path().join("classes")]).inputs)
}

#[test]
fn garbage() {
    let input = |name: &str, bytes: &[u8]| Input {
        name: name.to_owned(),
        bytes: bytes.to_vec(),
    };
    let inputs = [
        input("empty", b""),
        input("short", b"\xCA\xFE\xBA\xBE\0"),
        input("text", b"this is no class file at all"),
    ];
    let program = program(&inputs);
    assert_eq!(program.functions.len(), 0);
    let gaps: Vec<String> = (program.gaps.iter())
        .map(|gap| format!("{}: {}", gap.place, gap.what))
        .collect();
    assert_eq!(
        gaps,
        [
            "empty: it ends early, at byte 0",
            "short: it ends early, at byte 5",
            "text: it is not a class file",
        ]
    );
}

#[test]
fn newer_versions_are_read_and_named() {
    let Some(mut inputs) = inputs() else { return };
    for input in &mut inputs {
        input.bytes[7] = 90;
    }
    let newer = program(&inputs);
    assert!(
        newer
            .functions
            .iter()
            .any(|function| function.name == "Test.f")
    );
    assert_eq!(newer.gaps.len(), inputs.len());
    assert!(newer.gaps[0].what.contains("version 90"));
}

#[test]
fn the_same_class_twice() {
    let Some(mut inputs) = inputs() else { return };
    let again = inputs.clone();
    inputs.extend(again.iter().cloned());
    assert_eq!(program(&inputs).gaps.len(), again.len());
}

/// Each prefix of each class, and the others beside it.
#[test]
fn truncated() {
    let Some(inputs) = inputs() else { return };
    for (index, input) in inputs.iter().enumerate() {
        for length in (0..input.bytes.len()).step_by(7) {
            let mut inputs = inputs.clone();
            inputs[index].bytes.truncate(length);
            let program = program(&inputs);
            validate_loosely(&program, &inputs[index].name);
        }
    }
}

fn validate_loosely(program: &commute_lint::ir::Program, broken: &str) {
    let named = |gap: &commute_lint::ir::Gap| gap.place.starts_with(broken);
    assert!(program.gaps.iter().any(named), "no gap names {broken}");
    validate(program);
}

/// A switch with billions of cases, and annotations that are nested without
/// end, must not exhaust memory or the stack.
#[test]
fn claims_of_size() {
    let Some(inputs) = inputs() else { return };
    let test = inputs
        .iter()
        .find(|input| input.name.ends_with("Test.class"));
    let test = test.expect("the class was compiled");
    let began = Instant::now();
    for at in 0..test.bytes.len().saturating_sub(4) {
        let mut input = test.clone();
        input.bytes[at..at + 4].copy_from_slice(&[0x7f, 0xff, 0xff, 0xf0]);
        program(&[input]);
    }
    assert!(began.elapsed() < Duration::from_secs(120));
}

/// What only recursion can read is refused before anybody recurses.
#[test]
fn nested_without_end() {
    let depth = 200_000u32;
    let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 52, 0, 4];
    for text in ["A", "AnnotationDefault"] {
        bytes.extend([1, 0, text.len() as u8]);
        bytes.extend(text.as_bytes());
    }
    bytes.extend([7, 0, 1]);
    bytes.extend([0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    bytes.extend([0, 2]);
    bytes.extend((3 * depth + 3).to_be_bytes());
    for _ in 0..depth {
        bytes.extend([b'[', 0, 1]);
    }
    bytes.extend([b's', 0, 1]);
    let name = "A.class".to_owned();
    let program = program(&[Input { name, bytes }]);
    assert_eq!(program.gaps.len(), 1);
    assert!(program.gaps[0].what.contains("nested too deep"));
}

/// `jsr` was for `finally` before Java 6. The method is a gap, the others of
/// its class are read, and whoever calls it calls something unknown.
#[test]
fn subroutines_are_gaps() {
    let source = "class A { void f() { while (true) {} } int n; int get() { return n; } }";
    let Some(directory) = compile(source, &[]) else {
        return;
    };
    let mut inputs = archive::read(&[directory.path().join("classes")]).inputs;
    let bytes = &mut inputs[0].bytes;
    let jump = [0xa7, 0, 0];
    let at = bytes.windows(3).position(|three| three == jump);
    bytes[at.expect("there is a jump to itself")] = 0xa8;
    let program = program(&inputs);
    validate(&program);
    let gaps: Vec<&str> = program.gaps.iter().map(|gap| gap.what.as_str()).collect();
    assert_eq!(gaps, ["it uses jsr and ret"]);
    assert!(program.gaps[0].place.ends_with("A.class: A.f"));
    let expected = expect![[r#"
        fn A.f(_1: A) -> void
        bb0:
          _0 = A.f <unknown>(_1)
          return

        fn A.get(this: A) -> int
        bb0:
          _2 = (*this).A.n  ; 1
          _0 = _2  ; 1
          return  ; 1
    "#]];
    expected.assert_eq(&text(&program, &["A.f", "A.get"]));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 1 } else { 400 }))]

    /// Bytes here and there are others: something comes out, and its indexes
    /// name something.
    #[test]
    fn mutated(changes in prop::collection::vec((any::<Index>(), any::<u8>()), 1..6)) {
        thread_local! {
            static INPUTS: Option<Vec<Input>> = inputs();
        }
        INPUTS.with(|inputs| {
            let Some(inputs) = inputs else { return };
            for index in 0..inputs.len() {
                let mut inputs = inputs.clone();
                let bytes = &mut inputs[index].bytes;
                for (at, byte) in &changes {
                    let at = at.index(bytes.len());
                    bytes[at] = *byte;
                }
                program(&inputs);
            }
        });
    }
}
