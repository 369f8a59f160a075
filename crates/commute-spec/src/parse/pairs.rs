//! The pairs of a type: methods, variables and conditions.

use commute_model::{Code, Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::cursor::shorten;
use super::diagnostics::Diagnostics;
use super::judge::Written;
use super::meaning::{Reader, Scope};
use super::resolve::{MOST_SLOTS, twice};
use super::syntax::{Name, Pairs, Pattern};
use crate::formula::Side;
use crate::specification::{Condition, Specification};
use crate::suggest;
use crate::variables::Variables;

/// A condition of n nodes may be shared by m pairs while n·m stays below this.
const MOST_SHARED: usize = 1_000_000;

/// The pairs that were listed so far.
#[derive(Default)]
pub(super) struct Listed {
    places: FxHashMap<(usize, usize), Span>,
    /// Those that were understood.
    pub(super) written: Vec<Written>,
    /// Those with an error.
    pub(super) failed: FxHashSet<(usize, usize)>,
    /// Whether there are pairs of which it is not known which they are.
    pub(super) unknown: bool,
}

impl Listed {
    /// Sets the conditions of pairs that share one.
    pub(super) fn read(
        &mut self,
        pairs: &Pairs<'_>,
        whole: bool,
        spec: &mut Specification,
        diagnostics: &mut Diagnostics,
    ) {
        if pairs.pairs.len().saturating_mul(pairs.condition.size) > MOST_SHARED {
            self.unknown = true;
            diagnostics.error(|| {
                let message = "this condition is too large, or too many pairs share it";
                Diagnostic::error(Code::CM901, pairs.span, message)
            });
            return;
        }
        let mut reader = Reader::new(diagnostics);
        for pair in &pairs.pairs {
            self.read_pair(pair, pairs, whole, spec, &mut reader);
        }
    }

    fn read_pair<'t>(
        &mut self,
        (first, second): &(Pattern<'t>, Pattern<'t>),
        pairs: &Pairs<'t>,
        whole: bool,
        spec: &mut Specification,
        reader: &mut Reader<'_>,
    ) {
        let mut scope = Scope {
            variables: Vec::new(),
            bare: first.args.is_none() || second.args.is_none(),
        };
        let errors = reader.diagnostics.errors();
        let sides = [(first, Side::First), (second, Side::Second)].map(|(pattern, side)| {
            let diagnostics = &mut *reader.diagnostics;
            bind_pattern(pattern, side, spec, whole, &mut scope, diagnostics)
        });
        let [Some((a, a_fits)), Some((b, b_fits))] = sides else {
            self.unknown = true;
            return;
        };
        let span = first.span.to(second.span);
        let key = (a.min(b), a.max(b));
        if let Some(earlier) = self.places.get(&key) {
            let (first, second) = (&spec.methods[a].name, &spec.methods[b].name);
            let what = format!("pair `{first} ~ {second}` is given");
            reader.diagnostics.error(|| twice(&what, span, *earlier));
            return;
        }
        self.places.insert(key, span);
        let formula = match a_fits && b_fits {
            true => reader.formula(&pairs.condition, &scope),
            false => None,
        };
        // With a wrong variable a condition does not mean what it says.
        let Some(formula) = formula.filter(|_| reader.diagnostics.errors() == errors) else {
            self.failed.insert(key);
            return;
        };
        let condition = Condition {
            formula,
            order: pairs.order,
            listed: true,
            span: span.to(pairs.condition.span),
        };
        spec.set(a, b, condition);
        let slots = |method: usize| spec.methods[method].slots().count();
        let variables = Variables::new(
            scope.names(Side::First, slots(a)),
            scope.names(Side::Second, slots(b)),
        );
        self.written.push(Written {
            methods: (a, b),
            variables,
        });
    }
}

/// Finds the method of a pattern and binds its variables; the second is false
/// if their numbers do not fit.
fn bind_pattern<'t>(
    pattern: &Pattern<'t>,
    side: Side,
    spec: &Specification,
    whole: bool,
    scope: &mut Scope<'t>,
    diagnostics: &mut Diagnostics,
) -> Option<(usize, bool)> {
    let method = find_method(pattern.name, spec, whole, diagnostics)?;
    let declared = &spec.methods[method];
    if declared.slots().count() > MOST_SLOTS {
        return Some((method, false)); // reported where it is declared
    }
    let mut fits = true;
    let parts = [
        ("argument", &pattern.args, 0, declared.args.len()),
        (
            "result",
            &pattern.results,
            declared.args.len(),
            declared.results.len(),
        ),
    ];
    for (what, names, start, expected) in parts {
        let Some(names) = names else { continue };
        if names.len() != expected {
            fits = false;
            diagnostics.error(|| {
                let s = if expected == 1 { "" } else { "s" };
                let (name, found) = (&declared.name, names.len());
                let message = format!("`{name}` has {expected} {what}{s}, found {found}");
                Diagnostic::error(Code::CM903, pattern.span, message)
                    .related(declared.span, "declared here")
            });
            continue;
        }
        for (i, name) in names.iter().enumerate() {
            scope.bind(*name, side, start + i, diagnostics);
        }
    }
    Some((method, fits))
}

/// The method of this name; that there is none is reported, if the type is whole.
pub(super) fn find_method(
    name: Name<'_>,
    spec: &Specification,
    whole: bool,
    diagnostics: &mut Diagnostics,
) -> Option<usize> {
    let found = spec.method(name.text);
    // If a part of the type could not be parsed, that may be the declaration.
    if found.is_none() && whole {
        diagnostics.error(|| {
            let names = spec.methods.iter().map(|m| &m.name[..]);
            let (type_, method) = (&spec.name, shorten(name.text));
            let message = format!("type `{type_}` has no method `{method}`");
            Diagnostic {
                help: suggest::advice(name.text, names),
                ..Diagnostic::error(Code::CM902, name.span, message)
            }
        });
    }
    found
}
