//! An object with a specification: what it does is said by the sequential model, what
//! commutes by the specification.

mod labels;
mod parts;
mod swaps;

use commute_model::Value;
use commute_spec::models::Model as Sequential;

use crate::model::{Called, Label, Model, Stepped};

/// An object of a built-in sequential model.
pub struct Specified {
    model: &'static dyn Sequential,
}

impl Specified {
    /// Of this model.
    pub fn new(model: &'static dyn Sequential) -> Specified {
        Specified { model }
    }

    /// Of the built-in model of this name.
    pub fn named(name: &str) -> Option<Specified> {
        commute_spec::models::named(name).map(Specified::new)
    }

    /// Whether there is such a method, with so many arguments.
    pub fn has(&self, method: &str, args: usize) -> bool {
        self.model.signature(method).is_some_and(|s| s.args == args)
    }

    /// The state of a new object.
    pub fn initial(&self) -> Value {
        self.model.initial()
    }
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
        let outcome = { self.model.step(states[0], method, args) }
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
        Some(Stepped::to(outcome.state, result))
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

    fn projects(&self) -> bool {
        parts::are_known(self.model.name())
    }

    fn project(&self, state: &Value, rest: &[Label<'_>]) -> Option<Value> {
        parts::project(self.model.name(), state, rest)
    }
}
