//! What a verification found.

use commute_model::Value;

use crate::models::Model;
use crate::specification::Method;

/// What [`verify`](crate::verify()) found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verification {
    /// The name of the specification.
    pub specification: String,
    /// The name of the model.
    pub model: String,
    /// Why parts could not be checked; nothing was proved about them.
    pub mismatches: Vec<Mismatch>,
    /// How much was looked at.
    pub size: SpaceSize,
    /// One verdict per pair of methods, in the order of
    /// [`Specification::pairs`](crate::Specification::pairs).
    pub pairs: Vec<PairVerdict>,
    /// One verdict per method.
    pub mutates: Vec<MutatesVerdict>,
    /// One verdict per pair that is marked `order`.
    pub orders: Vec<OrderVerdict>,
    /// One verdict per rule of order.
    pub rules: Vec<RuleVerdict>,
}

/// What was found about a rule of order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleVerdict {
    /// The index of the rule among the `orders` of the type.
    pub index: usize,
    /// What refutes it.
    pub counterexample: Option<RuleCounterexample>,
}

/// Why a rule `A -> B` does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RuleCounterexample {
    /// A B is possible without an A before it.
    Unprovided {
        /// The state in which it is possible.
        state: Value,
        /// The B.
        action: ConcreteAction,
    },
    /// An action is possible, or leads to a state, that the count excludes.
    Uncounted {
        /// The state in which it is possible.
        state: Value,
        /// The action.
        action: ConcreteAction,
    },
    /// A B is not possible although the count allows it.
    Blocked {
        /// The state in which it is not possible.
        state: Value,
        /// The method of B.
        method: String,
        /// The count.
        count: u64,
    },
}

impl Verification {
    /// Whether everything could be checked and nothing was refuted.
    pub fn is_sound(&self) -> bool {
        self.mismatches.is_empty()
            && self.pairs.iter().all(|pair| pair.counterexample.is_none())
            && self.mutates.iter().all(|m| m.counterexample.is_none())
            && self.orders.iter().all(|o| o.counterexample.is_none())
            && self.rules.iter().all(|rule| rule.counterexample.is_none())
    }

    /// The pairs whose condition is refuted.
    pub fn unsound_pairs(&self) -> impl Iterator<Item = &PairVerdict> {
        self.pairs
            .iter()
            .filter(|pair| pair.counterexample.is_some())
    }

    /// The pairs whose condition denies something that is true.
    pub fn imprecise_pairs(&self) -> impl Iterator<Item = &PairVerdict> {
        self.pairs.iter().filter(|pair| pair.imprecise > 0)
    }

    /// The methods that change the object where `mutates` says they do not.
    pub fn hidden_changes(&self) -> impl Iterator<Item = &HiddenChange> {
        self.mutates
            .iter()
            .filter_map(|m| m.counterexample.as_ref())
    }

    /// The rules of order that do not hold, by their index among the `orders`.
    pub fn broken_rules(&self) -> impl Iterator<Item = (usize, &RuleCounterexample)> {
        let rules = self.rules.iter();
        rules.filter_map(|rule| Some((rule.index, rule.counterexample.as_ref()?)))
    }

    /// The pairs that are marked `order` although a value flows between them.
    pub fn flowing_values(&self) -> impl Iterator<Item = (&OrderVerdict, &FlowingValue)> {
        let orders = self.orders.iter();
        orders.filter_map(|order| Some((order, order.counterexample.as_ref()?)))
    }
}

/// How much a verification looked at.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SpaceSize {
    /// States that sequences were started from.
    pub states: usize,
    /// Actions: a method with arguments and results.
    pub actions: usize,
    /// Pairs of actions.
    pub pairs: usize,
    /// States times pairs.
    pub triples: usize,
}

/// What was found about the condition of two methods.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PairVerdict {
    /// Index of the first method.
    pub first: usize,
    /// Index of the second method; not less than `first`.
    pub second: usize,
    /// How many pairs of actions can follow one another, in some order and
    /// from some state.
    pub realisable: usize,
    /// How many pairs of actions do not commute although the condition holds.
    pub unsound: usize,
    /// The smallest of them: least state, then least actions.
    pub counterexample: Option<Counterexample>,
    /// How many realisable pairs of actions commute in every state although
    /// the condition denies it.
    pub imprecise: usize,
    /// The smallest of them.
    pub imprecision: Option<Imprecision>,
    /// How many (state, action, action) commute in that state, both orders
    /// being possible.
    pub commuting_triples: usize,
    /// For how many of those the condition denies it.
    pub state_gap: usize,
}

/// What was found about `mutates` of a method.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MutatesVerdict {
    /// Index of the method.
    pub method: usize,
    /// How many actions change some state although they are not said to.
    pub hidden: usize,
    /// The smallest of them.
    pub counterexample: Option<HiddenChange>,
    /// How many actions are said to change the object and never do.
    pub idle: usize,
    /// The first of them.
    pub idle_witness: Option<ConcreteAction>,
}

/// What was found about the mark `order` of two methods.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OrderVerdict {
    /// Index of the first method.
    pub first: usize,
    /// Index of the second method; not less than `first`.
    pub second: usize,
    /// How many pairs of actions depend on each other although they should not.
    pub dependent: usize,
    /// The first of them.
    pub counterexample: Option<FlowingValue>,
}

/// An invocation with its results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConcreteAction {
    /// The name of the method.
    pub method: String,
    /// The arguments.
    pub args: Vec<Value>,
    /// The results.
    pub results: Vec<Value>,
}

/// Two actions that do not commute although the condition says so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample {
    /// The state in which the two orders differ.
    pub state: Value,
    /// The action of the first method.
    pub first: ConcreteAction,
    /// The action of the second method.
    pub second: ConcreteAction,
    /// What first and then second lead to.
    pub forward: Ending,
    /// What second and then first lead to.
    pub backward: Ending,
}

/// What a sequence of two actions leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// One of these states; more than one only if the model may choose.
    In(Vec<Value>),
    /// The sequence cannot happen.
    Impossible {
        /// The state in which it gets stuck.
        state: Value,
        /// The method that does not do there what it should.
        method: String,
        /// Its arguments.
        args: Vec<Value>,
        /// What it returns there; nothing if it is not enabled.
        instead: Vec<Vec<Value>>,
    },
}

/// Two actions that commute in every state although the condition denies it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Imprecision {
    /// The first state from which the two can follow one another.
    pub state: Value,
    /// The action of the first method.
    pub first: ConcreteAction,
    /// The action of the second method.
    pub second: ConcreteAction,
    /// Where both orders lead from there.
    pub ends: Vec<Value>,
}

/// A change that `mutates` denies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HiddenChange {
    /// The state before.
    pub state: Value,
    /// The action.
    pub action: ConcreteAction,
    /// The state after.
    pub end: Value,
}

/// A result that depends on an action with which only the order should matter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlowingValue {
    /// The state before both.
    pub state: Value,
    /// The action that comes first.
    pub earlier: ConcreteAction,
    /// The action that cannot return this without the other.
    pub later: ConcreteAction,
}

/// A specification and a model that do not fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mismatch {
    /// The model has no such method.
    UnknownMethod {
        /// The method of the specification.
        method: String,
        /// What the model has.
        known: Vec<&'static str>,
    },
    /// The method has another signature in the model.
    Signature {
        /// The method.
        method: String,
        /// Numbers of arguments and results in the specification.
        declared: (usize, usize),
        /// The same in the model.
        model: (usize, usize),
    },
    /// A condition of these methods, or `mutates` of the one method, mentions
    /// an argument or result that does not exist.
    NoSuchSlot {
        /// The methods.
        methods: [String; 2],
    },
}

impl Mismatch {
    /// What is wrong between a declared method and the model, if anything.
    pub(super) fn between(method: &Method, model: &dyn Model) -> Option<Mismatch> {
        let name = method.name.clone();
        let Some(signature) = model.signature(&name) else {
            let known = model.methods().iter().map(|m| m.name).collect();
            return Some(Mismatch::UnknownMethod {
                method: name,
                known,
            });
        };
        let declared = (method.args.len(), method.results.len());
        let model = (signature.args, signature.results);
        (declared != model).then_some(Mismatch::Signature {
            method: name,
            declared,
            model,
        })
    }
}
