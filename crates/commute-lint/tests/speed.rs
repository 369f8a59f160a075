//! A program of many functions is linted in seconds. Prints how long it took
//! with `--nocapture`; with `--release` there are 20,000 of them.
#![allow(clippy::print_stderr)]

use std::fmt::Write;
use std::time::Instant;

use commute_lint::{Algorithm, Options, core_language, lint};

/// Functions call others of their group of a hundred; every fourth is atomic,
/// every twentieth is called by a process. There are as many fields as a program of
/// that size has.
fn program(functions: usize) -> String {
    let mut text = String::new();
    let mut state = 7_u64;
    let mut below = |bound: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as usize % bound
    };
    for class in 0..functions / 20 {
        writeln!(text, "class C{class} {{ f0 f1 f2 f3 f4").expect("text");
        for method in 0..20 {
            let id = class * 20 + method;
            let atomic = if id % 4 == 0 { "atomic " } else { "" };
            writeln!(text, "{atomic}m{id}(a, b) {{").expect("text");
            for _ in 0..4 {
                let (f, g) = (below(5), below(5));
                writeln!(text, "x := this.f{f}; if x < a {{ this.f{g} := b; }}").expect("text");
                if id % 100 > 0 && below(2) == 0 {
                    let callee = id - 1 - below(id % 100);
                    let class = callee / 20;
                    writeln!(text, "o := new C{class};").expect("text");
                    writeln!(text, "while x < b {{ b := m{callee}(x, a) }}").expect("text");
                }
            }
            text.push_str("return x + b; }\n");
        }
        text.push_str("}\n");
    }
    for process in 0..functions / 20 {
        let id = process * 20 + 19;
        writeln!(
            text,
            "process p{process} {{ c := new C{process}; r := c.m{id}(1, 2); }}"
        )
        .expect("text");
    }
    text
}

fn measure(functions: usize) -> f64 {
    let lowered = core_language::program(&program(functions)).expect("a program");
    let start = Instant::now();
    for algorithm in Algorithm::ALL.into_iter().skip(1) {
        let options = Options::of(algorithm);
        let begin = Instant::now();
        let outcome = lint(&lowered, &options);
        eprintln!(
            "{functions} functions, {algorithm:?}: {} regions, {} violations, {:?}, {:.2?}",
            outcome.regions,
            outcome.violations.len(),
            outcome.limits,
            begin.elapsed()
        );
    }
    start.elapsed().as_secs_f64()
}

#[test]
fn many_functions_in_seconds() {
    let sizes: &[usize] = match cfg!(debug_assertions) {
        true => &[1_000],
        false => &[1_000, 5_000, 20_000],
    };
    for functions in sizes {
        let seconds = measure(*functions);
        // A second without optimisation, and a few with it.
        assert!(seconds < 120.0, "{functions} functions took {seconds} s");
    }
}
