//! Orders that somebody claims.

use std::collections::BTreeMap;

use commute_model::Value;
use rustc_hash::FxHashSet;

use super::history::History;
use super::specification::{SequentialSpecification, states_after};

/// Why an order does not explain a history. Numbers are indices of calls.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OrderError {
    /// The history has no such call.
    #[error("there is no call {call}")]
    NoSuchCall {
        /// The index.
        call: usize,
    },
    /// A call happens once.
    #[error("call {call} is in the order twice")]
    Twice {
        /// The call.
        call: usize,
    },
    /// What returned has happened.
    #[error("call {call} returned, but is not in the order")]
    Missing {
        /// The call.
        call: usize,
    },
    /// What had returned comes first.
    #[error("call {late} comes after call {early}, but had returned before that was invoked")]
    Late {
        /// The call that comes too late.
        late: usize,
        /// A call before it.
        early: usize,
    },
    /// The object would not have returned that.
    #[error("call {call} cannot return that after the calls before it")]
    Refused {
        /// The call.
        call: usize,
        /// What it could return there.
        possible: Vec<Value>,
    },
    /// The specification says nothing of the call.
    #[error("nothing can be said of call {call}: {reason}")]
    Objection {
        /// The call.
        call: usize,
        /// Why.
        reason: String,
    },
}

/// Whether an order of calls, which is given by their indices, explains what they
/// returned: all that returned are in it, and each comes after those that had returned
/// when it was invoked. Pending calls may be in it or not. If the object may choose, all
/// states in which it can be are kept.
///
/// ```
/// use commute_compose::linearize::{History, SequentialModel, check_order};
///
/// let history = History::parse("
///     T1 invoke write(1)
///     T2 invoke read()
///     T2 return 0
///     T1 return
/// ")?;
/// let register = SequentialModel::named("register").unwrap();
/// assert!(check_order(&register, &history, &[1, 0]).is_ok());
/// assert!(check_order(&register, &history, &[0, 1]).is_err());
/// # Ok::<(), commute_compose::linearize::ParseError>(())
/// ```
///
/// # Errors
/// If it does not.
pub fn check_order<S: SequentialSpecification>(
    specification: &S,
    history: &History,
    order: &[usize],
) -> Result<(), OrderError> {
    check_times(history, order)?;
    // Where each object can be. There may be several, if the object may choose.
    let mut objects: BTreeMap<&str, Vec<S::State>> = BTreeMap::new();
    for &index in order {
        let call = &history.calls()[index];
        if let Some(reason) = specification.objection(call) {
            let call = index;
            return Err(OrderError::Objection { call, reason });
        }
        let initial = || vec![specification.initial()];
        let now = objects.entry(&call.object).or_insert_with(initial);
        let mut seen = FxHashSet::default();
        let after = now
            .iter()
            .flat_map(|state| states_after(specification, state, call));
        let after: Vec<S::State> = after.filter(|state| seen.insert(state.clone())).collect();
        if after.is_empty() {
            let results = now.iter().flat_map(|s| specification.results(s, call));
            return Err(OrderError::Refused {
                call: index,
                possible: results.collect(),
            });
        }
        *now = after;
    }
    Ok(())
}

/// Whether the order has what it must have, at a place where it can be.
fn check_times(history: &History, order: &[usize]) -> Result<(), OrderError> {
    let calls = history.calls();
    let mut is_there = vec![false; calls.len()];
    // The call before that was invoked last.
    let mut newest: Option<usize> = None;
    for &call in order {
        match is_there.get_mut(call) {
            None => return Err(OrderError::NoSuchCall { call }),
            Some(true) => return Err(OrderError::Twice { call }),
            Some(there) => *there = true,
        }
        if let Some(early) = newest.filter(|&early| calls[call].precedes(&calls[early])) {
            return Err(OrderError::Late { late: call, early });
        }
        if newest.is_none_or(|newest| calls[newest].invoked < calls[call].invoked) {
            newest = Some(call);
        }
    }
    let missing = |&call: &usize| !is_there[call] && !calls[call].is_pending();
    match (0..calls.len()).find(missing) {
        Some(call) => Err(OrderError::Missing { call }),
        None => Ok(()),
    }
}

/// Whether the calls, in the order in which they are said to take effect, explain what
/// they returned. A pending call that is not said to take effect does not.
///
/// ```
/// use commute_compose::linearize::{History, SequentialModel, check_points};
///
/// let history = History::parse("
///     T1 invoke write(1)
///     T2 invoke read()
///     T2 point
///     T1 point
///     T2 return 1
///     T1 return
/// ")?;
/// let register = SequentialModel::named("register").unwrap();
/// let error = check_points(&register, &history).unwrap_err();
/// assert_eq!(error.to_string(), "call 1 cannot return that after the calls before it");
/// # Ok::<(), commute_compose::linearize::ParseError>(())
/// ```
///
/// # Errors
/// If they do not, or if a call that returned is not said to take effect.
pub fn check_points<S: SequentialSpecification>(
    specification: &S,
    history: &History,
) -> Result<(), OrderError> {
    let points = { history.calls().iter().enumerate() }
        .filter_map(|(index, call)| call.point.map(|point| (point, index)));
    let mut points: Vec<(u64, usize)> = points.collect();
    points.sort_unstable();
    let order: Vec<usize> = points.into_iter().map(|(_, call)| call).collect();
    check_order(specification, history, &order)
}
