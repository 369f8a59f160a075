//! Rules of order: `orders A -> B`.

use commute_model::{Code, Diagnostic, Span};

use super::cursor::{Cursor, Failed, shorten};
use super::diagnostics::Diagnostics;
use super::lexer::Token;
use super::meaning::{CONSTANTS, Reader, Scope};
use super::pairs::find_method;
use super::resolve::MOST_SLOTS;
use super::syntax::{ActionPattern, InitialCount, Matching, Name, Rule, SlotPattern};
use crate::formula::{Comparison, Formula, Side, Term};
use crate::orders;
use crate::specification::{Method, Specification};

/// A side of a rule may have this many alternatives.
const MOST_ALTERNATIVES: usize = 32;

impl<'t> Cursor<'t> {
    /// Whether a rule follows `orders`, and not a word.
    pub(super) fn at_rule(&self) -> bool {
        let begins = matches!(self.next_token(), Token::Sign("(" | "->" | "|" | "/"));
        let begins = begins || self.next_token() == Token::Name("if");
        begins && !self.fresh() && !self.next_is_fresh()
    }

    /// The rule behind `orders`.
    pub(super) fn rule(&mut self, start: Span) -> Result<Rule<'t>, Failed> {
        let before = self.alternatives()?;
        self.expect("->")?;
        let after = self.alternatives()?;
        let matching = if self.at_suffix("fifo") {
            self.advance();
            Matching::Fifo
        } else if self.at_suffix("counting") {
            self.advance();
            Matching::Counting(self.initial_count()?)
        } else {
            Matching::Pending
        };
        Ok(Rule {
            before,
            after,
            matching,
            span: self.since(start),
        })
    }

    /// Whether this word follows and is not the name of a method that begins an item.
    fn at_suffix(&self, word: &str) -> bool {
        self.at(word) && !matches!(self.next_token(), Token::Sign("(" | "~" | "/"))
    }

    fn initial_count(&mut self) -> Result<Option<InitialCount<'t>>, Failed> {
        if !self.at_suffix("from") {
            return Ok(None);
        }
        self.advance();
        if let Token::Integer(digits) = self.token() {
            let Ok(number) = digits.parse() else {
                return Err(self.unexpected("a number below 2^64"));
            };
            self.advance();
            return Ok(Some(InitialCount::Number(number)));
        }
        let name = self.name("a number or the parameter of the type")?;
        Ok(Some(InitialCount::Parameter(name)))
    }

    fn alternatives(&mut self) -> Result<Vec<ActionPattern<'t>>, Failed> {
        let mut found = vec![self.action_pattern()?];
        while self.eat("|") {
            if found.len() == MOST_ALTERNATIVES {
                let message =
                    format!("a side of a rule has at most {MOST_ALTERNATIVES} alternatives");
                return Err(self.fail(self.span(), || (message, None)));
            }
            found.push(self.action_pattern()?);
        }
        Ok(found)
    }

    fn action_pattern(&mut self) -> Result<ActionPattern<'t>, Failed> {
        let name = self.name("a method")?;
        let args = if self.at("(") {
            Some(self.slots()?)
        } else {
            None
        };
        let results = if !self.eat("/") {
            None
        } else if self.at("(") {
            Some(self.slots()?)
        } else {
            Some(vec![self.slot()?])
        };
        let guard = if self.eat("if") {
            Some(self.expression()?)
        } else {
            None
        };
        Ok(ActionPattern {
            name,
            args,
            results,
            guard,
            span: self.since(name.span),
        })
    }

    fn slots(&mut self) -> Result<Vec<SlotPattern<'t>>, Failed> {
        self.expect("(")?;
        let mut slots = Vec::new();
        while !self.eat(")") {
            slots.push(self.slot()?);
            if !self.at(")") && !self.eat(",") {
                return Err(self.unexpected("`,` or `)`"));
            }
        }
        Ok(slots)
    }

    fn slot(&mut self) -> Result<SlotPattern<'t>, Failed> {
        if let Token::Name(word) = self.token()
            && !CONSTANTS.contains(&word)
        {
            return Ok(SlotPattern::Variable(self.name("a variable")?));
        }
        Ok(SlotPattern::Constant(self.sum()?))
    }
}

impl<'t> ActionPattern<'t> {
    /// The variables and constants of its slots, if their numbers fit the method.
    fn slots<'a>(
        &'a self,
        spec: &Specification,
        method: usize,
    ) -> Result<Vec<(usize, &'a SlotPattern<'t>)>, Diagnostic> {
        let declared = &spec.methods[method];
        let parts = [
            ("argument", &self.args, 0, declared.args.len()),
            (
                "result",
                &self.results,
                declared.args.len(),
                declared.results.len(),
            ),
        ];
        let mut found = Vec::new();
        for (what, slots, start, expected) in parts {
            let Some(slots) = slots else { continue };
            if slots.len() != expected {
                let s = if expected == 1 { "" } else { "s" };
                let (name, count) = (&declared.name, slots.len());
                let message = format!("`{name}` has {expected} {what}{s}, found {count}");
                return Err(Diagnostic::error(Code::CM903, self.span, message)
                    .related(declared.span, "declared here"));
            }
            found.extend(slots.iter().enumerate().map(|(i, slot)| (start + i, slot)));
        }
        Ok(found)
    }

    fn variables(&self) -> impl Iterator<Item = &Name<'t>> {
        let slots = self.args.iter().chain(&self.results).flatten();
        slots.filter_map(|slot| match slot {
            SlotPattern::Variable(name) if name.text != "_" => Some(name),
            _ => None,
        })
    }
}

/// The rule that is written; nothing if it has an error, which is reported.
pub(super) fn resolve<'t>(
    rule: &Rule<'t>,
    parameter: Option<&Name<'t>>,
    spec: &Specification,
    whole: bool,
    diagnostics: &mut Diagnostics,
) -> Option<orders::OrderRule> {
    let errors = diagnostics.errors();
    let shared = shared_variables(rule, diagnostics);
    let mut side = |patterns: &[ActionPattern<'t>]| {
        let resolved = patterns
            .iter()
            .map(|pattern| resolve_pattern(pattern, &shared, spec, whole, diagnostics));
        let resolved: Vec<_> = resolved.collect();
        resolved.into_iter().collect::<Option<Vec<_>>>()
    };
    let (before, after) = (side(&rule.before), side(&rule.after));
    let matching = resolve_matching(rule, parameter, &shared, diagnostics);
    let whole = diagnostics.errors() == errors;
    Some(orders::OrderRule {
        before: before.filter(|_| whole)?,
        after: after?,
        matching: matching?,
        span: rule.span,
    })
}

/// The variables of both sides, sorted. Every alternative must bind them.
fn shared_variables<'t>(rule: &Rule<'t>, diagnostics: &mut Diagnostics) -> Vec<&'t str> {
    let names = |side: &[ActionPattern<'t>]| {
        let names = side.iter().flat_map(ActionPattern::variables);
        names.map(|name| name.text).collect::<Vec<_>>()
    };
    let second = names(&rule.after);
    let mut shared = names(&rule.before);
    shared.retain(|name| second.contains(name));
    shared.sort_unstable();
    shared.dedup();
    for pattern in rule.before.iter().chain(&rule.after) {
        for name in &shared {
            if !pattern.variables().any(|variable| variable.text == *name) {
                diagnostics.error(|| {
                    let (name, method) = (shorten(name), shorten(pattern.name.text));
                    let message = format!("`{method}` has no `{name}`, which both sides share");
                    Diagnostic::error(Code::CM902, pattern.span, message)
                        .help("every alternative must bind a variable that relates both sides")
                });
            }
        }
    }
    shared
}

fn resolve_pattern<'t>(
    pattern: &ActionPattern<'t>,
    shared: &[&'t str],
    spec: &Specification,
    whole: bool,
    diagnostics: &mut Diagnostics,
) -> Option<orders::ActionPattern> {
    let method = find_method(pattern.name, spec, whole, diagnostics)?;
    if spec.methods[method].slots().count() > MOST_SLOTS {
        return None; // reported where it is declared
    }
    let slots = match pattern.slots(spec, method) {
        Ok(slots) => slots,
        Err(diagnostic) => {
            diagnostics.error(|| diagnostic);
            return None;
        }
    };
    let mut scope = Scope {
        variables: Vec::new(),
        bare: pattern.args.is_none() && pattern.results.is_none(),
    };
    for (slot, written) in &slots {
        if let SlotPattern::Variable(name) = written {
            scope.bind(*name, Side::First, *slot, diagnostics);
        }
    }
    let mut parts = Vec::new();
    let mut reader = Reader::new(diagnostics);
    for (slot, written) in &slots {
        if let SlotPattern::Constant(value) = written {
            let slot = Term::Slot(Side::First, *slot);
            let value = reader.term(value, &scope)?;
            parts.push(Formula::Compare(Comparison::Eq, slot, value));
        }
    }
    if let Some(guard) = &pattern.guard {
        match reader.formula(guard, &scope)? {
            Formula::And(more) => parts.extend(more),
            one => parts.push(one),
        }
    }
    let key = shared.iter().filter_map(|name| {
        let variable = scope.variables.iter().find(|v| v.name.text == *name)?;
        Some(variable.slot)
    });
    let key = key.collect();
    let guard = match parts.len() {
        0 | 1 => parts.pop(),
        _ => Some(Formula::And(parts)),
    };
    Some(orders::ActionPattern { method, guard, key })
}

fn resolve_matching(
    rule: &Rule<'_>,
    parameter: Option<&Name<'_>>,
    shared: &[&str],
    diagnostics: &mut Diagnostics,
) -> Option<orders::Matching> {
    let count = match &rule.matching {
        Matching::Pending => return Some(orders::Matching::Pending),
        Matching::Fifo if shared.is_empty() => {
            diagnostics.error(|| {
                let message = "`fifo` needs a variable that both sides share: the message";
                Diagnostic::error(Code::CM901, rule.span, message)
                    .help("for example `orders send(v) -> recv()/v fifo`")
            });
            return None;
        }
        Matching::Fifo => return Some(orders::Matching::Fifo),
        Matching::Counting(count) => count,
    };
    let initial = match count {
        None => orders::InitialCount::Least,
        Some(InitialCount::Number(number)) => orders::InitialCount::Is(*number),
        Some(InitialCount::Parameter(name)) => {
            if parameter.is_none_or(|parameter| parameter.text != name.text) {
                diagnostics.error(|| {
                    let message = format!("the type has no parameter `{}`", shorten(name.text));
                    let help = match parameter {
                        Some(parameter) => format!("its parameter is `{}`", parameter.text),
                        None => format!("declare it: `type name({})`", shorten(name.text)),
                    };
                    Diagnostic::error(Code::CM902, name.span, message).help(help)
                });
                return None;
            }
            orders::InitialCount::Parameter
        }
    };
    Some(orders::Matching::Counting(initial))
}

/// The rule of another type, about the methods of `spec` that have the same names and
/// numbers of slots; nothing if a side has none.
pub(super) fn with_methods_of(
    rule: &orders::OrderRule,
    of: &Specification,
    spec: &Specification,
) -> Option<orders::OrderRule> {
    let side = |patterns: &[orders::ActionPattern]| {
        let found = patterns.iter().filter_map(|pattern| {
            let declared = &of.methods[pattern.method];
            let method = spec.method(&declared.name)?;
            let slots = |m: &Method| (m.args.len(), m.results.len());
            let fits = slots(declared) == slots(&spec.methods[method]);
            fits.then(|| orders::ActionPattern {
                method,
                ..pattern.clone()
            })
        });
        let found: Vec<_> = found.collect();
        (!found.is_empty()).then_some(found)
    };
    Some(orders::OrderRule {
        before: side(&rule.before)?,
        after: side(&rule.after)?,
        ..*rule
    })
}
