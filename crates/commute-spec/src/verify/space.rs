//! The actions of a model, and what each of them does in each state.

use std::collections::BTreeMap;

use commute_model::Value;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::Specification;
use crate::models::Model;
use crate::verify::result::{ConcreteAction, Ending};

/// Where something can end: numbers of states, sorted, without repetition.
/// More than one only for models that choose.
pub(super) type Ends = SmallVec<[u32; 2]>;

/// An action, and where it leads.
pub(super) struct Action {
    pub(super) args: Vec<Value>,
    pub(super) results: Vec<Value>,
    /// By number of state; empty where the action is not possible.
    next: Vec<Ends>,
}

impl Action {
    /// Where the action leads from a state.
    pub(super) fn from(&self, state: usize) -> &[u32] {
        &self.next[state]
    }
}

/// What a verification looks at.
pub(super) struct Space<'m> {
    pub(super) model: &'m dyn Model,
    /// The model's small states, then all that the rest of the work met.
    pub(super) states: Vec<Value>,
    /// How many of `states` are the model's small ones.
    pub(super) domain: usize,
    /// The actions of each method of the specification that some small state
    /// allows, simple ones first. None for methods that do not fit.
    pub(super) actions: Vec<Vec<Action>>,
    numbers: FxHashMap<Value, u32>,
}

impl<'m> Space<'m> {
    /// Finds all actions and what they do in the small states and in those
    /// one step away.
    pub(super) fn explore(spec: &Specification, fits: &[bool], model: &'m dyn Model) -> Space<'m> {
        let mut space = Space {
            model,
            states: Vec::new(),
            domain: 0,
            actions: spec.methods.iter().map(|_| Vec::new()).collect(),
            numbers: FxHashMap::default(),
        };
        for state in model.states() {
            space.number(state);
        }
        space.domain = space.states.len();
        for (index, method) in spec.methods.iter().enumerate() {
            if !fits[index] {
                continue;
            }
            for args in model.arguments(&method.name) {
                space.find_actions(index, &method.name, args);
            }
        }
        let reached = space.states.len();
        for (index, method) in spec.methods.iter().enumerate() {
            space.extend_actions(index, &method.name, reached);
        }
        space
    }

    /// The actions that a call can be, judged by the small states.
    fn find_actions(&mut self, index: usize, method: &str, args: Vec<Value>) {
        let mut found: BTreeMap<Vec<Value>, Vec<Ends>> = BTreeMap::new();
        for state in 0..self.domain {
            for outcome in self.model.step(&self.states[state], method, &args) {
                let end = self.number(outcome.state);
                let next = found
                    .entry(outcome.results)
                    .or_insert_with(|| vec![Ends::new(); self.domain]);
                insert(&mut next[state], end);
            }
        }
        let actions = found.into_iter().map(|(results, next)| Action {
            args: args.clone(),
            results,
            next,
        });
        self.actions[index].extend(actions);
    }

    /// What the known actions do in the states that one step leads to.
    fn extend_actions(&mut self, index: usize, method: &str, reached: usize) {
        let mut actions = std::mem::take(&mut self.actions[index]);
        // Actions of one call stand together: step once for all of them.
        for group in actions.chunk_by_mut(|a, b| a.args == b.args) {
            for state in self.domain..reached {
                for action in &mut *group {
                    action.next.push(Ends::new());
                }
                for outcome in self.model.step(&self.states[state], method, &group[0].args) {
                    let same = |action: &&mut Action| action.results == outcome.results;
                    if let Some(action) = group.iter_mut().find(same) {
                        insert(&mut action.next[state], self.number(outcome.state));
                    }
                }
            }
        }
        self.actions[index] = actions;
    }

    fn number(&mut self, state: Value) -> u32 {
        let fresh = u32::try_from(self.states.len()).unwrap_or(u32::MAX);
        *self.numbers.entry(state).or_insert_with_key(|state| {
            self.states.push(state.clone());
            fresh
        })
    }

    /// Where `a` and then `b` lead from a small state.
    pub(super) fn sequence(&self, state: usize, a: &Action, b: &Action) -> Ends {
        let mut ends = Ends::new();
        for &middle in a.from(state) {
            for &end in b.from(middle as usize) {
                insert(&mut ends, end);
            }
        }
        ends
    }

    /// An action as results show it.
    pub(super) fn concrete(&self, method: &str, action: &Action) -> ConcreteAction {
        ConcreteAction {
            method: method.to_owned(),
            args: action.args.clone(),
            results: action.results.clone(),
        }
    }

    /// What there is to say about `a` and then `b` from a small state.
    pub(super) fn ending(&self, state: usize, a: (&str, &Action), b: (&str, &Action)) -> Ending {
        let ends = self.sequence(state, a.1, b.1);
        if !ends.is_empty() {
            let value = |end: &u32| self.states[*end as usize].clone();
            return Ending::In(ends.iter().map(value).collect());
        }
        let (state, (method, action)) = match a.1.from(state).first() {
            None => (state, a),
            Some(&middle) => (middle as usize, b),
        };
        let state = self.states[state].clone();
        let outcomes = self.model.step(&state, method, &action.args);
        let mut instead: Vec<Vec<Value>> = outcomes.into_iter().map(|o| o.results).collect();
        instead.sort();
        instead.dedup();
        Ending::Impossible {
            state,
            method: method.to_owned(),
            args: action.args.clone(),
            instead,
        }
    }
}

fn insert(ends: &mut Ends, end: u32) {
    if let Err(place) = ends.binary_search(&end) {
        ends.insert(place, end);
    }
}
