//! Programs that are read, and texts that are none.

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::{lower, parse, program};
use crate::ir::Terminator;

const ALL: &str = "
// Everything there is.
class C {
    f, g: C; h
    atomic m(a, b: C) {
        x := a; x := null; x := this.f; y := new C; this.g := y;
        z := this.h[a]; this.h[a + 1] := z; /* a comment */
        w := m2(a); b.m2(w); m2(1);
        if x == a && !x { skip } else if a < b { return a } else { return }
        while (x + 1) * 2 > 0 - 1 { x := x + 1 }
        return x
    }
    m2(p) { return p }
}
process p { c := new C; r := c.m(1, c) }
main { skip }
";

#[test]
fn everything_of_figure_2_is_read() {
    let lowered = program(ALL).expect("a program");
    let names: Vec<&str> = lowered.functions.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["C.m", "C.m2", "p", "main"]);
    assert!(lowered.functions[0].atomic && !lowered.functions[1].atomic);
    assert_eq!(lowered.functions[0].parameters, 3);
    let processes: Vec<&str> = lowered.processes.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(processes, ["p", "main"]);
}

#[test]
fn what_is_written_is_read_back() {
    let first = parse(ALL).expect("a program").to_string();
    assert_eq!(parse(&first).expect("a program").to_string(), first);
}

#[test]
fn blocks_lead_to_blocks_that_exist() {
    for function in program(ALL).expect("a program").functions {
        for block in &function.blocks {
            let exist = |target: &crate::ir::BlockId| target.index() < function.blocks.len();
            assert!(block.terminator.targets().iter().all(exist));
        }
        let last = function.blocks.last().map(|block| &block.terminator);
        assert_eq!(last, Some(&Terminator::Return));
    }
}

fn check(text: &str, expected: Expect) {
    let error = program(text).expect_err("no program");
    expected.assert_eq(&error.to_string());
}

#[test]
fn errors_say_where_and_what() {
    check(
        "class C { m( { } }",
        expect!["1:14: expected a parameter or `)`, found `{`"],
    );
    check(
        "class C {\n  m() { x := }\n}",
        expect!["2:14: expected an expression, found `}`"],
    );
    check(
        "class C { m() { x = 1 } }",
        expect!["1:19: `=` has no meaning here"],
    );
    check(
        "klass C",
        expect!["1:1: expected `class`, `process` or `main`, found `klass`"],
    );
    check("class C { f f }", expect!["1:13: field `f` twice"]);
    check(
        "class C { m() { x := this.g } }",
        expect!["1:17: class `C` has no `g`"],
    );
    check(
        "class C { m() { x := y.g } }",
        expect!["1:17: no class has `g`"],
    );
    check(
        "class C { f } class D { f } process p { x := y.f }",
        expect!["1:41: several classes have `f`, and the class of `y` is not known"],
    );
    check(
        "class C { m(a) { m() } }",
        expect!["1:18: `m` takes 1 arguments, not 0"],
    );
    check(
        "class C { m(a, a) { } }",
        expect!["1:16: parameter `a` twice"],
    );
    check(
        "process p { x := new C }",
        expect!["1:13: there is no class `C`"],
    );
    check(
        "class C { m(a: D) { } }",
        expect!["1:13: there is no class `D`"],
    );
    check("class C { /* }", expect!["1:11: this comment has no end"]);
    check(
        "class C { m() { return",
        expect!["1:23: expected an expression, found the end"],
    );
    check(
        &format!("process p {{ x := {}1 }}", "(".repeat(5000)),
        expect!["1:117: this is nested more than 100 deep"],
    );
    check(
        &format!("process p {{ {} }}", "if x { ".repeat(5000)),
        expect!["1:709: this is nested more than 100 deep"],
    );
    check(
        &format!("process p {{ x := 1{} }}", " + 1".repeat(5000)),
        expect!["1:416: this is nested more than 100 deep"],
    );
}

const WORDS: &[&str] = &[
    "class", "atomic", "process", "main", "if", "else", "while", "return", "skip", "new", "null",
    "C", "x", "y", "f", "m", "this", "1", ":=", ".", "(", ")", "{", "}", "[", "]", ",", ";", ":",
    "+", "==", "!", "-", "//", "/*", "*/", "\n", "é",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_text_makes_it_panic(text in ".{0,200}") {
        let _ = program(&text);
    }

    #[test]
    fn no_words_make_it_panic(words in prop::collection::vec(prop::sample::select(WORDS), 0..60)) {
        let _ = program(&words.join(" "));
    }

    #[test]
    fn no_damage_makes_it_panic(at in 0..ALL.len(), length in 0..30usize) {
        let mut text = ALL.to_owned();
        text.replace_range(at..(at + length).min(ALL.len()), "");
        if let Ok(tree) = parse(&text) {
            let _ = lower(&tree);
        }
    }
}
