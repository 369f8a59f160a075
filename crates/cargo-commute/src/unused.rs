//! Results that nobody looks at.
//!
//! A library cannot know whether its caller uses a result; the source can. Two `remove`
//! whose results are dropped commute, and the specification says so: `remove_ ~ remove_ :
//! true`. A finding about two such calls is none. Only a condition that always holds
//! counts, because a finding stands for all pairs at its two places. Calls in macros,
//! results that are handed on and source that is not there count as used.

use std::collections::{BTreeMap, BTreeSet};

use commute_model::{Code, EventRef, Finding};
use commute_report::Sources;
use commute_spec::{Formula, Library, Specification};
use syn::visit::{self, Visit};
use syn::{Expr, Pat, Stmt};

/// Calls whose results are dropped, by file; read when first asked for.
#[derive(Default)]
pub(crate) struct Unused {
    files: BTreeMap<String, Calls>,
}

/// Lines and columns of methods, both from 1.
#[derive(Default)]
struct Calls(BTreeSet<(usize, usize)>);

impl Unused {
    /// Whether the two actions of a finding commute, because their callers do not look
    /// at what they return.
    pub(crate) fn explains(
        &mut self,
        finding: &Finding,
        library: &Library,
        sources: &dyn Sources,
    ) -> bool {
        let (Code::CM101 | Code::CM103, [first, second]) = (finding.code, &finding.events[..])
        else {
            return false;
        };
        let Some(specification) = type_of(finding).and_then(|name| library.specification(name))
        else {
            return false;
        };
        let mut seen = |event: &EventRef| {
            let method = method_of(&event.action)?;
            match self.is_unused(&event.location, sources) {
                true => unused_variant(method, specification).or(specification.method(method)),
                false => specification.method(method),
            }
        };
        let (Some(first), Some(second)) = (seen(first), seen(second)) else {
            return false;
        };
        specification.pair(first, second).0.formula == Formula::Const(true)
    }

    fn is_unused(&mut self, location: &str, sources: &dyn Sources) -> bool {
        let Some((file, line, column)) = split(location) else {
            return false;
        };
        if !self.files.contains_key(file) {
            let calls = sources
                .text(file)
                .map(|text| Calls::of(&text))
                .unwrap_or_default();
            self.files.insert(file.to_owned(), calls);
        }
        self.files[file].0.contains(&(line, column))
    }
}

/// `commutativity race on `o` (map): …`
fn type_of(finding: &Finding) -> Option<&str> {
    let (_, rest) = finding.title.split_once("` (")?;
    Some(rest.split_once(')')?.0)
}

/// `insert` of `o.insert(1,2)/nil`.
fn method_of(action: &str) -> Option<&str> {
    let call = action.split_once('(')?.0;
    Some(call.rsplit_once('.')?.1)
}

/// The method that stands for a call without a look at its result.
fn unused_variant(method: &str, specification: &Specification) -> Option<usize> {
    let other = match method {
        "fetch_add" => "add",
        "fetch_max" => "max",
        _ => return specification.method(&format!("{method}_")),
    };
    specification.method(other)
}

/// File, line and column.
fn split(location: &str) -> Option<(&str, usize, usize)> {
    let (rest, column) = location.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    Some((file, line.parse().ok()?, column.parse().ok()?))
}

impl Calls {
    fn of(text: &str) -> Calls {
        let mut calls = Calls::default();
        if let Ok(file) = syn::parse_file(text) {
            calls.visit_file(&file);
        }
        calls
    }

    /// A value that goes nowhere.
    fn dropped(&mut self, value: &Expr) {
        match value {
            Expr::MethodCall(call) => {
                let start = call.method.span().start();
                self.0.insert((start.line, start.column + 1));
            }
            Expr::Paren(inner) => self.dropped(&inner.expr),
            _ => {}
        }
    }
}

impl<'ast> Visit<'ast> for Calls {
    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        match statement {
            Stmt::Expr(value, Some(_)) => self.dropped(value),
            Stmt::Local(local) if matches!(local.pat, Pat::Wild(_)) => {
                if let Some(init) = &local.init {
                    self.dropped(&init.expr);
                }
            }
            _ => {}
        }
        visit::visit_stmt(self, statement);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dropped_results_are_found_where_they_are() {
        let text = "fn f(m: &M) {\n    m.remove(1);\n    let _ = m.a.clear();\n    let x = m.remove(2);\n    (m.remove(3));\n    drop(m.remove(4));\n    if true { m.remove(5) } else { m.remove(6) };\n    println!(\"{}\", m.remove(7));\n    m.get(1).unwrap();\n    m.remove(8)\n}\n";
        let calls = Calls::of(text);
        assert_eq!(calls.0, [(2, 7), (3, 17), (5, 8), (9, 14)].into());
        assert!(Calls::of("fn (").0.is_empty());
    }

    #[test]
    fn the_texts_of_a_finding_are_taken_apart() {
        assert_eq!(method_of("a::b.c.insert('x.y(z)',1)/nil"), Some("insert"));
        assert_eq!(method_of("r(x)"), None);
        assert_eq!(split("src/a.rs:3:14"), Some(("src/a.rs", 3, 14)));
        assert_eq!(split("a:1"), None);
    }
}
