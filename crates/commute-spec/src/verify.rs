//! Checks a specification against a sequential model, exhaustively over small
//! states and arguments.
//!
//! - *Soundness* (RD2 §4.1, thesis Definition 4.3.7): where the condition says
//!   that two actions commute, `a;b` and `b;a` are the same partial function
//!   (RD2 Definition 3.1). Partial matters: if only one order is possible at
//!   all, the two do not commute. An action includes its results, shadow
//!   results too.
//! - *Imprecision* (the converse, Definition 4.3.8): action pairs that commute
//!   in every state although the condition denies it, counted among the
//!   *realisable* ones, those that can follow one another in some order from
//!   some state.
//! - *State gap*: (state, action, action) triples that commute in that state
//!   although the condition denies it. A gap without imprecision can only be
//!   closed by a condition on the state (L1).
//! - `mutates`: an action that changes some state must be declared to.
//! - `orders A -> B`: a B is only possible after an A, and by the count of the rule
//!   ([`rules`]).
//! - `order`: what the later of two changes returns must not depend on whether
//!   the earlier one happened.
//!
//! A condition with `state` is judged in each state separately. Models may
//! choose among several outcomes; then sequences are relations rather than
//! functions, and equal if they relate the same states.
//!
//! What holds for the model's states and arguments need not hold for larger
//! ones; the result says how large the space was. The cost is (actions)² ×
//! states; what each action does in each state is computed once.

mod conditions;
mod display;
mod mutations;
mod order_only;
mod result;
mod rules;
mod space;

use crate::Specification;
use crate::models::Model;

use conditions::{check_pair, well_formed};
use mutations::check_mutates;
use order_only::check_order;
use rules::check_rule;
use space::Space;

pub use result::{
    ConcreteAction, Counterexample, Ending, FlowingValue, HiddenChange, Imprecision, Mismatch,
    MutatesVerdict, OrderVerdict, PairVerdict, RuleCounterexample, RuleVerdict, SpaceSize,
    Verification,
};

/// Checks `spec` against `model`. Never panics: what cannot be checked because
/// the two do not fit is a [`Mismatch`].
pub fn verify(spec: &Specification, model: &dyn Model) -> Verification {
    let mut mismatches = Vec::new();
    let fits: Vec<bool> = spec
        .methods
        .iter()
        .map(|method| {
            let mismatch = Mismatch::between(method, model);
            let fits = mismatch.is_none();
            mismatches.extend(mismatch);
            fits
        })
        .collect();
    let space = Space::explore(spec, &fits, model);
    let mut size = SpaceSize {
        states: space.domain,
        actions: space.actions.iter().map(Vec::len).sum(),
        ..SpaceSize::default()
    };
    let mut pairs = Vec::new();
    let mut orders = Vec::new();
    for (first, second, condition) in spec.pairs() {
        if !fits[first] || !fits[second] {
            continue;
        }
        let sides = [&spec.methods[first], &spec.methods[second]];
        if !well_formed(&condition.formula, sides) {
            mismatches.push(Mismatch::NoSuchSlot {
                methods: sides.map(|method| method.name.clone()),
            });
            continue;
        }
        size.pairs += space.actions[first].len() * space.actions[second].len();
        pairs.push(check_pair(spec, &space, first, second));
        if condition.order {
            orders.push(check_order(spec, &space, (first, second)));
        }
    }
    size.triples = size.pairs * size.states;
    let mut mutates = Vec::new();
    for (index, method) in spec.methods.iter().enumerate() {
        if !fits[index] {
            continue;
        }
        match check_mutates(spec, &space, index) {
            Some(verdict) => mutates.push(verdict),
            None => mismatches.push(Mismatch::NoSuchSlot {
                methods: [method.name.clone(), method.name.clone()],
            }),
        }
    }
    // With methods that do not fit nothing is known of what is reached.
    let orders_of_threads = 0..if mismatches.is_empty() {
        spec.orders.len()
    } else {
        0
    };
    let rules = { orders_of_threads }.filter_map(|index| check_rule(spec, model, index));
    let rules = rules.collect();
    Verification {
        specification: spec.name.clone(),
        model: model.name().to_owned(),
        mismatches,
        size,
        pairs,
        mutates,
        orders,
        rules,
    }
}
