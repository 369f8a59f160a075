//! One test for each rule of Figures 4 (data) and 5 (control), and Figure 3.
//! The oracle has its own reading of the rules; these are the papers' words.

use super::{found, graph, show};

/// The edges of a method `C.m(p, q)` with this body; lines count from the
/// method's, and names are as the paper writes them.
fn edges(body: &str) -> Vec<String> {
    let text = format!(
        "class C {{ f, g atomic get(a) {{ t := this.f; return t }}\nm(p, q) {{\n{body}\n}} }}\n\
         process main1 {{ c := new C; c.m(c, c) }}"
    );
    let (program, found) = found(&text);
    let edges = graph(&program, &found).into_iter();
    let lines = edges.map(|(from, to)| format!("{} -> {}", show(&from), show(&to)));
    let about = lines.filter(|line| line.contains("C.m/") || line.contains("C.m.ret"));
    let mut found: Vec<String> = about
        .chain(Vec::new())
        .map(|line| {
            let line = line.replace("C.m.p1", "p").replace("C.m.p2", "q");
            line.replace("C.m/", "")
        })
        .collect();
    found.sort();
    found
}

/// All edges to or from fields.
fn field_edges(body: &str) -> Vec<String> {
    let text = format!(
        "class C {{ f, g\nm(p, q) {{\n{body}\n}} }}\nprocess main1 {{ c := new C; c.m(c, c) }}"
    );
    let (program, found) = found(&text);
    let edges = graph(&program, &found).into_iter();
    let lines = edges.map(|(from, to)| format!("{} -> {}", show(&from), show(&to)));
    let lines = lines.filter(|line| line.contains("C.f") || line.contains("C.g"));
    lines
        .map(|line| line.replace("C.m.p1", "p").replace("C.m/", ""))
        .collect()
}

#[test]
fn figure_4_assign() {
    assert_eq!(edges("x := p"), ["p -> (x, h3)"]);
    assert_eq!(edges("x := null"), [""; 0]);
}

#[test]
fn figure_4_seq_carries_versions() {
    assert_eq!(
        edges("x := p;\nx := q;\ny := x"),
        ["(x, h4) -> (y, h5)", "p -> (x, h3)", "q -> (x, h4)"]
    );
}

#[test]
fn figure_4_heap_read() {
    assert_eq!(field_edges("x := this.f"), ["C.f -> (x, h3)"]);
}

#[test]
fn figure_4_heap_write() {
    assert_eq!(
        field_edges("this.f := p;\nx := this.f;\ny := this.g"),
        ["(C.f, h3) -> (x, h4)", "C.g -> (y, h5)", "p -> (C.f, h3)"]
    );
}

#[test]
fn figure_4_allocation_is_a_version_without_dependencies() {
    assert_eq!(
        edges("x := p;\nx := new C;\ny := x"),
        ["(x, h4) -> (y, h5)", "p -> (x, h3)"]
    );
}

#[test]
fn figure_4_meth_call() {
    assert_eq!(
        edges("x := get(p);\ny := x"),
        ["(x, h3) -> (y, h4)", "C.get.ret -> (x, h3)"]
    );
}

#[test]
fn figure_4_meth_call_replaces_what_is_redefined() {
    let text = |body: &str| {
        format!(
            "class C {{ f, g\nset(a) {{ {body} }}\nm(p) {{\nthis.f := 1;\nset(p);\nx := this.f\n}} }}\n\
             process q {{ c := new C; c.m(c) }}"
        )
    };
    let into_x = |body: &str| -> Vec<String> {
        let (program, found) = found(&text(body));
        let edges = graph(&program, &found).into_iter();
        let edges = edges.filter(|(_, to)| to.variable == "C.m/x");
        edges.map(|(from, _)| show(&from)).collect()
    };
    assert_eq!(into_x("this.f := a"), ["(C.f, h2)"]);
    assert_eq!(into_x("this.g := a"), ["(C.f, h4)"]);
    assert_eq!(into_x("if a { this.f := a }"), ["(C.f, h2)", "(C.f, h4)"]);
}

#[test]
fn figure_4_conditional_unites_versions_and_keeps_the_unwritten() {
    assert_eq!(
        edges("if 1 {\nx := p\n} else {\nx := q }\ny := x"),
        [
            "(x, h4) -> (y, h7)",
            "(x, h6) -> (y, h7)",
            "p -> (x, h4)",
            "q -> (x, h6)"
        ]
    );
    assert_eq!(
        edges("if 1 {\nx := p\n}\ny := x"),
        ["(x, h4) -> (y, h6)", "(x, h?) -> (y, h6)", "p -> (x, h4)"]
    );
}

#[test]
fn figure_4_loop_may_not_be_entered() {
    assert_eq!(
        edges("while 1 {\nx := p\n}\ny := x"),
        ["(x, h4) -> (y, h6)", "(x, h?) -> (y, h6)", "p -> (x, h4)"]
    );
}

#[test]
fn figure_4_return() {
    assert_eq!(edges("return p"), ["p -> C.m.ret"]);
}

#[test]
fn figure_4_and_5_skip() {
    assert_eq!(edges("skip"), [""; 0]);
    assert_eq!(edges("if p { skip }"), [""; 0]);
}

#[test]
fn figure_5_assign_heap_read_allocation_and_call() {
    for statement in ["x := 1", "x := new C"] {
        assert_eq!(
            edges(&format!("if p {{\n{statement}\n}}")),
            ["p -> (x, h4)"]
        );
    }
    assert!(edges("if p {\nx := this.g\n}").contains(&"p -> (x, h4)".to_owned()));
    assert!(edges("if p {\nx := get(q)\n}").contains(&"p -> (x, h4)".to_owned()));
}

#[test]
fn figure_5_heap_write() {
    assert_eq!(field_edges("if p {\nthis.f := 1\n}"), ["p -> (C.f, h4)"]);
}

#[test]
fn figure_5_seq_ends_with_the_condition() {
    assert_eq!(edges("if p {\nx := 1\n}\ny := 1"), ["p -> (x, h4)"]);
}

#[test]
fn figure_5_conditional_nests() {
    assert_eq!(
        edges("if p {\nif q {\nx := 1\n} else {\ny := 1\n} }"),
        [
            "p -> (x, h5)",
            "p -> (y, h7)",
            "q -> (x, h5)",
            "q -> (y, h7)"
        ]
    );
}

#[test]
fn figure_5_loop() {
    assert_eq!(edges("while p {\nx := 1\n}\ny := 1"), ["p -> (x, h4)"]);
}

#[test]
fn figure_5_return() {
    assert_eq!(
        edges("if p {\nreturn 1\n} else {\nreturn q\n}"),
        ["p -> C.m.ret", "q -> C.m.ret"]
    );
}

#[test]
fn figure_5_meth_call_unites_the_conditions_of_all_calls() {
    let text = "class C { f\nm2() {\nthis.f := 1\n}\n m1(c1) { if c1 { m2() } }\n\
                m3(c3) { if c3 { m2() } } }\nprocess p { c := new C; c.m1(c); c.m3(c) }";
    let (program, found) = found(text);
    let edges = graph(&program, &found).into_iter();
    let into = edges.filter(|(_, to)| to.variable == "C.f");
    let from: Vec<String> = into.map(|(from, _)| show(&from)).collect();
    assert_eq!(from, ["C.m1.p1", "C.m3.p1"]);
}

/// Figure 3: lines count from the method's, as the paper's hashes do; `val` is
/// the parameter of incX and p0 that of setX, after the object.
#[test]
fn figure_3() {
    let text = "class Cell { x atomic getX() { t := this.x; return t } atomic setX(p0) { this.x := p0 } incX(val) {\n\
                tmp := getX();\ntmp := tmp + val;\nsetX(tmp)\n} }\n\
                process p { c := new Cell; one := 1; c.incX(one) }";
    let (program, found) = found(text);
    let edges = graph(&program, &found).into_iter();
    let own = edges.filter(|(from, to)| {
        let about = |v: &str| v.starts_with("Cell.incX");
        (about(&from.variable) || about(&to.variable)) && !from.variable.starts_with("p/")
    });
    let lines: Vec<String> = own
        .map(|(from, to)| format!("{} ↪→ {}\n", show(&from), show(&to)))
        .map(|line| {
            line.replace("Cell.incX/", "")
                .replace("Cell.incX.p1", "val")
        })
        .map(|line| line.replace("Cell.setX.p1", "setX.p0").replace("Cell.", ""))
        .filter(|line| !line.starts_with("incX.p0"))
        .collect();
    expect_test::expect![[r#"
        getX.ret ↪→ (tmp, h2)
        val ↪→ (tmp, h3)
        (tmp, h2) ↪→ (tmp, h3)
        (tmp, h3) ↪→ setX.p0
    "#]]
    .assert_eq(&lines.concat());
}
