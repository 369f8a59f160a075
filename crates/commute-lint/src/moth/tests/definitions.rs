//! One test for each definition of the paper.

use std::collections::{BTreeMap, BTreeSet};

use super::{found, show, version};
use crate::core_language::syntax::Position;
use crate::moth::consistency::{conflicts, incompatible, maximal, overlap, process_views};
use crate::moth::correlation::{Correlations, versions};
use crate::moth::dependencies::Dependencies;
use crate::moth::figures::{Current, Version, subs};
use crate::moth::stale::view_dependencies;
use crate::moth::variables::Global;
use crate::moth::views::{PATHS, only, views};
use crate::{Algorithm, Options, core_language, lint};

fn global(found: &Dependencies, name: &str) -> Global {
    let all = (0..found.variables.len() as u32).map(Global);
    let mut named = all.filter(|global| found.variables.name(*global) == name);
    named.next().expect("a field")
}

fn region(found: &Dependencies, name: &str) -> u32 {
    let position = found.regions.iter().position(|region| region.name == name);
    position.expect("a region") as u32
}

fn set(members: &[u32]) -> BTreeSet<Global> {
    members.iter().map(|member| Global(*member)).collect()
}

const PAIR: &str = "class P { a, b
    atomic getA() { t := this.a; return t }
    atomic getB() { t := this.b; return t }
    atomic set(v, w) { this.a := v; this.b := w }
    USE }
process p { o := new P; o.run(); o.set(1, 2) }";

fn pair(run: &str) -> (crate::ir::Program, Dependencies) {
    found(&PAIR.replace("USE", &format!("run() {{ {run} }}")))
}

#[test]
fn definition_1_direct_correlation_is_a_way() {
    let (_, found) = pair("x := getA(); y := x; set(y, y)");
    let from = &versions(&found)[&(global(&found, "P.a"), region(&found, "P.getA"))];
    let to = &versions(&found)[&(global(&found, "P.b"), region(&found, "P.set"))];
    let way = |from: &[u32], to: &[u32]| {
        found
            .graph
            .way(from, (), |_, (), _| Some(()), |node, ()| to.contains(&node))
    };
    assert!(way(from, to).is_some());
    assert!(way(to, from).is_none());
}

#[test]
fn definition_2_common_correlation_is_a_third_variable() {
    let common = |run: &str| {
        let (_, found) = pair(run);
        let a = (global(&found, "P.a"), region(&found, "P.getA"));
        let b = (global(&found, "P.b"), region(&found, "P.getB"));
        Correlations::new(&found).common(a, b)
    };
    assert!(common("x := getA(); y := getB(); z := x + y"));
    assert!(!common("x := getA(); y := getB(); z := x; w := y"));
    // Only written through one of the two variables themselves.
    assert!(!common("x := getA(); y := getB(); u := x; v := y"));
    // Arguments of one call, and one branch.
    assert!(common("x := getA(); y := getB(); set(x, y)"));
    assert!(common("x := getA(); y := getB(); if x == y { skip }"));
}

fn at(line: u32) -> Version {
    Version {
        variable: "x".to_owned(),
        hash: Some(Position { line, column: 1 }),
        region: None,
    }
}

#[test]
fn definition_3_version_retrieval() {
    let (program, found) =
        found("class C { f }\nprocess p { x := 1;\nif x { x := 2 }\ny := x; z := w }");
    let edges = super::graph(&program, &found);
    let into = |name: &str| -> Vec<String> {
        let to = edges.iter().filter(|(_, to)| to.variable == name);
        to.map(|(from, _)| show(from)).collect()
    };
    assert_eq!(into("p/y"), ["(p/x, h2)", "(p/x, h3)"]);
    assert_eq!(into("p/z"), ["(p/w, h?)"]);
}

#[test]
fn definition_4_version_substitution() {
    let mut current: Current = BTreeMap::new();
    current.insert("x".to_owned(), BTreeSet::from([at(1), at(2)]));
    subs(&mut current, "x".to_owned(), at(3));
    assert_eq!(current["x"], BTreeSet::from([at(3)]));
}

#[test]
fn definition_5_procedure_views() {
    let (program, found) = found(
        "class C { f, g atomic m() { x := this.f; this.g := x } atomic n() { this.f := 1 } }
         process p { c := new C; c.m() } process q { c := new C; c.n() }",
    );
    let views = views(&program, &found, 1);
    let regions = found.executes(found.roots[0]);
    let (f, g) = (global(&found, "C.f"), global(&found, "C.g"));
    let m = region(&found, "C.m");
    assert_eq!(
        process_views(&regions, &views, false),
        [(BTreeSet::from([f]), m)]
    );
    assert_eq!(
        process_views(&regions, &views, true),
        [(BTreeSet::from([g]), m)]
    );
    assert_eq!(only(&views[m as usize][0], true), BTreeSet::from([g]));
}

#[test]
fn views_per_path_are_those_of_the_ways() {
    let (program, found) = found(
        "class C { f, g, h atomic m(a) { if a { x := this.f } else { x := this.g } this.h := x } }
         process p { c := new C; c.m(1) }",
    );
    let m = region(&found, "C.m") as usize;
    assert_eq!(views(&program, &found, 1)[m].len(), 1);
    let by_path: Vec<usize> = views(&program, &found, PATHS)[m]
        .iter()
        .map(BTreeSet::len)
        .collect();
    assert_eq!(by_path, [2, 2]);
}

#[test]
fn definition_6_maximal_views() {
    let views = [
        (set(&[1]), 0),
        (set(&[1, 2]), 1),
        (set(&[2, 3]), 2),
        (set(&[3]), 3),
    ];
    assert_eq!(maximal(&views), [(set(&[1, 2]), 1), (set(&[2, 3]), 2)]);
}

#[test]
fn definition_7_overlapping_views() {
    let views = [(set(&[1, 4]), 0), (set(&[2, 3]), 1), (set(&[4]), 2)];
    assert_eq!(
        overlap(&views, &set(&[1, 2])),
        [(set(&[1]), 0), (set(&[2]), 1)]
    );
}

#[test]
fn definition_8_process_compatibility() {
    let chain = [(set(&[1]), 0), (set(&[1, 2]), 1)];
    assert_eq!(incompatible(&chain, None), None);
    let apart = [(set(&[1]), 0), (set(&[2]), 1)];
    assert_eq!(
        incompatible(&apart, None),
        Some((apart[0].clone(), apart[1].clone()))
    );
    // Reads are incompatible only if they are used together.
    let reads = |run: &str| {
        let (_, found) = pair(run);
        let a = (
            BTreeSet::from([global(&found, "P.a")]),
            region(&found, "P.getA"),
        );
        let b = (
            BTreeSet::from([global(&found, "P.b")]),
            region(&found, "P.getB"),
        );
        incompatible(&[a, b], Some(&mut Correlations::new(&found))).is_some()
    };
    assert!(reads("x := getA(); y := getB(); z := x + y"));
    assert!(!reads("x := getA(); y := getB(); z := x"));
}

#[test]
fn definition_9_view_consistency() {
    let count = |run: &str| {
        let (program, found) = pair(run);
        let processes: Vec<Vec<u32>> = found.roots.iter().map(|r| found.executes(*r)).collect();
        let views = views(&program, &found, 1);
        conflicts(&processes, &views, true, &mut Correlations::new(&found)).len()
    };
    assert_eq!(count("x := getA(); y := getB(); z := x + y"), 1);
    assert_eq!(count("x := getA(); z := x"), 0);
}

#[test]
fn definition_10_atomic_variable_versions() {
    let (program, found) = found(
        "class C { f, g\natomic m() { x := this.f; this.g := x; h(x) }\nh(y) { this.f := y } }
         process p { c := new C; c.m(); z := c.f; c.h(z) }",
    );
    let all = versions(&found);
    let shown = |name: &str| -> Vec<String> {
        let key = (global(&found, name), region(&found, "C.m"));
        let nodes = all.get(&key).into_iter().flatten();
        nodes
            .filter_map(|node| version(&program, &found, *node))
            .map(|v| show(&v))
            .collect()
    };
    // `f` as m found it, and as h leaves it when m calls h; not when p does.
    assert_eq!(shown("C.f"), ["C.f", "(C.f, h3)"]);
    assert_eq!(shown("C.g"), ["(C.g, h2)"]);
}

fn stale(text: &str) -> Vec<String> {
    let (_, found) = found(text);
    let edges = view_dependencies(&found, false, |_| true).into_iter();
    let name = |region: u32| found.regions[region as usize].name.clone();
    edges
        .map(|edge| {
            let variable = found.variables.name(edge.variable);
            format!("({}, {variable}, {})", name(edge.from), name(edge.to))
        })
        .collect()
}

const COUNTER: &str = "class C { i
    atomic inc(a) { t := this.i; t := t + a; this.i := t; return t }
    atomic get() { t := this.i; return t }
    run() { USE } }
process p { c := new C; c.run() }";

#[test]
fn the_view_dependency_graph_leads_from_method_to_method() {
    let of = |run: &str| stale(&COUNTER.replace("USE", run));
    assert_eq!(of("x := get(); inc(x)"), ["(C.get, C.i, C.inc)"]);
    assert_eq!(of("x := get(); if x { inc(1) }"), ["(C.get, C.i, C.inc)"]);
    assert_eq!(of("x := inc(1); y := get()"), [""; 0]);
}

#[test]
fn a_method_depends_on_itself_if_its_value_leaves_and_enters_again() {
    let of = |run: &str| stale(&COUNTER.replace("USE", run));
    assert_eq!(of("x := inc(0); inc(x)"), ["(C.inc, C.i, C.inc)"]);
    assert_eq!(of("x := inc(0); inc(1)"), [""; 0]);
    // It decides whether the method runs again, but does not enter it.
    assert_eq!(of("x := inc(0); if x { inc(1) }"), [""; 0]);
    // An argument that a decision made is data.
    assert_eq!(
        of("x := inc(0); y := 1; if x { y := 2 } inc(y)"),
        ["(C.inc, C.i, C.inc)"]
    );
}

#[test]
fn definition_11_stale_value_safety() {
    let count = |text: &str| {
        let program = core_language::program(text).expect("a program");
        let options = Options {
            algorithm: Algorithm::Moth,
            ..Options::default()
        };
        lint(&program, &options).violations.len()
    };
    let text = "class C { x, y
        atomic get() { t := this.x; return t }
        atomic put(v) { this.y := v }
        atomic set(v) { this.x := v } }
    process p { c := new C; t := c.get(); c.put(t) }
    process q { c := new C; WRITE }";
    // Nobody writes x: what was read stays true.
    assert_eq!(count(&text.replace("WRITE", "skip")), 0);
    assert_eq!(count(&text.replace("WRITE", "c.set(1)")), 1);
}
