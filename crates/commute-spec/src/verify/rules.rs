//! What `orders A -> B` says against what the model can do.
//!
//! A rule holds if one of these does:
//! - *provision*: from the state of a new object, no run without an A (with equal shared
//!   variables) reaches a B;
//! - *ownership*: after a B no A is possible any more;
//! - *enabling*: wherever an A and then a B are possible, the B alone is not.
//!
//! A rule that counts from k, without shared variables, is checked as what it says: in
//! every run, B is possible exactly while there were fewer than k and the number of A,
//! and an A and a B commute wherever both orders are possible.
//!
//! Runs start from the state of a new object; at most [`MOST_STATES`] states are looked at.

use std::collections::{BTreeMap, BTreeSet};

use commute_model::Value;

use crate::invocation::Invocation;
use crate::models::Model;
use crate::orders::{InitialCount, Key, Matching, OrderRule, Orders};
use crate::specification::Specification;
use crate::verify::result::{ConcreteAction, RuleCounterexample, RuleVerdict};

/// A verification looks at so many states.
const MOST_STATES: usize = 400;
/// Runs have at most so many actions.
const LONGEST: usize = 5;

/// An action that is possible in a state, and where it leads.
struct Possible {
    method: usize,
    args: Vec<Value>,
    results: Vec<Value>,
    next: Value,
}

/// Checks the rule with this index among the orders; nothing if it is no rule.
pub(super) fn check_rule(
    spec: &Specification,
    model: &dyn Model,
    index: usize,
) -> Option<RuleVerdict> {
    let Orders::Rule(rule) = &spec.orders[index] else {
        return None;
    };
    let check = Check { spec, model, rule };
    let counterexample = match rule.matching {
        Matching::Counting(initial) if !rule.is_keyed() => check.counts(initial),
        _ => {
            let unprovided = check.unprovided();
            unprovided.filter(|_| !check.is_owned() && !check.is_enabled())
        }
    };
    Some(RuleVerdict {
        index,
        counterexample,
    })
}

struct Check<'a> {
    spec: &'a Specification,
    model: &'a dyn Model,
    rule: &'a OrderRule,
}

impl Possible {
    fn invocation(&self) -> Invocation<'_> {
        Invocation::new(self.method, &self.args, &self.results)
    }
}

impl Check<'_> {
    /// Everything that is possible in a state.
    fn possible(&self, state: &Value) -> Vec<Possible> {
        let mut found = Vec::new();
        for (method, declared) in self.spec.methods.iter().enumerate() {
            for args in self.model.arguments(&declared.name) {
                for outcome in self.model.step(state, &declared.name, &args) {
                    found.push(Possible {
                        method,
                        args: args.clone(),
                        results: outcome.results,
                        next: outcome.state,
                    });
                }
            }
        }
        found
    }

    fn before(&self, action: &Possible) -> Option<Key> {
        self.rule.before(action.invocation())
    }

    fn after(&self, action: &Possible) -> Option<Key> {
        self.rule.after(action.invocation())
    }

    /// The states that runs from `start` reach, with `goes_on` saying which actions they
    /// may have.
    fn reached(&self, start: Vec<Value>, goes_on: impl Fn(&Possible) -> bool) -> Vec<Value> {
        let mut seen: BTreeSet<Value> = start.iter().cloned().collect();
        let mut states = start;
        let mut from = 0;
        for _ in 0..LONGEST {
            let to = states.len();
            for place in from..to {
                for action in self.possible(&states[place].clone()) {
                    if states.len() < MOST_STATES
                        && goes_on(&action)
                        && seen.insert(action.next.clone())
                    {
                        states.push(action.next);
                    }
                }
            }
            from = to;
        }
        states
    }

    /// A B that a run reaches without an A with equal shared variables.
    fn unprovided(&self) -> Option<RuleCounterexample> {
        let all = self.reached(vec![self.model.initial()], |_| true);
        let keys: BTreeSet<Key> = { all.iter() }
            .flat_map(|state| self.possible(state))
            .filter_map(|action| self.after(&action))
            .collect();
        keys.into_iter().find_map(|key| {
            let without = |action: &Possible| self.before(action).as_ref() != Some(&key);
            let states = self.reached(vec![self.model.initial()], without);
            states.into_iter().find_map(|state| {
                let mut possible = self.possible(&state).into_iter();
                let action = possible.find(|action| self.after(action).as_ref() == Some(&key))?;
                Some(RuleCounterexample::Unprovided {
                    action: self.concrete(&action),
                    state,
                })
            })
        })
    }

    /// Whether no A is possible any more after a B.
    fn is_owned(&self) -> bool {
        let states = self.reached(vec![self.model.initial()], |_| true);
        let taken = states.iter().flat_map(|state| self.possible(state));
        let taken = taken.filter(|action| self.after(action).is_some());
        let ends: BTreeSet<Value> = taken.map(|action| action.next).collect();
        let later = self.reached(ends.into_iter().collect(), |_| true);
        let mut possible = later.iter().flat_map(|state| self.possible(state));
        !possible.any(|action| self.before(&action).is_some())
    }

    /// Whether a B that is possible after an A is never possible without it.
    fn is_enabled(&self) -> bool {
        let mut some = false;
        for state in self.reached(vec![self.model.initial()], |_| true) {
            let now = self.possible(&state);
            let is_possible = |b: &Possible| {
                let mut now = now.iter();
                now.any(|other| {
                    (other.method, &other.args, &other.results) == (b.method, &b.args, &b.results)
                })
            };
            for a in now.iter().filter(|a| self.before(a).is_some()) {
                let after = self.possible(&a.next);
                let mut after = after.iter().filter(|b| self.after(b) == self.before(a));
                if after.clone().any(is_possible) {
                    return false;
                }
                some |= after.next().is_some();
            }
        }
        some
    }

    /// A run in which the count is not what says whether a B is possible.
    fn counts(&self, initial: InitialCount) -> Option<RuleCounterexample> {
        let start = self.model.initial();
        let count = match initial {
            InitialCount::Is(count) => count,
            InitialCount::Parameter => self.model.parameter().unwrap_or(0),
            InitialCount::Least => self.taken_at_first(&start),
        };
        let mut known: BTreeMap<Value, u64> = BTreeMap::from([(start.clone(), count)]);
        let mut left = vec![start];
        while let Some(state) = left.pop() {
            let count = known[&state];
            let possible = self.possible(&state);
            let takes =
                |action: &Possible| self.after(action).is_some() && self.spec.takes(action.method);
            let methods = self.rule.after.iter().map(|pattern| pattern.method);
            let mut blocked = methods.filter(|method| {
                !possible
                    .iter()
                    .any(|action| action.method == *method && takes(action))
            });
            if let (Some(method), 1..) = (blocked.next(), count) {
                let method = self.spec.methods[method].name.clone();
                return Some(RuleCounterexample::Blocked {
                    state,
                    method,
                    count,
                });
            }
            for action in possible {
                let next = match (takes(&action), self.before(&action)) {
                    (true, _) if count == 0 => {
                        let action = self.concrete(&action);
                        return Some(RuleCounterexample::Uncounted { state, action });
                    }
                    (true, _) => count - 1,
                    (false, Some(_)) => count + 1,
                    (false, None) => count,
                };
                let is_new = !known.contains_key(&action.next);
                if *known.entry(action.next.clone()).or_insert(next) != next {
                    let action = self.concrete(&action);
                    return Some(RuleCounterexample::Uncounted { state, action });
                }
                if is_new && next <= LONGEST as u64 && known.len() < MOST_STATES {
                    left.push(action.next);
                }
            }
        }
        None
    }

    /// How many B are possible one after the other.
    fn taken_at_first(&self, state: &Value) -> u64 {
        let mut state = state.clone();
        for count in 0..LONGEST as u64 {
            let mut possible = self.possible(&state).into_iter();
            match possible.find(|action| self.after(action).is_some()) {
                Some(action) => state = action.next,
                None => return count,
            }
        }
        LONGEST as u64
    }

    fn concrete(&self, action: &Possible) -> ConcreteAction {
        ConcreteAction {
            method: self.spec.methods[action.method].name.clone(),
            args: action.args.clone(),
            results: action.results.clone(),
        }
    }
}
