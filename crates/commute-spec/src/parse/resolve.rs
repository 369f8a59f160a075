//! From a type as written to a specification: every name gets its meaning.

use commute_model::{Code, Diagnostic, Span};
use rustc_hash::FxHashMap;

use super::cursor::shorten;
use super::diagnostics::Diagnostics;
use super::judge::{Written, judge, report_missing};
use super::meaning::{CONSTANTS, Reader, Scope, Variable};
use super::suggest;
use super::syntax::{Declaration, Item, Name, Pairs, Pattern, Type};
use crate::formula::Side;
use crate::specification::{Condition, Method, Mutates, Orders, Specification};
use crate::variables::Variables;

/// A type may have this many methods: the number of pairs is quadratic.
const MOST_METHODS: usize = 256;

/// A method may have this many arguments and results.
const MOST_SLOTS: usize = 32;

/// A condition of n nodes may be shared by m pairs while n·m stays below this.
const MOST_SHARED: usize = 1_000_000;

/// The specification that `written` means. `whole` says whether all of it
/// could be parsed. What is wrong with it is reported; then the result is
/// incomplete.
pub(super) fn resolve(
    written: &Type<'_>,
    whole: bool,
    budget: &mut usize,
    diagnostics: &mut Diagnostics,
) -> Specification {
    let methods = methods(written, diagnostics);
    let mut spec = Specification::new(written.name.text, methods);
    let mut found = Found::default();
    for item in &written.items {
        match item {
            Item::Method(_) => {}
            Item::Model(name) => {
                found.once("model", name.span, diagnostics);
                spec.model = Some(name.text.to_string());
            }
            Item::Orders(name) => {
                found.once("orders", name.span, diagnostics);
                spec.orders = orders(*name, diagnostics);
            }
            Item::Pairs(pairs) => resolve_pairs(pairs, whole, &mut spec, &mut found, diagnostics),
        }
    }
    judge(&spec, &found.written, budget, diagnostics);
    if whole {
        report_missing(written.name, &spec, diagnostics);
    }
    spec
}

/// What was declared so far.
#[derive(Default)]
struct Found {
    words: FxHashMap<&'static str, Span>,
    pairs: FxHashMap<(usize, usize), Span>,
    written: Vec<Written>,
}

impl Found {
    fn once(&mut self, word: &'static str, span: Span, diagnostics: &mut Diagnostics) {
        if let Some(first) = self.words.insert(word, span) {
            let what = format!("`{word}` is given");
            diagnostics.error(|| twice(&what, span, first));
        }
    }
}

fn twice(what: &str, span: Span, first: Span) -> Diagnostic {
    Diagnostic::error(Code::CM904, span, format!("{what} twice")).related(first, "first here")
}

fn orders(name: Name<'_>, diagnostics: &mut Diagnostics) -> Option<Orders> {
    let known = Orders::ALL.iter().find(|order| order.name() == name.text);
    if known.is_none() {
        diagnostics.error(|| {
            let names = || Orders::ALL.iter().map(|order| order.name());
            let advice = suggest::advice(name.text, names());
            let list = names().collect::<Vec<_>>().join("`, `");
            let message = format!("there is no order `{}`", shorten(name.text));
            Diagnostic::error(Code::CM902, name.span, message)
                .help(advice.unwrap_or(format!("the orders are `{list}`")))
        });
    }
    known.copied()
}

fn methods(written: &Type<'_>, diagnostics: &mut Diagnostics) -> Vec<Method> {
    let declarations = || {
        written.items.iter().filter_map(|item| match item {
            Item::Method(declaration) => Some(declaration),
            _ => None,
        })
    };
    let silent = declarations().all(|d| d.mutates.is_none());
    let mut seen: FxHashMap<&str, Span> = FxHashMap::default();
    let mut methods = Vec::new();
    for declaration in declarations() {
        let name = declaration.name;
        if let Some(first) = seen.insert(name.text, name.span) {
            let what = format!("method `{}` is declared", shorten(name.text));
            diagnostics.error(|| twice(&what, name.span, first));
            seen.insert(name.text, first);
            continue;
        }
        if methods.len() == MOST_METHODS {
            diagnostics.error(|| {
                let message = format!("a type has at most {MOST_METHODS} methods");
                Diagnostic::error(Code::CM901, name.span, message)
            });
            break;
        }
        methods.push(method(declaration, silent, diagnostics));
    }
    methods
}

fn method(declaration: &Declaration<'_>, silent: bool, diagnostics: &mut Diagnostics) -> Method {
    let Declaration {
        name,
        args,
        results,
        mutates,
        span,
    } = declaration;
    check_word(*name, &["type", "mutates"], diagnostics);
    let slots = || args.iter().chain(results);
    if slots().count() > MOST_SLOTS {
        diagnostics.error(|| {
            let message = format!("a method has at most {MOST_SLOTS} arguments and results");
            Diagnostic::error(Code::CM901, name.span, message)
        });
    }
    let mut scope = Scope {
        variables: Vec::new(),
        bare: false,
    };
    for (slot, name) in slots().take(MOST_SLOTS).enumerate() {
        check_word(*name, &["_"], diagnostics);
        scope.bind(*name, Side::First, slot, diagnostics);
    }
    let mutates = match mutates {
        Some(condition) => {
            let formula = Reader::new(diagnostics).formula(condition, &scope);
            formula.map_or(Mutates::Unknown, Mutates::When)
        }
        None if silent => Mutates::Unknown,
        None => Mutates::Never,
    };
    let texts = |names: &[Name<'_>]| names.iter().map(|n| n.text.to_string()).collect();
    Method {
        name: name.text.to_string(),
        args: texts(args),
        results: texts(results),
        mutates,
        span: *span,
    }
}

/// Reports a name that has a meaning of its own.
fn check_word(name: Name<'_>, reserved: &[&str], diagnostics: &mut Diagnostics) {
    if reserved.contains(&name.text) {
        diagnostics.error(|| {
            let message = format!("`{}` cannot be a name here", name.text);
            Diagnostic::error(Code::CM901, name.span, message)
        });
    }
}

impl<'t> Scope<'t> {
    /// The names of the slots of a side; `_` for those without one.
    fn names(&self, side: Side, slots: usize) -> Vec<String> {
        let mut names = vec!["_".to_string(); slots];
        for variable in self.variables.iter().filter(|v| v.side == side) {
            names[variable.slot] = variable.name.text.to_string();
        }
        names
    }

    /// Adds a variable; `_` adds none.
    fn bind(&mut self, name: Name<'t>, side: Side, slot: usize, diagnostics: &mut Diagnostics) {
        if name.text == "_" {
            return;
        }
        check_word(name, &CONSTANTS, diagnostics);
        match self.variables.iter().find(|v| v.name.text == name.text) {
            Some(first) => diagnostics.error(|| {
                let what = format!("variable `{}` is bound", shorten(name.text));
                twice(&what, name.span, first.name.span)
            }),
            None => self.variables.push(Variable { name, side, slot }),
        }
    }
}

fn resolve_pairs(
    pairs: &Pairs<'_>,
    whole: bool,
    spec: &mut Specification,
    found: &mut Found,
    diagnostics: &mut Diagnostics,
) {
    if pairs.pairs.len().saturating_mul(pairs.condition.size) > MOST_SHARED {
        diagnostics.error(|| {
            let message = "this condition is too large, or too many pairs share it";
            Diagnostic::error(Code::CM901, pairs.span, message)
        });
        return;
    }
    let mut reader = Reader::new(diagnostics);
    for (first, second) in &pairs.pairs {
        let mut scope = Scope {
            variables: Vec::new(),
            bare: first.args.is_none() || second.args.is_none(),
        };
        let diagnostics = &mut *reader.diagnostics;
        let sides = [(first, Side::First), (second, Side::Second)].map(|(pattern, side)| {
            bind_pattern(pattern, side, spec, whole, &mut scope, diagnostics)
        });
        let [Some(a), Some(b)] = sides else { continue };
        let span = first.span.to(second.span);
        let key = (a.min(b), a.max(b));
        if let Some(earlier) = found.pairs.get(&key) {
            let (first, second) = (&spec.methods[a].name, &spec.methods[b].name);
            let what = format!("pair `{first} ~ {second}` is given");
            reader.diagnostics.error(|| twice(&what, span, *earlier));
            continue;
        }
        found.pairs.insert(key, span);
        if let Some(formula) = reader.formula(&pairs.condition, &scope) {
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
            found.written.push(Written {
                methods: (a, b),
                variables,
            });
        }
    }
}

/// Finds the method of a pattern and binds its variables.
fn bind_pattern<'t>(
    pattern: &Pattern<'t>,
    side: Side,
    spec: &Specification,
    whole: bool,
    scope: &mut Scope<'t>,
    diagnostics: &mut Diagnostics,
) -> Option<usize> {
    let name = pattern.name;
    let Some(method) = spec.method(name.text) else {
        // If something could not be parsed, that may be the declaration.
        if whole {
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
        return None;
    };
    let declared = &spec.methods[method];
    if declared.slots().count() > MOST_SLOTS {
        return None; // reported where it is declared
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
    fits.then_some(method)
}
