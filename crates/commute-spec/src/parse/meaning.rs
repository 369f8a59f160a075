//! From expressions to formulas and terms.
//!
//! The syntax does not tell `a == b` between values from `a == b` between
//! conditions. Here it is decided: a comparison is between values, unless a
//! side can only be a condition.

use commute_model::{Code, Diagnostic, Span, Value};
use rustc_hash::FxHashSet;

use super::advice;
use super::cursor::shorten;
use super::diagnostics::Diagnostics;
use super::syntax::{Expression, Kind, Name};
use crate::formula::{Comparison, Formula, Function, Side, Term};
use crate::suggest;

/// Words that mean the same in every condition.
pub(super) const CONSTANTS: [&str; 6] = ["nil", "true", "false", "MIN", "MAX", "state"];

/// What the words of a condition mean.
pub(super) struct Scope<'t> {
    /// The variables.
    pub(super) variables: Vec<Variable<'t>>,
    /// Advice where there are no variables because the methods were written
    /// without arguments.
    pub(super) bare: bool,
}

/// A name for a slot.
#[derive(Clone, Copy)]
pub(super) struct Variable<'t> {
    pub(super) name: Name<'t>,
    pub(super) side: Side,
    pub(super) slot: usize,
}

/// What an expression is.
enum Meaning {
    Formula(Formula),
    Term(Term),
}

/// Gives expressions their meaning and reports what has none. Of one written
/// expression every problem is reported once, even if several pairs share it.
pub(super) struct Reader<'d> {
    pub(super) diagnostics: &'d mut Diagnostics,
    reported: FxHashSet<Span>,
}

impl<'d> Reader<'d> {
    pub(super) fn new(diagnostics: &'d mut Diagnostics) -> Reader<'d> {
        Reader {
            diagnostics,
            reported: FxHashSet::default(),
        }
    }

    /// The formula that `e` is; `None` if it is not one, which is reported.
    pub(super) fn formula(&mut self, e: &Expression<'_>, scope: &Scope<'_>) -> Option<Formula> {
        let meaning = self.meaning(e, scope)?;
        self.as_formula(meaning, e.span)
    }

    /// The term that `e` is; `None` if it is not one, which is reported.
    pub(super) fn term(&mut self, e: &Expression<'_>, scope: &Scope<'_>) -> Option<Term> {
        let meaning = self.meaning(e, scope)?;
        self.as_term(meaning, e.span)
    }

    fn meaning(&mut self, e: &Expression<'_>, scope: &Scope<'_>) -> Option<Meaning> {
        let formula = match &e.kind {
            Kind::Name(word) => return self.word(word, e.span, scope).map(Meaning::Term),
            Kind::Constant(value) => return Some(Meaning::Term(Term::Value(value.clone()))),
            Kind::Negate(part) => {
                let term = self.term(part, scope)?;
                return Some(Meaning::Term(Term::Negate(Box::new(term))));
            }
            Kind::Arithmetic(op, parts) => {
                let (a, b) = (self.term(&parts[0], scope), self.term(&parts[1], scope));
                let term = Term::Arithmetic(*op, Box::new(a?), Box::new(b?));
                return Some(Meaning::Term(term));
            }
            Kind::Call(name, parts) => return self.call(*name, parts, scope).map(Meaning::Term),
            Kind::Not(part) => Formula::Not(Box::new(self.formula(part, scope)?)),
            Kind::And(parts) => Formula::And(self.formulas(parts, scope)?),
            Kind::Or(parts) => Formula::Or(self.formulas(parts, scope)?),
            Kind::Compare(op, parts) => self.comparison(*op, parts, scope)?,
        };
        Some(Meaning::Formula(formula))
    }

    fn formulas(&mut self, parts: &[Expression<'_>], scope: &Scope<'_>) -> Option<Vec<Formula>> {
        let found: Vec<_> = parts.iter().map(|e| self.formula(e, scope)).collect();
        found.into_iter().collect()
    }

    fn comparison(
        &mut self,
        op: Comparison,
        [left, right]: &[Expression<'_>; 2],
        scope: &Scope<'_>,
    ) -> Option<Formula> {
        let (a, b) = (self.meaning(left, scope), self.meaning(right, scope));
        let (a, b) = (a?, b?);
        let terms = matches!((&a, &b), (Meaning::Term(_), Meaning::Term(_)));
        if terms || !matches!(op, Comparison::Eq | Comparison::Ne) {
            let (a, b) = (self.as_term(a, left.span), self.as_term(b, right.span));
            return Some(Formula::Compare(op, a?, b?));
        }
        let (a, b) = (
            self.as_formula(a, left.span),
            self.as_formula(b, right.span),
        );
        let same = Formula::Iff(Box::new(a?), Box::new(b?));
        Some(match op {
            Comparison::Eq => same,
            _ => Formula::Not(Box::new(same)),
        })
    }

    fn word(&mut self, word: &str, span: Span, scope: &Scope<'_>) -> Option<Term> {
        if let Some(variable) = scope.variables.iter().find(|v| v.name.text == word) {
            return Some(Term::Slot(variable.side, variable.slot));
        }
        Some(match word {
            "nil" => Term::Value(Value::Nil),
            "true" => Term::Value(Value::Bool(true)),
            "false" => Term::Value(Value::Bool(false)),
            "MIN" => Term::Min,
            "MAX" => Term::Max,
            "state" => Term::State,
            _ => {
                let names = || scope.variables.iter().map(|v| v.name.text);
                self.report(span, || {
                    let advice = suggest::advice(word, names().chain(CONSTANTS));
                    let foreign = advice::word_of_another_language(word);
                    let advice = advice.or(foreign.map(str::to_string));
                    let advice = advice.or_else(|| match (word, scope.bare) {
                        ("_", _) => Some("`_` has no value; give the variable a name".into()),
                        (_, true) => Some("write the methods with their variables".into()),
                        (_, false) => Some(format!("text is quoted: '{}'", shorten(word))),
                    });
                    let message = format!("nothing here is called `{}`", shorten(word));
                    Diagnostic {
                        help: advice,
                        ..Diagnostic::error(Code::CM902, span, message)
                    }
                });
                return None;
            }
        })
    }

    fn call(
        &mut self,
        name: Name<'_>,
        parts: &[Expression<'_>],
        scope: &Scope<'_>,
    ) -> Option<Term> {
        let function = Function::ALL.iter().find(|f| f.name() == name.text);
        let terms: Vec<_> = parts.iter().map(|e| self.term(e, scope)).collect();
        let Some(function) = function else {
            self.report(name.span, || {
                let names = Function::ALL.iter().map(|f| f.name());
                let foreign = advice::word_of_another_language(name.text);
                let help = suggest::advice(name.text, names)
                    .or(foreign.map(str::to_string))
                    .unwrap_or("the functions are `app`, `has` and `len`".to_string());
                let message = format!("there is no function `{}`", shorten(name.text));
                Diagnostic::error(Code::CM902, name.span, message).help(help)
            });
            return None;
        };
        let (expected, found) = (function.arity(), parts.len());
        if expected != found {
            self.report(name.span, || {
                let s = if expected == 1 { "" } else { "s" };
                let name = function.name();
                let message = format!("`{name}` takes {expected} argument{s}, found {found}");
                Diagnostic::error(Code::CM903, Span::default(), message)
            });
            return None;
        }
        let terms: Option<Vec<Term>> = terms.into_iter().collect();
        Some(Term::Call(*function, terms?))
    }

    fn as_formula(&mut self, meaning: Meaning, span: Span) -> Option<Formula> {
        let what = match meaning {
            Meaning::Formula(formula) => return Some(formula),
            Meaning::Term(Term::Value(Value::Bool(b))) => return Some(Formula::Const(b)),
            Meaning::Term(
                term
                @ (Term::Slot(..) | Term::State | Term::Call(Function::App | Function::Has, _)),
            ) => {
                return Some(Formula::Holds(term));
            }
            Meaning::Term(Term::Value(_)) => "a constant",
            Meaning::Term(_) => "a number",
        };
        self.report(span, || {
            let message = format!("{what} is not a condition");
            Diagnostic::error(Code::CM901, Span::default(), message).label("expected a condition")
        });
        None
    }

    fn as_term(&mut self, meaning: Meaning, span: Span) -> Option<Term> {
        if let Meaning::Term(term) = meaning {
            return Some(term);
        }
        self.report(span, || {
            Diagnostic::error(Code::CM901, Span::default(), "a condition is not a value")
                .label("expected a value")
                .help("conditions can be compared only by `==` and `!=`, with each other")
        });
        None
    }

    fn report(&mut self, span: Span, make: impl FnOnce() -> Diagnostic) {
        if self.reported.insert(span) {
            self.diagnostics.error(|| Diagnostic { span, ..make() });
        }
    }
}
