//! An object with a specification: what it does is said by the sequential model, what
//! commutes by the specification.

mod labels;
mod parts;
mod swaps;

use commute_model::Value;
use commute_spec::models::Model as Sequential;

use super::parts as parts_of;
use crate::act::{Act, Invoked};
use crate::model::{Called, Label, Model, Stepped};

/// An object of a built-in sequential model.
#[derive(Clone, Copy)]
pub struct Specified {
    model: &'static dyn Sequential,
    /// Whether nobody knows how many elements it has: those that are not in the state
    /// are alone.
    is_sparse: bool,
}

impl Specified {
    /// Of this model.
    pub fn new(model: &'static dyn Sequential) -> Specified {
        Specified {
            model,
            is_sparse: false,
        }
    }

    /// Of the built-in model of this name.
    pub fn named(name: &str) -> Option<Specified> {
        commute_spec::models::named(name).map(Specified::new)
    }

    /// Of the model of this type of the shipped specifications, as somebody's own object
    /// is one: how large it is is not known.
    pub fn of_type(name: &str) -> Option<Specified> {
        let specification = commute_spec::shipped::named(name)?;
        let model = commute_spec::models::named(specification.model.as_deref()?)?;
        Some(Specified {
            model,
            is_sparse: model.name() == "union_find",
        })
    }

    /// Whether there is such a method, with so many arguments.
    pub fn has(&self, method: &str, args: usize) -> bool {
        let depends_on_size = self.is_sparse && method == "components";
        !depends_on_size && self.model.signature(method).is_some_and(|s| s.args == args)
    }

    /// The state of a new object.
    pub fn initial(&self) -> Value {
        match self.is_sparse {
            true => Value::unit(),
            false => self.model.initial(),
        }
    }
}

/// The sets of a state, and one for each that is in none.
fn with_those_alone(state: &Value, elements: &[Value]) -> Value {
    let mut sets = parts_of(state).to_vec();
    for element in elements {
        if !sets.iter().any(|set| parts_of(set).contains(element)) {
            sets.push(Value::tuple([element.clone()]));
        }
    }
    sets.sort();
    Value::tuple(sets)
}

fn without_those_alone(state: &Value) -> Value {
    let sets = parts_of(state).iter();
    Value::tuple(sets.filter(|set| parts_of(set).len() > 1).cloned())
}

impl std::fmt::Debug for Specified {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Specified")
            .field(&self.model.name())
            .finish()
    }
}

impl Model for Specified {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn step(&self, states: &[&Value], method: &str, args: &[Value]) -> Option<Stepped> {
        let full = { self.is_sparse }.then(|| with_those_alone(states[0], args));
        let state = full.as_ref().unwrap_or(states[0]);
        let outcome = { self.model.step(state, method, args) }
            .into_iter()
            .next()?;
        // What no caller sees is part of no history.
        let shadow = self.model.signature(method).map_or(0, |s| s.shadow);
        let mut results = outcome.results;
        results.truncate(results.len() - shadow);
        let result = match results.len() {
            1 => results.swap_remove(0),
            _ => Value::tuple(results),
        };
        let state = match self.is_sparse {
            true => without_those_alone(&outcome.state),
            false => outcome.state,
        };
        Some(Stepped::to(state, result))
    }

    fn only_reads(&self, method: &str, args: &[Value], result: &Value) -> bool {
        let called = Called {
            method,
            args,
            result,
        };
        swaps::only_reads(self.model, called)
    }

    fn swaps(&self, a: Called<'_>, b: Called<'_>) -> Option<bool> {
        swaps::swaps(self.model, a, b)
    }

    fn is_specified(&self) -> bool {
        !matches!(self.model.name(), "register" | "atomic")
    }

    fn overwrites(&self, method: &str) -> bool {
        matches!(
            (self.model.name(), method),
            ("register", "write") | ("atomic", "store")
        )
    }

    fn moves(&self, first: Label<'_>, second: Label<'_>) -> bool {
        labels::moves(self.model, first, second)
    }

    fn affects(&self, before: Label<'_>, after: Label<'_>) -> bool {
        if labels::only_reads(self.model, before) || self.overwrites(after.method) {
            return false;
        }
        // What it returns binds it to a place in the order; what it does may not.
        let method = match (self.model.name(), before.method) {
            ("atomic", "fetch_add") => "add",
            ("atomic", "fetch_max") => "max",
            _ => return !labels::moves(self.model, before, after),
        };
        let nothing = Value::unit();
        let does = Label {
            method,
            args: before.args,
            result: Some(&nothing),
        };
        !labels::moves(self.model, does, after)
    }

    fn returns(&self, method: &str) -> bool {
        { self.model.signature(method) }.is_none_or(|s| s.results > s.shadow)
    }

    fn waits(&self, method: &str) -> bool {
        !labels::NEVER_WAIT.contains(&self.model.name()) && swaps::waits(self.model, method)
    }

    /// Also what no caller sees, as the model says it.
    fn act(&self, state: &Value, call: Called<'_>) -> Act {
        let full = { self.is_sparse }.then(|| with_those_alone(state, call.args));
        let state = full.as_ref().unwrap_or(state);
        let outcomes = self.model.step(state, call.method, call.args);
        let Some(outcome) = outcomes.into_iter().next() else {
            return Act::Unknown;
        };
        let args = call.args.iter().cloned();
        let name = self.model.name();
        Act::Call(Invoked::new(name, call.method, args, outcome.results))
    }

    fn projects(&self) -> bool {
        parts::are_known(self.model.name())
    }

    fn project(&self, state: &Value, rest: &[Label<'_>]) -> Option<Value> {
        parts::project(self.model.name(), state, rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(model: &Specified, state: &Value, method: &str, args: &[i32]) -> Stepped {
        let args: Vec<Value> = args.iter().map(|n| (*n).into()).collect();
        let stepped = model.step(&[state], method, &args);
        stepped.expect("it need not wait")
    }

    #[test]
    fn sets_of_unknown_size_have_room_for_everything() {
        let sets = Specified::of_type("union_find").expect("a shipped type");
        let alone = sets.initial();
        let found = step(&sets, &alone, "find", &[90]);
        assert_eq!(found.result, Value::Int(90));
        assert_eq!(found.states[0], alone);
        let joined = step(&sets, &alone, "union", &[90, 7]);
        assert_eq!(joined.result, Value::Bool(true));
        let found = step(&sets, &joined.states[0], "find", &[90]);
        assert_eq!(found.result, Value::Int(7));
        assert!(!sets.has("components", 0));
    }

    #[test]
    fn a_type_has_the_model_that_its_specification_names() {
        let dictionary = Specified::of_type("dictionary").expect("a shipped type");
        assert_eq!(dictionary.name(), "map");
        assert!(Specified::of_type("ledger").is_none());
    }
}
