//! Random histories.

use commute_compose::linearize::{History, Recording};
use commute_model::Value;
use commute_spec::models::Model;

/// Numbers that look random, the same for the same seed.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % end
    }

    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// What a history should be like.
pub(crate) struct Shape {
    pub(crate) processes: usize,
    pub(crate) calls: usize,
    /// One of how many results is made up, and effects lost; 0 for none.
    pub(crate) wrong: usize,
    /// Whether a call may never return.
    pub(crate) pending: bool,
}

/// A call that a process is in, and what that will return.
type Open<'a> = (&'a str, Vec<Value>, Option<Value>);

/// A history of a real object: calls take effect between their invocation and their
/// return. But some have no effect, and some results are made up.
pub(crate) fn history(
    model: &dyn Model,
    methods: &[&str],
    shape: &Shape,
    random: &mut Random,
) -> History {
    let mut recording = Recording::new();
    let mut state = model.initial();
    let mut left = shape.calls;
    let mut open: Vec<Option<Open<'_>>> = vec![None; shape.processes];
    let mut stuck = vec![false; shape.processes];
    loop {
        let can_go_on = |p: &usize| !stuck[*p] && (open[*p].is_some() || left > 0);
        let able: Vec<usize> = (0..shape.processes).filter(can_go_on).collect();
        if able.is_empty() {
            return recording.finish();
        }
        let process = able[random.below(able.len())];
        let name = format!("T{process}");
        match open[process].take() {
            None => {
                let method = methods[random.below(methods.len())];
                let lists = model.arguments(method);
                let args = lists[random.below(lists.len())].clone();
                recording.invoke(&name, "", method, args.clone()).unwrap();
                open[process] = Some((method, args, None));
                left -= 1;
            }
            Some((method, args, None)) => {
                if shape.pending && random.one_in(8) {
                    stuck[process] = true;
                    // It may have taken effect.
                    if random.one_in(2) {
                        continue;
                    }
                }
                let outcomes = model.step(&state, method, &args);
                if outcomes.is_empty() {
                    stuck[process] = true;
                    continue;
                }
                let outcome = outcomes[random.below(outcomes.len())].clone();
                let is_lost = shape.wrong > 0 && random.one_in(shape.wrong);
                if !is_lost {
                    state = outcome.state;
                }
                let result = match &outcome.results[..] {
                    [one] => one.clone(),
                    several => Value::tuple(several.to_vec()),
                };
                open[process] = Some((method, args, Some(result)));
            }
            Some((method, args, Some(result))) => {
                let result = match shape.wrong > 0 && random.one_in(shape.wrong) {
                    true => some_result(model, method, &args, random).unwrap_or(result),
                    false => result,
                };
                recording.returns(&name, result).unwrap();
            }
        }
    }
}

/// Something that the call returns in some state.
fn some_result(
    model: &dyn Model,
    method: &str,
    args: &[Value],
    random: &mut Random,
) -> Option<Value> {
    let states = model.states();
    let state = &states[random.below(states.len())];
    let outcome = model.step(state, method, args).into_iter().next()?;
    Some(match &outcome.results[..] {
        [one] => one.clone(),
        several => Value::tuple(several.to_vec()),
    })
}
