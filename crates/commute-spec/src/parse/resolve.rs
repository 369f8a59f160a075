//! From a type as written to a specification: every name gets its meaning.

use commute_model::{Code, Diagnostic, Severity, Span};
use rustc_hash::FxHashMap;

use super::cursor::shorten;
use super::diagnostics::Diagnostics;
use super::judge::{judge, report_missing};
use super::meaning::{CONSTANTS, Reader, Scope, Variable};
use super::pairs::Listed;
use super::rules;
use super::syntax::{Declaration, Item, Name, Type};
use crate::formula::Side;
use crate::models;
use crate::orders::Orders;
use crate::shipped;
use crate::specification::{Method, Mutates, Specification};
use crate::suggest;

/// A type may have this many methods: the number of pairs is quadratic.
const MOST_METHODS: usize = 256;

/// A type may have this many rules of order.
const MOST_RULES: usize = 32;

/// A method may have this many arguments and results.
pub(super) const MOST_SLOTS: usize = 32;

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
    spec.span = written.name.span;
    spec.parameter = { &written.parameter }
        .as_ref()
        .map(|name| name.text.to_string());
    let mut words = Words::default();
    let mut listed = Listed::default();
    for item in &written.items {
        match item {
            Item::Method(_) => {}
            Item::Model(name) => {
                words.once("model", name.span, diagnostics);
                check_model(*name, diagnostics);
                spec.model = Some(name.text.to_string());
                spec.model_span = name.span;
            }
            Item::Orders(name) => {
                words.once("orders", name.span, diagnostics);
                let found = orders(*name, &spec, diagnostics);
                spec.orders.extend(found);
            }
            Item::Rule(rule) => {
                if spec.orders.len() == MOST_RULES {
                    diagnostics.error(|| {
                        let message = format!("a type has at most {MOST_RULES} rules of order");
                        Diagnostic::error(Code::CM901, rule.span, message)
                    });
                    continue;
                }
                let parameter = written.parameter.as_ref();
                let rule = rules::resolve(rule, parameter, &spec, whole, diagnostics);
                spec.orders.extend(rule.map(Orders::Rule));
            }
            Item::Pairs(pairs) => listed.read(pairs, whole, &mut spec, diagnostics),
        }
    }
    judge(&spec, &listed.written, budget, diagnostics);
    if whole && !listed.unknown {
        report_missing(written.name, &spec, &listed.failed, diagnostics);
    }
    spec
}

/// The words that may be given once, and where they were.
#[derive(Default)]
struct Words(FxHashMap<&'static str, Span>);

impl Words {
    fn once(&mut self, word: &'static str, span: Span, diagnostics: &mut Diagnostics) {
        if let Some(first) = self.0.insert(word, span) {
            let what = format!("`{word}` is given");
            diagnostics.error(|| twice(&what, span, first));
        }
    }
}

pub(super) fn twice(what: &str, span: Span, first: Span) -> Diagnostic {
    Diagnostic::error(Code::CM904, span, format!("{what} twice")).related(first, "first here")
}

/// Warns of a model that does not exist.
fn check_model(name: Name<'_>, diagnostics: &mut Diagnostics) {
    if models::named(name.text).is_some() {
        return;
    }
    diagnostics.report(Severity::Warning, || {
        let names = || models::all().iter().map(|model| model.name());
        let message = format!("there is no model `{}`", shorten(name.text));
        let help = suggest::advice(name.text, names()).unwrap_or_else(|| {
            let names: Vec<&str> = names().collect();
            format!("the models are {}", names.join(", "))
        });
        Diagnostic::warning(Code::CM902, name.span, message).help(help)
    });
}

/// The orders that a word stands for. `channel` and `mpsc` are the rules of the shipped
/// types of these names.
fn orders(name: Name<'_>, spec: &Specification, diagnostics: &mut Diagnostics) -> Vec<Orders> {
    const WORDS: [&str; 4] = ["atomic", "barrier", "channel", "mpsc"];
    match name.text {
        "atomic" => vec![Orders::Atomic],
        "barrier" => vec![Orders::Barrier],
        "channel" | "mpsc" => {
            let shipped = shipped::parse_one(name.text).expect("a shipped type");
            { shipped.rules() }
                .filter_map(|rule| rules::with_methods_of(rule, &shipped, spec))
                .map(Orders::Rule)
                .collect()
        }
        _ => {
            diagnostics.error(|| {
                let advice = suggest::advice(name.text, WORDS);
                let message = format!("there is no order `{}`", shorten(name.text));
                let list = WORDS.join("`, `");
                Diagnostic::error(Code::CM902, name.span, message).help(advice.unwrap_or(format!(
                    "the orders are `{list}` and rules such as `release() -> acquire()`"
                )))
            });
            Vec::new()
        }
    }
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
    pub(super) fn names(&self, side: Side, slots: usize) -> Vec<String> {
        let mut names = vec!["_".to_string(); slots];
        for variable in self.variables.iter().filter(|v| v.side == side) {
            names[variable.slot] = variable.name.text.to_string();
        }
        names
    }

    /// Adds a variable; `_` adds none.
    pub(super) fn bind(
        &mut self,
        name: Name<'t>,
        side: Side,
        slot: usize,
        diagnostics: &mut Diagnostics,
    ) {
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
