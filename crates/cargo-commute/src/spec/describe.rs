//! A specification for machines: `{"schema":1,"reason":"specification",…}`.

use std::collections::BTreeMap;

use commute_report::json;
use commute_spec::{
    AccessPoints, Class, Classification, Formula, Mutates, Specification, Variables, classify,
};
use serde::Serialize;

#[derive(Serialize)]
struct Body<'a> {
    name: &'a str,
    file: &'a str,
    model: Option<&'a str>,
    orders: Option<String>,
    methods: Vec<Method<'a>>,
    pairs: Vec<Pair<'a>>,
    points: Vec<Point<'a>>,
    linear: Vec<[&'a str; 2]>,
}

#[derive(Serialize)]
struct Method<'a> {
    name: &'a str,
    signature: String,
    arguments: &'a [String],
    results: &'a [String],
    mutates: Option<String>,
}

#[derive(Serialize)]
struct Pair<'a> {
    methods: [&'a str; 2],
    condition: String,
    class: String,
    culprit: Option<String>,
    order: bool,
    listed: bool,
}

#[derive(Serialize)]
struct Point<'a> {
    name: &'a str,
    keyed: bool,
    conflicts: Vec<&'a str>,
    touches: Vec<Touch<'a>>,
}

#[derive(Serialize)]
struct Touch<'a> {
    method: &'a str,
    key: Option<&'a str>,
    elements: bool,
    when: Option<String>,
}

/// The specification as one line, without a line end.
pub(super) fn json(specification: &Specification, file: &str) -> String {
    let points = AccessPoints::of(specification);
    let name = |method: usize| &specification.methods[method].name[..];
    let body = Body {
        name: &specification.name,
        file,
        model: specification.model.as_deref(),
        orders: orders(specification),
        methods: specification.methods.iter().map(method).collect(),
        pairs: pairs(specification),
        points: points_of(specification, &points),
        linear: points
            .linear()
            .iter()
            .map(|(a, b)| [name(*a), name(*b)])
            .collect(),
    };
    json::line("specification", body)
}

/// The orders of the type as the language writes them.
fn orders(specification: &Specification) -> Option<String> {
    let orders = specification.orders.iter();
    let texts: Vec<String> = orders
        .map(|orders| specification.order_text(orders))
        .collect();
    (!texts.is_empty()).then(|| texts.join("; "))
}

fn method(method: &commute_spec::Method) -> Method<'_> {
    Method {
        name: &method.name,
        signature: method.signature(),
        arguments: &method.args,
        results: &method.results,
        mutates: match &method.mutates {
            Mutates::Never => Some("false".to_owned()),
            Mutates::When(formula) => Some(formula.text(&Variables::of_method(method))),
            Mutates::Unknown => None,
        },
    }
}

fn pairs(specification: &Specification) -> Vec<Pair<'_>> {
    let mut classes = Classes::default();
    let pairs = specification.pairs().map(|(a, b, condition)| {
        let found = classes.of(&condition.formula);
        let culprit = found.culprit.filter(|_| found.class > Class::Ecl);
        Pair {
            methods: [a, b].map(|method| &specification.methods[method].name[..]),
            condition: specification.condition_text(a, b),
            class: found.class.to_string(),
            culprit: culprit.map(|part| part.text(&specification.variables(a, b))),
            order: condition.order,
            listed: condition.listed,
        }
    });
    pairs.collect()
}

/// The classes of conditions. Large specifications repeat their conditions.
#[derive(Default)]
pub(super) struct Classes<'a>(BTreeMap<&'a Formula, Classification>);

impl<'a> Classes<'a> {
    pub(super) fn of(&mut self, formula: &'a Formula) -> Classification {
        let known = self.0.entry(formula).or_insert_with(|| classify(formula));
        known.clone()
    }
}

fn points_of<'a>(specification: &'a Specification, points: &'a AccessPoints) -> Vec<Point<'a>> {
    let name = |class: u16| &points.classes()[usize::from(class)].name[..];
    let mut found: Vec<Point<'a>> = points
        .classes()
        .iter()
        .map(|class| Point {
            name: &class.name,
            keyed: class.keyed,
            conflicts: class.conflicts.iter().map(|other| name(*other)).collect(),
            touches: Vec::new(),
        })
        .collect();
    for (i, method) in specification.methods.iter().enumerate() {
        let variables = Variables::of_method(method);
        for touch in points.touches(i) {
            found[usize::from(touch.class)].touches.push(Touch {
                method: &method.name,
                key: touch.slot.and_then(|slot| method.slots().nth(slot)),
                elements: touch.elements,
                when: touch.when.as_ref().map(|formula| formula.text(&variables)),
            });
        }
    }
    found
}
