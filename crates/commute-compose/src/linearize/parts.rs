//! Parts of a history that can be looked at one by one (P-compositionality: Herlihy and
//! Wing, "Linearizability", theorem 1; Horn and Kroening, "Faster linearizability
//! checking via P-compositionality").
//!
//! A history is linearizable iff the calls of each object are, and the keys of a map are
//! objects. The orders of the parts are then woven into one.

use std::collections::BTreeMap;

use commute_model::Value;

use super::history::{Call, History};
use super::specification::SequentialSpecification;

/// Calls that have nothing to do with all others.
pub(super) struct Part {
    pub(super) object: String,
    pub(super) key: Option<Value>,
    pub(super) calls: Vec<usize>,
}

/// The parts of a history, the small ones first.
pub(super) fn parts<S: SequentialSpecification>(
    specification: &S,
    history: &History,
    by_key: bool,
) -> Vec<Part> {
    let mut objects: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, call) in history.calls().iter().enumerate() {
        objects.entry(&call.object).or_default().push(index);
    }
    let mut parts = Vec::new();
    for (object, calls) in objects {
        let key = |&index: &usize| specification.partition(&history.calls()[index]);
        let keys: Option<Vec<Value>> = match by_key {
            true => calls.iter().map(key).collect(),
            false => None,
        };
        let mut of_object: BTreeMap<Option<Value>, Vec<usize>> = BTreeMap::new();
        match keys {
            Some(keys) => {
                for (key, call) in keys.into_iter().zip(calls) {
                    of_object.entry(Some(key)).or_default().push(call);
                }
            }
            None => {
                of_object.insert(None, calls);
            }
        }
        parts.extend(of_object.into_iter().map(|(key, calls)| Part {
            object: object.to_string(),
            key,
            calls,
        }));
    }
    parts.sort_by_key(|part| part.calls.len());
    parts
}

/// One order of all that is in these orders of parts.
///
/// Every call takes effect at a moment: as soon as it was invoked and those before it in
/// its part took effect. That is before it returns, or its order would be wrong. It is the
/// moment at which a call of its own part is invoked, so no two parts share it.
pub(super) fn woven(calls: &[Call], orders: &[Vec<usize>]) -> Vec<usize> {
    let mut moments = Vec::new();
    for order in orders {
        let mut moment = 0;
        for &call in order {
            moment = calls[call].invoked.max(moment);
            moments.push((moment, call));
        }
    }
    // Calls of one part stay as they are.
    moments.sort_by_key(|&(moment, _)| moment);
    moments.into_iter().map(|(_, call)| call).collect()
}
