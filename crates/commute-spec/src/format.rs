//! The canonical layout of specifications.
//!
//! Parsing what is printed gives the same specification again (spans aside).
//! Pairs without a condition are left out, as they were in the source.

use std::fmt::Write as _;

use crate::formula::{Formula, Side};
use crate::specification::{Mutates, Specification};
use crate::variables::Variables;

/// Lists of pairs are broken before this column.
const WIDTH: usize = 100;

/// The text of a file with these specifications.
pub fn format_file(specifications: &[Specification]) -> String {
    let types: Vec<String> = specifications.iter().map(format).collect();
    types.join("\n")
}

/// The text of one specification.
///
/// ```
/// let text = "type t{inc()mutates;get()->v get~get,inc~inc:true inc~get:false}";
/// let spec = &commute_spec::parse(text).specifications[0];
/// assert_eq!(commute_spec::format(spec), "\
/// type t {
///   inc()  mutates true
///   get() -> v
///
///   inc ~ inc, get ~ get : true
///   inc ~ get : false
/// }
/// ");
/// ```
pub fn format(specification: &Specification) -> String {
    let parameter = specification.parameter.as_ref();
    let parameter = parameter.map_or(String::new(), |name| format!("({name})"));
    let mut out = format!("type {}{parameter} {{\n", specification.name);
    let mut blocks = vec![properties(specification), methods(specification)];
    blocks.push(pairs(specification));
    blocks.retain(|block| !block.is_empty());
    out.push_str(&blocks.join("\n"));
    out.push_str("}\n");
    out
}

fn properties(spec: &Specification) -> String {
    let mut out = String::new();
    if let Some(model) = &spec.model {
        let _ = writeln!(out, "  model {model}");
    }
    for orders in &spec.orders {
        let mut line = format!("  orders {}", spec.order_text(orders));
        if line.chars().count() > WIDTH {
            line = line.replacen(" -> ", "\n    -> ", 1);
        }
        out.push_str(&line);
        out.push('\n');
    }
    out
}

fn methods(spec: &Specification) -> String {
    let mut out = String::new();
    for method in &spec.methods {
        let _ = write!(out, "  {}", method.signature());
        if let Mutates::When(formula) = &method.mutates {
            let _ = write!(
                out,
                "  mutates {}",
                formula.text(&Variables::of_method(method))
            );
        }
        out.push('\n');
    }
    out
}

fn pairs(spec: &Specification) -> String {
    let mut conditions = Vec::new();
    // (order, condition) → the pairs that always or never commute.
    let mut constants =
        [(false, true), (false, false), (true, true), (true, false)].map(|key| (key, Vec::new()));
    for (a, b, condition) in spec.pairs().filter(|(.., condition)| condition.listed) {
        let (first, second) = (&spec.methods[a], &spec.methods[b]);
        if let Formula::Const(value) = condition.formula {
            let key = (condition.order, value);
            let group = constants.iter_mut().find(|(k, _)| *k == key);
            let (_, group) = group.expect("all keys are there");
            group.push(format!("{} ~ {}", first.name, second.name));
            continue;
        }
        let variables = spec.variables(a, b);
        let first = first.pattern(|slot| variables.name(Side::First, slot));
        let second = second.pattern(|slot| variables.name(Side::Second, slot));
        let order = if condition.order { "order " } else { "" };
        let head = format!("{order}{first} ~ {second}");
        conditions.push((head, condition.formula.text(&variables)));
    }
    let mut out = String::new();
    let width = conditions
        .iter()
        .map(|(head, _)| head.chars().count())
        .max();
    for (head, text) in &conditions {
        let _ = writeln!(out, "  {head:width$} : {text}", width = width.unwrap_or(0));
    }
    for ((order, value), group) in &constants {
        if !group.is_empty() {
            let head = if *order { "order " } else { "" };
            out.push_str(&list(head, group, &format!(" : {value}")));
        }
    }
    out
}

/// `a, b, c : true`, on several lines if it is long.
fn list(head: &str, parts: &[String], tail: &str) -> String {
    let mut out = format!("  {head}");
    let mut column = out.len();
    for (i, part) in parts.iter().enumerate() {
        let last = i + 1 == parts.len();
        let text = format!("{part}{}", if last { tail } else { "," });
        if i > 0 && column + 1 + text.chars().count() > WIDTH {
            out.push_str("\n    ");
            column = 4;
        } else if i > 0 {
            out.push(' ');
            column += 1;
        }
        column += text.chars().count();
        out.push_str(&text);
    }
    out.push('\n');
    out
}
