//! The meaning of conditions.
//!
//! Conditions are two-valued, except that `state` is unknown where no state was
//! recorded; unknown then travels as in Kleene's logic and a condition that is
//! unknown counts as false (not known to commute). Values of different kinds
//! are unequal and ordered by kind (`nil` before truth values before integers
//! before strings …), so every comparison has an answer. A computation without
//! one (overflow, division by zero, arithmetic on strings, a function the
//! interpretation does not know) is opaque: equal to nothing, neither less nor
//! greater. A slot that is opaque is so too, or it is unknown like a state, if the
//! question is what holds whatever was there.

use commute_model::Value;

use crate::formula::{Arithmetic, Comparison, Formula, Function, Side, Term};
use crate::invocation::Invocation;

/// What a condition leaves open: the range of integers, and named functions.
pub trait Interpretation {
    /// `MIN`
    fn min(&self) -> Value;
    /// `MAX`
    fn max(&self) -> Value;
    /// `app(f, x)`; opaque if `f` is not known.
    fn app(&self, function: &Value, value: &Value) -> Value;
}

/// The interpretation for recorded traces: integers of at most 64 bits, of
/// which the trace does not say whether they are signed. `MIN` and `MAX` are
/// the values that are extreme in every such type, so `x == MIN` is never true
/// by mistake.
#[derive(Clone, Copy, Debug)]
pub struct Ints;

impl Interpretation for Ints {
    fn min(&self) -> Value {
        Value::Int(i64::MIN.into())
    }

    fn max(&self) -> Value {
        Value::Int(u64::MAX.into())
    }

    fn app(&self, _: &Value, _: &Value) -> Value {
        Value::Opaque
    }
}

/// Whether `formula` holds for the two invocations; `None` if that depends on
/// a state and `state` is not given.
pub fn evaluate(
    formula: &Formula,
    first: Invocation<'_>,
    second: Invocation<'_>,
    state: Option<&Value>,
    interpretation: &dyn Interpretation,
) -> Option<bool> {
    let context = Context {
        first,
        second,
        state,
        interpretation,
        opaque: Opaque::EqualToNothing,
    };
    context.formula(formula)
}

/// Whether `formula` holds for the two invocations, whatever was where they are
/// opaque; `None` if that depends on it, or on a state.
pub(crate) fn evaluate_whatever(
    formula: &Formula,
    first: Invocation<'_>,
    second: Invocation<'_>,
) -> Option<bool> {
    let context = Context {
        first,
        second,
        state: None,
        interpretation: &Ints,
        opaque: Opaque::Unknown,
    };
    context.formula(formula)
}

/// How a slot is read that is opaque or has an opaque part.
#[derive(Clone, Copy, PartialEq)]
enum Opaque {
    EqualToNothing,
    /// It may be anything, so it is as unknown as a state.
    Unknown,
}

struct Context<'a> {
    first: Invocation<'a>,
    second: Invocation<'a>,
    state: Option<&'a Value>,
    interpretation: &'a dyn Interpretation,
    opaque: Opaque,
}

impl Context<'_> {
    fn formula(&self, formula: &Formula) -> Option<bool> {
        match formula {
            Formula::Const(b) => Some(*b),
            Formula::Not(f) => self.formula(f).map(|b| !b),
            Formula::And(fs) => self.all(fs, false),
            Formula::Or(fs) => self.all(fs, true),
            Formula::Iff(f, g) => Some(self.formula(f)? == self.formula(g)?),
            Formula::Compare(op, a, b) => {
                if let (Term::Slot(..), Term::Slot(..) | Term::Value(_)) = (a, b)
                    && self.opaque == Opaque::EqualToNothing
                {
                    return Some(compare(*op, self.borrow(a), self.borrow(b)));
                }
                Some(compare(*op, &self.term(a)?, &self.term(b)?))
            }
            Formula::Holds(t) => Some(self.term(t)? == Value::Bool(true)),
        }
    }

    /// The conjunction, or with `stop` = true the disjunction, of `formulas`.
    fn all(&self, formulas: &[Formula], stop: bool) -> Option<bool> {
        let mut result = Some(!stop);
        for formula in formulas {
            match self.formula(formula) {
                Some(b) if b == stop => return Some(stop),
                Some(_) => {}
                None => result = None,
            }
        }
        result
    }

    /// The value of a slot or constant, not copied.
    fn borrow<'t>(&'t self, term: &'t Term) -> &'t Value {
        match term {
            Term::Slot(Side::First, n) => self.first.slot(*n),
            Term::Slot(Side::Second, n) => self.second.slot(*n),
            Term::Value(value) => value,
            _ => unreachable!("only slots and constants can be borrowed"),
        }
    }

    fn is_empty(&self, term: &Term) -> bool {
        matches!(self.term(term), Some(Value::Tuple(values)) if values.is_empty())
    }

    fn term(&self, term: &Term) -> Option<Value> {
        Some(match term {
            Term::Slot(..) if self.opaque == Opaque::Unknown && self.borrow(term).has_opaque() => {
                return None;
            }
            Term::Slot(..) | Term::Value(_) => self.borrow(term).clone(),
            Term::Min => self.interpretation.min(),
            Term::Max => self.interpretation.max(),
            Term::State => self.state?.clone(),
            Term::Negate(t) => negate(&self.term(t)?),
            Term::Arithmetic(op, a, b) => arithmetic(*op, &self.term(a)?, &self.term(b)?),
            // There is nothing in it, whatever is looked for.
            Term::Call(Function::Has, terms) if self.is_empty(&terms[0]) => Value::Bool(false),
            Term::Call(function, terms) => {
                let values: Option<Vec<Value>> = terms.iter().map(|t| self.term(t)).collect();
                match (function, &values?[..]) {
                    (Function::App, [f, x]) => self.interpretation.app(f, x),
                    (function, values) => apply(*function, values),
                }
            }
        })
    }
}

/// What `has` or `len` gives.
pub(crate) fn apply(function: Function, values: &[Value]) -> Value {
    match (function, values) {
        (Function::Has, [Value::Tuple(xs), x]) => Value::Bool(xs.iter().any(|y| y.same(x))),
        (Function::Len, [Value::Tuple(xs)]) => Value::from(xs.len()),
        _ => Value::Opaque,
    }
}

pub(crate) fn negate(value: &Value) -> Value {
    match value {
        Value::Int(n) => n.checked_neg().map_or(Value::Opaque, Value::Int),
        _ => Value::Opaque,
    }
}

pub(crate) fn compare(op: Comparison, a: &Value, b: &Value) -> bool {
    match op {
        Comparison::Eq => a.same(b),
        Comparison::Ne => !a.same(b),
        _ if a.has_opaque() || b.has_opaque() => false,
        Comparison::Lt => a < b,
        Comparison::Le => a <= b,
        Comparison::Gt => a > b,
        Comparison::Ge => a >= b,
    }
}

pub(crate) fn arithmetic(op: Arithmetic, a: &Value, b: &Value) -> Value {
    let (Value::Int(a), Value::Int(b)) = (a, b) else {
        return Value::Opaque;
    };
    let result = match op {
        Arithmetic::Add => a.checked_add(*b),
        Arithmetic::Sub => a.checked_sub(*b),
        Arithmetic::Mul => a.checked_mul(*b),
        Arithmetic::Div => a.checked_div(*b),
        Arithmetic::Rem => a.checked_rem(*b),
    };
    result.map_or(Value::Opaque, Value::Int)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(formula: &Formula, first: &[Value], second: &[Value]) -> Option<bool> {
        let (a, b) = (
            Invocation::new(0, first, &[]),
            Invocation::new(0, second, &[]),
        );
        evaluate(formula, a, b, None, &Ints)
    }

    fn slot(side: Side) -> Term {
        Term::Slot(side, 0)
    }

    #[test]
    fn an_unknown_state_is_false_only_where_it_matters() {
        let unknown = Formula::Holds(Term::Call(
            Function::Has,
            vec![Term::State, slot(Side::First)],
        ));
        let x = [Value::Int(1)];
        assert_eq!(holds(&unknown, &x, &x), None);
        assert_eq!(holds(&unknown.clone().negate(), &x, &x), None);
        let or = Formula::Or(vec![unknown.clone(), Formula::Const(true)]);
        assert_eq!(holds(&or, &x, &x), Some(true));
        let and = Formula::And(vec![unknown, Formula::Const(false)]);
        assert_eq!(holds(&and, &x, &x), Some(false));
    }

    #[test]
    fn computations_without_a_result_are_equal_to_nothing() {
        let sum = Term::Arithmetic(
            Arithmetic::Add,
            Box::new(slot(Side::First)),
            Box::new(Term::Max),
        );
        let same = Formula::Compare(Comparison::Eq, sum.clone(), sum);
        assert_eq!(holds(&same, &[Value::str("x")], &[Value::Nil]), Some(false));
        assert_eq!(holds(&same, &[Value::Int(1)], &[Value::Nil]), Some(true));
        let max = [Value::Int(i128::MAX)];
        assert_eq!(holds(&same, &max, &max), Some(false));
    }
}
