//! Where an object can be after what was recorded of it.
//!
//! [`Model::step`] says what a call does, and copies the whole state to say so. A
//! trace has a call per event, and an object may hold as many elements as there are
//! events. So what is found by its place or its key has a second form here, in which
//! states share what they have in common: a step costs the logarithm of the number of
//! elements, a copy nothing. The model stays the definition, and what is not known
//! here is asked of it.
//!
//! ```
//! use commute_model::Value;
//! use commute_spec::models;
//! use commute_spec::states::{Recorded, States};
//!
//! let new = States::initial(models::named("queue").unwrap());
//! let one = new.after("push", &[Value::Int(7)], Recorded::Nothing);
//! assert_eq!(one.values(), [Value::tuple([Value::Int(7)])]);
//! let wrong = one.after("pop", &[], Recorded::Exactly(&[Value::Int(8)]));
//! assert!(wrong.is_empty());
//! ```

mod answer;
mod bag;
mod entries;
mod line;
mod tree;

use std::hash::{Hash, Hasher};

use commute_model::Value;
use rustc_hash::FxHasher;

use crate::models::Model;
use answer::Answer;
use bag::Bag;
use entries::Entries;
use line::Line;

/// The states in which an object of a model can be.
#[derive(Clone)]
pub struct States {
    model: &'static dyn Model,
    now: Now,
}

#[derive(Clone, PartialEq, Debug)]
enum Now {
    /// There is one, of a type that may get large.
    One(Large),
    /// These, without repetition.
    Any(Vec<Value>),
}

/// A state that shares what it has in common with others.
#[derive(Clone, PartialEq, Debug)]
enum Large {
    Line(Line),
    Bag(Bag),
    Entries(Entries),
}

/// What is known of the results of a call.
#[derive(Clone, Copy, Debug)]
pub enum Recorded<'a> {
    /// Nothing: every result fits.
    Nothing,
    /// These, and only what is equal to them fits.
    Exactly(&'a [Value]),
    /// These, and everything fits what is opaque.
    Visibly(&'a [Value]),
}

impl Recorded<'_> {
    fn fits(self, results: &[Value]) -> bool {
        match self {
            Recorded::Nothing => true,
            Recorded::Exactly(recorded) => recorded == results,
            Recorded::Visibly(recorded) => {
                let same = |(a, b): (&Value, &Value)| b.has_opaque() || a == b;
                results.len() == recorded.len() && results.iter().zip(recorded).all(same)
            }
        }
    }

    /// The only results that fit, if there is one choice.
    fn wanted(&self) -> Option<&[Value]> {
        match self {
            Recorded::Nothing => None,
            Recorded::Exactly(recorded) => Some(recorded),
            Recorded::Visibly(recorded) => {
                Some(*recorded).filter(|recorded| !recorded.iter().any(Value::has_opaque))
            }
        }
    }
}

impl Large {
    fn of(model: &str, state: &Value) -> Option<Large> {
        let line = || Line::of(model, state).map(Large::Line);
        let bag = || Bag::of(model, state).map(Large::Bag);
        let entries = || Entries::of(model, state).map(Large::Entries);
        line().or_else(bag).or_else(entries)
    }

    fn value(&self) -> Value {
        match self {
            Large::Line(line) => line.value(),
            Large::Bag(bag) => bag.value(),
            Large::Entries(entries) => entries.value(),
        }
    }

    fn fingerprint(&self) -> u64 {
        match self {
            Large::Line(line) => line.fingerprint(),
            Large::Bag(bag) => bag.fingerprint(),
            Large::Entries(entries) => entries.fingerprint(),
        }
    }

    fn step(&self, method: &str, args: &[Value], wanted: Option<&[Value]>) -> Answer<Large> {
        match self {
            Large::Line(line) => line.step(method, args).map(Large::Line),
            Large::Bag(bag) => bag.step(method, args, wanted).map(Large::Bag),
            Large::Entries(entries) => entries.step(method, args).map(Large::Entries),
        }
    }
}

impl States {
    /// That of a new object.
    pub fn initial(model: &'static dyn Model) -> States {
        States::of(model, vec![model.initial()])
    }

    /// These, of which none is there twice.
    pub fn of(model: &'static dyn Model, states: Vec<Value>) -> States {
        let large = match &states[..] {
            [one] => Large::of(model.name(), one),
            _ => None,
        };
        let now = large.map_or(Now::Any(states), Now::One);
        States { model, now }
    }

    /// Those after a call that returned what was recorded.
    #[must_use]
    pub fn after(&self, method: &str, args: &[Value], recorded: Recorded<'_>) -> States {
        let Now::One(large) = &self.now else {
            return self.after_any(method, args, recorded);
        };
        let now = match large.step(method, args, recorded.wanted()) {
            Answer::To(after, results) if recorded.fits(&results) => Now::One(after),
            Answer::To(..) | Answer::Impossible => Now::Any(Vec::new()),
            Answer::Unclear => return self.after_any(method, args, recorded),
        };
        States {
            model: self.model,
            now,
        }
    }

    /// The same, as the model says it.
    fn after_any(&self, method: &str, args: &[Value], recorded: Recorded<'_>) -> States {
        let mut after = Vec::new();
        let states = self.values();
        let outcomes = { states.iter() }.flat_map(|s| self.model.step(s, method, args));
        for outcome in outcomes {
            if recorded.fits(&outcome.results) && !after.contains(&outcome.state) {
                after.push(outcome.state);
            }
        }
        States::of(self.model, after)
    }

    /// What the call can return in the first of the states.
    pub fn results(&self, method: &str, args: &[Value]) -> Vec<Vec<Value>> {
        let Some(first) = self.values().into_iter().next() else {
            return Vec::new();
        };
        let outcomes = self.model.step(&first, method, args).into_iter();
        outcomes.map(|outcome| outcome.results).collect()
    }

    /// Whether there is none: what was recorded cannot have happened.
    pub fn is_empty(&self) -> bool {
        matches!(&self.now, Now::Any(states) if states.is_empty())
    }

    /// The states. This copies what they hold.
    pub fn values(&self) -> Vec<Value> {
        match &self.now {
            Now::One(large) => vec![large.value()],
            Now::Any(states) => states.clone(),
        }
    }

    /// How many values must be copied for a step, about.
    pub fn cost(&self) -> usize {
        let parts = |state: &Value| match state {
            Value::Tuple(parts) => parts.len(),
            _ => 1,
        };
        match &self.now {
            Now::One(_) => 1,
            Now::Any(states) => states.iter().map(parts).sum(),
        }
    }

    /// A number for the states: the same whenever the same calls, in any order, led
    /// to the same ones.
    pub fn fingerprint(&self) -> u64 {
        match &self.now {
            Now::One(large) => large.fingerprint(),
            Now::Any(states) => {
                let mut hasher = FxHasher::default();
                states.hash(&mut hasher);
                hasher.finish()
            }
        }
    }
}

impl PartialEq for States {
    /// The same states; of the same model, or it means nothing.
    fn eq(&self, other: &States) -> bool {
        match (&self.now, &other.now) {
            (Now::One(_), Now::Any(_)) | (Now::Any(_), Now::One(_)) => {
                self.values() == other.values()
            }
            (a, b) => a == b,
        }
    }
}

impl std::fmt::Debug for States {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let values = self.values();
        f.debug_tuple(self.model.name()).field(&values).finish()
    }
}

#[cfg(test)]
mod tests;
