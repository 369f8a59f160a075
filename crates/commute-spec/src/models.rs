//! Sequential models: what the shipped types do when one thread uses them.
//!
//! A model is the meaning that a specification is judged by: two actions
//! commute iff, in every state of the model, both orders are possible and end
//! in the same state, or neither is (RD2 Definition 3.1; thesis Table 2.1 and
//! Definition 4.3.4). [`crate::verify()`] checks a specification against its model.
//!
//! States are [`Value`]s, so that they can be printed, compared and hashed.
//! [`Model::step`] works on any state; only [`Model::states`] and
//! [`Model::arguments`] are small, and they bound what a verification looks at.
//!
//! ```
//! use commute_model::Value;
//! use commute_spec::models;
//!
//! let queue = models::named("queue").unwrap();
//! let after = queue.step(&queue.initial(), "push", &[Value::Int(7)]);
//! assert_eq!(after[0].state.to_string(), "(7,)");
//! let popped = queue.step(&after[0].state, "pop", &[]);
//! assert_eq!(popped[0].results, [Value::Int(7)]);
//! ```

mod atomic;
mod barrier;
mod bounded_queue;
mod channel;
mod condvar;
mod context;
mod counter;
pub(crate) mod domain;
mod file;
mod future;
mod hashset;
mod latch;
mod map;
mod memory;
mod mpsc;
mod priority_queue;
mod queue;
mod register;
mod semaphore;
mod sequence;
mod set;
mod stack;
mod union_find;
mod vec;
mod wait_group;

use commute_model::Value;

use crate::evaluate::{Interpretation, Ints};

pub use atomic::Atomic;
pub use barrier::Barrier;
pub use bounded_queue::BoundedQueue;
pub use channel::Channel;
pub use condvar::Condvar;
pub use context::Context;
pub use counter::Counter;
pub use file::File;
pub use future::Future;
pub use hashset::HashSet;
pub use latch::Latch;
pub use map::Map;
pub use memory::Memory;
pub use mpsc::Mpsc;
pub use priority_queue::PriorityQueue;
pub use queue::Queue;
pub use register::Register;
pub use semaphore::Semaphore;
pub use set::Set;
pub use stack::Stack;
pub use union_find::UnionFind;
pub use vec::Vector;
pub use wait_group::WaitGroup;

/// A sequential object.
pub trait Model: Send + Sync {
    /// The name that `model …` in a specification refers to.
    fn name(&self) -> &str;

    /// What can be invoked.
    fn methods(&self) -> &[Signature];

    /// The state of a new object.
    fn initial(&self) -> Value;

    /// Small states, without repetition, the simplest first. A verification
    /// starts from each of them and looks at no other starting point.
    fn states(&self) -> Vec<Value>;

    /// Small argument lists of a method, the simplest first; none if there is
    /// no such method.
    fn arguments(&self, method: &str) -> Vec<Vec<Value>>;

    /// Everything the invocation can do in `state`, which need not be one of
    /// [`Model::states`]: several outcomes if the choice is not the caller's
    /// (which waiter a notification wakes), none if it is not enabled (it
    /// blocks, or makes no sense).
    fn step(&self, state: &Value, method: &str, args: &[Value]) -> Vec<Outcome>;

    /// What `MIN`, `MAX` and `app` mean for this model. A condition that is
    /// evaluated in a state of the model must be evaluated with this.
    fn interpretation(&self) -> &dyn Interpretation {
        &Ints
    }

    /// The number that the type's parameter stands for in this model: the permits of a
    /// new semaphore.
    fn parameter(&self) -> Option<u64> {
        None
    }

    /// The signature of the method of this name.
    fn signature(&self, method: &str) -> Option<Signature> {
        self.methods().iter().copied().find(|m| m.name == method)
    }
}

/// A method of a model.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Signature {
    /// Its name.
    pub name: &'static str,
    /// How many arguments it takes.
    pub args: usize,
    /// How many results it has, shadow results included.
    pub results: usize,
    /// How many of them, the last ones, are shadow results: no caller sees them.
    pub shadow: usize,
}

impl Signature {
    /// A method with this many arguments and results.
    pub const fn new(name: &'static str, args: usize, results: usize) -> Signature {
        Signature {
            name,
            args,
            results,
            shadow: 0,
        }
    }

    /// The same method, if so many of its results, the last ones, are shadow
    /// results.
    pub const fn with_shadow(self, shadow: usize) -> Signature {
        assert!(shadow <= self.results, "a shadow result is a result");
        Signature { shadow, ..self }
    }
}

/// One thing an invocation can do.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Outcome {
    /// The state afterwards.
    pub state: Value,
    /// What is returned, shadow results included.
    pub results: Vec<Value>,
}

impl Outcome {
    /// Ends in `state` and returns `results`.
    pub fn new(state: Value, results: impl Into<Vec<Value>>) -> Outcome {
        Outcome {
            state,
            results: results.into(),
        }
    }
}

/// All built-in models, by name, as they are used for verification. Types
/// whose constructor takes parameters ([`Atomic`], [`Barrier`], [`BoundedQueue`],
/// [`Latch`], [`Semaphore`], [`UnionFind`]) are small here; make your own for real sizes.
pub fn all() -> &'static [&'static dyn Model] {
    const ALL: &[&dyn Model] = &[
        &Atomic::TWO_BITS,
        &Barrier::OF_TWO,
        &BoundedQueue::OF_TWO,
        &Channel,
        &Condvar,
        &Context,
        &Counter,
        &File,
        &Future,
        &HashSet,
        &Latch::OF_TWO,
        &Map,
        &Memory,
        &Mpsc,
        &PriorityQueue,
        &Queue,
        &Register,
        &Semaphore::OF_ONE,
        &Set,
        &Stack,
        &UnionFind::OF_FOUR,
        &Vector,
        &WaitGroup,
    ];
    ALL
}

/// The built-in model of this name.
pub fn named(name: &str) -> Option<&'static dyn Model> {
    all().iter().copied().find(|model| model.name() == name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_sorted_and_unique() {
        let names: Vec<&str> = all().iter().map(|m| m.name()).collect();
        assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
        assert!(named("map").is_some());
        assert!(named("no such model").is_none());
    }

    #[test]
    fn every_model_keeps_its_word() {
        for model in all() {
            let name = model.name();
            let states = model.states();
            let distinct: BTreeSet<&Value> = states.iter().collect();
            assert_eq!(distinct.len(), states.len(), "{name}: a state twice");
            assert!(states.contains(&model.initial()), "{name}: initial state");
            for method in model.methods() {
                let lists = model.arguments(method.name);
                assert!(!lists.is_empty(), "{name}.{}: arguments", method.name);
                let mut enabled = false;
                for (state, args) in states
                    .iter()
                    .flat_map(|s| lists.iter().map(move |l| (s, l)))
                {
                    assert_eq!(args.len(), method.args, "{name}.{}", method.name);
                    for outcome in model.step(state, method.name, args) {
                        assert_eq!(
                            outcome.results.len(),
                            method.results,
                            "{name}.{}",
                            method.name
                        );
                        enabled = true;
                    }
                }
                assert!(enabled, "{name}.{} is never enabled", method.name);
                assert_eq!(model.signature(method.name), Some(*method));
            }
        }
    }

    #[test]
    fn nonsense_is_not_enabled() {
        let nonsense = [
            Value::Nil,
            Value::Opaque,
            Value::Int(-9),
            Value::unit(),
            Value::str("x"),
            Value::tuple([Value::Nil, Value::Int(1), Value::unit()]),
            Value::tuple([Value::tuple([Value::Int(1)])]),
        ];
        for model in all() {
            assert!(model.arguments("no such method").is_empty());
            assert!(
                model
                    .step(&model.initial(), "no such method", &[])
                    .is_empty()
            );
            for method in model.methods() {
                // Too many arguments is never right.
                let many = vec![Value::Int(0); method.args + 1];
                assert!(model.step(&model.initial(), method.name, &many).is_empty());
                for state in &nonsense {
                    for argument in &nonsense {
                        let args = vec![argument.clone(); method.args];
                        // It may do something or nothing, but it answers.
                        for outcome in model.step(state, method.name, &args) {
                            assert_eq!(outcome.results.len(), method.results);
                        }
                    }
                }
            }
        }
    }
}
