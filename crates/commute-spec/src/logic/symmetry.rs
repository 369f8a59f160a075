//! Whether a condition of a method with itself is symmetric (RD2 §4.1).
//!
//! First by logic ([`equivalent`]). If that does not prove it, which it cannot
//! where the meaning of arithmetic, order or functions matters, by search: only
//! a condition with a counterexample is called asymmetric.

use commute_model::Value;

use super::equivalent;
use crate::evaluate::{Interpretation, Ints, evaluate};
use crate::formula::{Formula, Term};
use crate::invocation::Invocation;

/// How many assignments are tried for one condition.
const TRIES: usize = 5_000;

/// Two invocations for which exchanging them changes the condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Asymmetry {
    /// The slots of the first and of the second.
    pub(crate) slots: [Vec<Value>; 2],
    /// The state, if the condition uses one.
    pub(crate) state: Option<Value>,
    /// The value of the condition in this order.
    pub(crate) value: bool,
}

/// A counterexample to the symmetry of a condition of a method that has this
/// many slots. `budget` limits the assignments tried over several calls.
pub(crate) fn asymmetry(formula: &Formula, slots: usize, budget: &mut usize) -> Option<Asymmetry> {
    let swapped = formula.swap();
    if equivalent(formula, &swapped) == Some(true) {
        return None;
    }
    // The variables: the slots that occur, on either side, and the state.
    let mut used = Vec::new();
    formula.for_each_slot(&mut |side, slot| {
        for place in [(side, slot), (side.other(), slot)] {
            if !used.contains(&place) {
                used.push(place);
            }
        }
    });
    let domain = domain(formula);
    let variables = used.len() + usize::from(formula.uses_state());
    let all = u32::try_from(variables)
        .ok()
        .and_then(|n| domain.len().checked_pow(n))
        .filter(|n| *n <= TRIES);
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    for number in 0..all.unwrap_or(TRIES).min(*budget) {
        *budget -= 1;
        let mut rest = number;
        // Random values are seldom equal, so each try takes few of them.
        let few = 2 + number % 3;
        let palette: Vec<usize> = (0..few).map(|_| step(&mut random) % domain.len()).collect();
        let mut choose = || match all {
            Some(_) => {
                let choice = rest % domain.len();
                rest /= domain.len();
                domain[choice].clone()
            }
            // Too many to try all: a fixed sequence of random ones.
            None => domain[palette[step(&mut random) % few]].clone(),
        };
        let mut found = Asymmetry {
            slots: [vec![Value::Nil; slots], vec![Value::Nil; slots]],
            state: None,
            value: false,
        };
        for (side, slot) in &used {
            found.slots[*side as usize][*slot] = choose();
        }
        found.state = formula.uses_state().then(choose);
        let [first, second] = [0, 1].map(|side: usize| Invocation::new(0, &found.slots[side], &[]));
        let state = found.state.as_ref();
        let holds = |formula| evaluate(formula, first, second, state, &Uninterpreted);
        let value = holds(formula);
        if let Some(value) = value
            && holds(&swapped) == Some(!value)
        {
            return Some(Asymmetry { value, ..found });
        }
    }
    None
}

/// The next number of a fixed sequence (xorshift).
fn step(random: &mut u64) -> usize {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    (*random >> 33) as usize
}

/// Values worth trying: the formula's own, their neighbours, and some others.
fn domain(formula: &Formula) -> Vec<Value> {
    let mut values: Vec<Value> = (0..3).map(Value::from).collect();
    values.extend([
        Value::Nil,
        Value::Bool(true),
        Value::Bool(false),
        Value::unit(),
    ]);
    values.push(Value::tuple([Value::from(0), Value::from(1)]));
    let mut constants = Vec::new();
    collect(formula, &mut constants);
    for value in constants {
        if let Value::Int(n) = value {
            let near = [n.checked_sub(1), n.checked_add(1)].into_iter().flatten();
            values.extend(near.map(Value::Int));
        }
        values.push(value);
    }
    let mut seen = Vec::new();
    values.retain(|value| {
        let new = !seen.contains(value);
        if new {
            seen.push(value.clone());
        }
        new
    });
    values
}

/// The constants of a formula, up to a bound.
fn collect(formula: &Formula, constants: &mut Vec<Value>) {
    const MOST: usize = 16;
    if constants.len() >= MOST {
        return;
    }
    match formula {
        Formula::Const(_) => {}
        Formula::Not(f) => collect(f, constants),
        Formula::And(fs) | Formula::Or(fs) => fs.iter().for_each(|f| collect(f, constants)),
        Formula::Iff(f, g) => {
            collect(f, constants);
            collect(g, constants);
        }
        Formula::Compare(_, a, b) => {
            collect_term(a, constants);
            collect_term(b, constants);
        }
        Formula::Holds(term) => collect_term(term, constants),
    }
}

fn collect_term(term: &Term, constants: &mut Vec<Value>) {
    match term {
        Term::Value(value) => constants.push(value.clone()),
        Term::Min => constants.push(Ints.min()),
        Term::Max => constants.push(Ints.max()),
        Term::Slot(..) | Term::State => {}
        Term::Negate(t) => collect_term(t, constants),
        Term::Arithmetic(_, a, b) => {
            collect_term(a, constants);
            collect_term(b, constants);
        }
        Term::Call(_, terms) => terms.iter().for_each(|t| collect_term(t, constants)),
    }
}

/// Functions that do something, whatever they are called.
struct Uninterpreted;

impl Interpretation for Uninterpreted {
    fn min(&self) -> Value {
        Ints.min()
    }

    fn max(&self) -> Value {
        Ints.max()
    }

    fn app(&self, function: &Value, value: &Value) -> Value {
        match function.same(&Value::Nil) || value.has_opaque() {
            true => value.clone(),
            false => Value::tuple([function.clone(), value.clone()]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    #[test]
    fn only_conditions_with_a_counterexample_are_asymmetric() {
        let found = |condition: &str| {
            // The pair is of different methods, so that the parser accepts it.
            let text = format!(
                "type t {{ f(a, b) -> c g(a, b) -> c
               f(a1, b1)/c1 ~ g(a2, b2)/c2 : {condition} }}"
            );
            let formula = parse(&text).specifications[0].pair(0, 1).0.formula.clone();
            asymmetry(&formula, 3, &mut 1_000_000)
        };
        for symmetric in [
            "true",
            "a1 != a2 || (b1 == c1 && b2 == c2)",
            "a1 + a2 == 5",
            "a1 * a2 == a2 * a1",
            "(a1 < a2) == (a2 > a1)",
            "a1 < a2 || a2 < a1 || a1 == a2",
            "app(a1, b1) != app(a2, b2)",
            "a1 - a2 < 1 && a2 - a1 < 1",
        ] {
            assert_eq!(found(symmetric), None, "{symmetric}");
        }
        for asymmetric in [
            "a1 == b1",
            "a1 < a2",
            "a1 != b2",
            "a1 != a2 || b1 == c1",
            "a1 == 1000 || a1 == a2",
            "app(a1, b2) == c2",
            "has(a1, a2)",
            "has(state, a1)",
            "a1 - a2 == 7",
        ] {
            assert!(found(asymmetric).is_some(), "{asymmetric}");
        }
        let asymmetry = found("a1 == 7").expect("it is asymmetric");
        let [first, second] = &asymmetry.slots;
        let seven = Value::from(7);
        assert!(first[0].same(&seven) == asymmetry.value && second[0] != first[0]);
    }
}
