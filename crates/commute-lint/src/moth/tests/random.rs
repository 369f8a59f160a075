//! Random programs of the core language, as text.

use proptest::prelude::*;

/// What a program may contain.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) loops: bool,
    pub(crate) recursion: bool,
}

const LOCALS: &[&str] = &["x", "y", "z", "a", "b"];
const FIELDS: &[&str] = &["f", "g"];

fn local() -> impl Strategy<Value = &'static str> {
    prop::sample::select(LOCALS)
}

fn expression() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => local().prop_map(str::to_owned),
        1 => Just("1".to_owned()),
        1 => (local(), local()).prop_map(|(l, r)| format!("{l} + {r}")),
    ]
}

/// A statement of method number `own`; it calls methods with lower numbers.
fn statement(own: usize, shape: Shape) -> BoxedStrategy<String> {
    let field = || prop::sample::select(FIELDS);
    let simple = prop_oneof![
        (local(), expression()).prop_map(|(x, e)| format!("{x} := {e};\n")),
        (local(), field()).prop_map(|(x, f)| format!("{x} := this.{f};\n")),
        (field(), expression()).prop_map(|(f, e)| format!("this.{f} := {e};\n")),
        local().prop_map(|x| format!("{x} := new C;\n")),
        Just("skip;\n".to_owned()),
    ];
    let callees = if shape.recursion { 4 } else { own };
    let leaf = if callees == 0 {
        simple.boxed()
    } else {
        let call = (local(), 0..callees, local(), local())
            .prop_map(|(x, m, a, b)| format!("{x} := m{m}({a}, {b});\n"));
        prop_oneof![3 => simple, 2 => call].boxed()
    };
    leaf.prop_recursive(3, 12, 4, move |inner| {
        let block = || prop::collection::vec(inner.clone(), 0..4).prop_map(|s| s.concat());
        let choice = (expression(), block(), block())
            .prop_map(|(e, t, o)| format!("if {e} {{\n{t}}} else {{\n{o}}}\n"));
        if !shape.loops {
            return choice.boxed();
        }
        let again = (expression(), block()).prop_map(|(e, b)| format!("while {e} {{\n{b}}}\n"));
        prop_oneof![choice, again].boxed()
    })
    .boxed()
}

fn method(own: usize, shape: Shape) -> impl Strategy<Value = String> {
    let body = prop::collection::vec(statement(own, shape), 0..6);
    let result = prop::option::of(expression());
    (any::<bool>(), body, result).prop_map(move |(atomic, body, result)| {
        let atomic = if atomic { "atomic " } else { "" };
        let result = result.map(|e| format!("return {e};\n")).unwrap_or_default();
        format!("{atomic}m{own}(a, b) {{\n{}{result}}}\n", body.concat())
    })
}

pub(crate) fn program(shape: Shape) -> impl Strategy<Value = String> {
    let methods = (
        method(0, shape),
        method(1, shape),
        method(2, shape),
        method(3, shape),
    );
    methods.prop_map(|(m0, m1, m2, m3)| {
        let calls: String = (0..4).map(|m| format!("r := c.m{m}(r, s);\n")).collect();
        format!("class C {{ f, g\n{m0}{m1}{m2}{m3}}}\nprocess p {{\nc := new C;\n{calls}}}\n")
    })
}
