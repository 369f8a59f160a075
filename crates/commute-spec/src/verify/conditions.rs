//! One condition against all actions of its two methods.

use crate::evaluate::evaluate;
use crate::formula::{Formula, Side};
use crate::invocation::Invocation;
use crate::specification::{Method, Specification};
use crate::verify::result::{Counterexample, Ending, Imprecision, PairVerdict};
use crate::verify::space::{Action, Space};

/// Whether every slot of the formula exists.
pub(super) fn well_formed(formula: &Formula, [first, second]: [&Method; 2]) -> bool {
    let slots = |method: &Method| method.args.len() + method.results.len();
    let mut exists = true;
    formula.for_each_slot(&mut |side, slot| {
        exists &= match side {
            Side::First => slot < slots(first),
            Side::Second => slot < slots(second),
        };
    });
    exists
}

/// Checks the condition of methods `first` ≤ `second`, which must fit the model.
pub(super) fn check_pair(
    spec: &Specification,
    space: &Space<'_>,
    first: usize,
    second: usize,
) -> PairVerdict {
    let mut tally = Tally::default();
    let formula = &spec.pair(first, second).0.formula;
    let uses_state = formula.uses_state();
    for (i, a) in space.actions[first].iter().enumerate() {
        for (j, b) in space.actions[second].iter().enumerate() {
            let says = |state: Option<usize>| {
                let a = Invocation::new(first, &a.args, &a.results);
                let b = Invocation::new(second, &b.args, &b.results);
                let state = state.map(|s| &space.states[s]);
                evaluate(formula, a, b, state, space.model.interpretation()) == Some(true)
            };
            let always = !uses_state && says(None);
            tally.count(space, (i, a), (j, b), |state| {
                if uses_state {
                    says(Some(state))
                } else {
                    always
                }
            });
        }
    }
    let names = [first, second].map(|method| spec.methods[method].name.as_str());
    let acts = |i: usize, j: usize| {
        let (a, b) = (&space.actions[first][i], &space.actions[second][j]);
        ((names[0], a), (names[1], b))
    };
    let counterexample = tally.unsound_at.map(|(state, i, j)| {
        let (a, b) = acts(i, j);
        Counterexample {
            state: space.states[state].clone(),
            first: space.concrete(a.0, a.1),
            second: space.concrete(b.0, b.1),
            forward: space.ending(state, a, b),
            backward: space.ending(state, b, a),
        }
    });
    let imprecision = tally.imprecise_at.map(|(state, i, j)| {
        let (a, b) = acts(i, j);
        let ends = match space.ending(state, a, b) {
            Ending::In(ends) => ends,
            Ending::Impossible { .. } => vec![],
        };
        Imprecision {
            state: space.states[state].clone(),
            first: space.concrete(a.0, a.1),
            second: space.concrete(b.0, b.1),
            ends,
        }
    });
    PairVerdict {
        first,
        second,
        realisable: tally.realisable,
        unsound: tally.unsound,
        counterexample,
        imprecise: tally.imprecise,
        imprecision,
        commuting_triples: tally.commuting_triples,
        state_gap: tally.state_gap,
    }
}

/// (state, first action, second action)
type Place = (usize, usize, usize);

#[derive(Default)]
struct Tally {
    realisable: usize,
    unsound: usize,
    unsound_at: Option<Place>,
    imprecise: usize,
    imprecise_at: Option<Place>,
    commuting_triples: usize,
    state_gap: usize,
}

impl Tally {
    /// Counts one pair of actions; `says` is what the condition says in a state.
    fn count(
        &mut self,
        space: &Space<'_>,
        (i, a): (usize, &Action),
        (j, b): (usize, &Action),
        says: impl Fn(usize) -> bool,
    ) {
        let mut realised_at = None;
        let mut unsound = false;
        let mut commute = true;
        let mut denied = false;
        for state in 0..space.domain {
            let forward = space.sequence(state, a, b);
            let backward = space.sequence(state, b, a);
            let possible = !forward.is_empty() || !backward.is_empty();
            if !possible {
                // Both orders are undefined here, hence equal.
                continue;
            }
            realised_at = realised_at.or(Some(state));
            let says = says(state);
            denied |= !says;
            if forward == backward {
                self.commuting_triples += 1;
                self.state_gap += usize::from(!says);
                continue;
            }
            commute = false;
            if says {
                unsound = true;
                let place = (state, i, j);
                if self.unsound_at.is_none_or(|least| place < least) {
                    self.unsound_at = Some(place);
                }
            }
        }
        self.unsound += usize::from(unsound);
        let Some(state) = realised_at else {
            return;
        };
        self.realisable += 1;
        if commute && denied {
            self.imprecise += 1;
            let place = (state, i, j);
            if self.imprecise_at.is_none_or(|least| place < least) {
                self.imprecise_at = Some(place);
            }
        }
    }
}
