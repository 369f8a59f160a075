//! The sequential models of `commute-spec`, as specifications.

use std::hash::{Hash, Hasher};

use commute_model::Value;
use commute_spec::models::{self, Model, Signature};
use commute_spec::states::{Recorded, States};

use super::history::Call;
use super::specification::{Outcome, SequentialSpecification};

/// An object that behaves as a model says.
///
/// Results are those that callers see, or all that the model has, those that no caller
/// sees included. Several results are a tuple, none is `()`. A result with an opaque
/// part fits everything.
///
/// ```
/// use commute_compose::linearize::{Answer, History, Limits, SequentialModel, check};
///
/// let history = History::parse("
///     T1 invoke insert('a', 1)
///     T2 invoke get('a')
///     T2 return 1
///     T1 return nil
/// ")?;
/// let map = SequentialModel::named("map").unwrap();
/// let answer = check(&map, &history, &Limits::default());
/// assert_eq!(answer, Answer::Linearizable(vec![0, 1]));
/// # Ok::<(), commute_compose::linearize::ParseError>(())
/// ```
#[derive(Clone, Copy)]
pub struct SequentialModel {
    model: &'static dyn Model,
}

impl SequentialModel {
    /// An object of this model.
    pub fn new(model: &'static dyn Model) -> SequentialModel {
        SequentialModel { model }
    }

    /// An object of the model of this name, if there is one: `map`, `hashset`, `set`,
    /// `queue`, `stack`, `register`, `counter`, … ([`models::all`]).
    pub fn named(name: &str) -> Option<SequentialModel> {
        models::named(name).map(SequentialModel::new)
    }

    fn signature(&self, call: &Call) -> Option<Signature> {
        self.model.signature(&call.method)
    }
}

impl std::fmt::Debug for SequentialModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        { f.debug_tuple("SequentialModel") }
            .field(&self.model.name())
            .finish()
    }
}

/// The states in which an object can be. A model may choose what happens; to follow all
/// choices at once is cheaper than to try one after the other.
#[derive(Clone, PartialEq, Debug)]
pub struct PossibleStates(States);

// States compare values, whose equality is one.
impl Eq for PossibleStates {}

impl Hash for PossibleStates {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.0.fingerprint());
    }
}

impl SequentialSpecification for SequentialModel {
    type State = PossibleStates;

    fn initial(&self) -> PossibleStates {
        PossibleStates(States::initial(self.model))
    }

    fn step(&self, state: &PossibleStates, call: &Call) -> Vec<Outcome<PossibleStates>> {
        let Some(signature) = self.signature(call) else {
            return vec![];
        };
        let after = |recorded: Recorded<'_>| state.0.after(&call.method, &call.args, recorded);
        let states = match call.result() {
            None => vec![after(Recorded::Nothing)],
            Some(result) => { readings(signature, result).into_iter() }
                .map(|results| after(Recorded::Visibly(&results)))
                .collect(),
        };
        let possible = states.into_iter().filter(|states| !states.is_empty());
        // Only what fits is there.
        let outcome = |states| Outcome::new(PossibleStates(states), Value::Opaque);
        possible.map(outcome).collect()
    }

    fn results(&self, state: &PossibleStates, call: &Call) -> Vec<Value> {
        let Some(signature) = self.signature(call) else {
            return vec![];
        };
        let step = |state| self.model.step(state, &call.method, &call.args);
        let states = state.0.values();
        let mut results: Vec<Value> = { states.iter() }
            .flat_map(step)
            .map(|outcome| visible(signature, outcome.results))
            .collect();
        results.sort_unstable();
        results.dedup();
        results
    }

    fn partition(&self, call: &Call) -> Option<Value> {
        let is_keyed = match self.model.name() {
            "map" => !matches!(
                call.method.as_str(),
                "size" | "len" | "is_empty" | "clear" | "clear_" | "snapshot" | "retain"
            ),
            "hashset" | "set" => matches!(
                call.method.as_str(),
                "insert" | "insert_" | "remove" | "contains" | "add"
            ),
            "memory" => true,
            _ => false,
        };
        { call.args.first() }
            .filter(|key| is_keyed && !key.has_opaque())
            .cloned()
    }

    fn objection(&self, call: &Call) -> Option<String> {
        let name = self.model.name();
        let Some(signature) = self.signature(call) else {
            let known = self.model.methods().iter().map(|method| method.name);
            let hint = match commute_spec::closest(&call.method, known) {
                Some(closest) => format!("; is it `{closest}`?"),
                None => String::new(),
            };
            return Some(format!("`{name}` has no method `{}`{hint}", call.method));
        };
        let (expected, found) = (signature.args, call.args.len());
        if expected != found {
            let s = if expected == 1 { "" } else { "s" };
            return Some(format!(
                "`{}` takes {expected} argument{s}, found {found}",
                call.method
            ));
        }
        if call.args.iter().any(Value::has_opaque) {
            return Some(format!("an argument of `{}` is opaque", call.method));
        }
        let result = call.result()?;
        let unread = readings(signature, result).is_empty();
        unread.then(|| format!("`{}` never returns `{result}`", call.method))
    }

    fn size(&self, state: &PossibleStates) -> usize {
        // What a large state does not share with others is a path of a tree.
        512 + 64 * state.0.cost()
    }
}

/// The lists of results that a result may stand for. What was not recorded is opaque.
fn readings(signature: Signature, result: &Value) -> Vec<Vec<Value>> {
    let seen = signature.results - signature.shadow;
    let mut lists = Vec::new();
    for count in [seen, signature.results] {
        let mut list = match (count, result) {
            (1, value) => vec![value.clone()],
            (_, Value::Opaque) => vec![Value::Opaque; count],
            (_, Value::Tuple(values)) if values.len() == count => values.to_vec(),
            _ => continue,
        };
        list.resize(signature.results, Value::Opaque);
        lists.push(list);
        if signature.shadow == 0 {
            break;
        }
    }
    lists
}

/// What the caller gets of these results.
fn visible(signature: Signature, mut results: Vec<Value>) -> Value {
    results.truncate(signature.results - signature.shadow);
    match results.len() {
        1 => results.remove(0),
        _ => Value::tuple(results),
    }
}
