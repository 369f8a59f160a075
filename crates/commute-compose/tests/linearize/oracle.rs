//! Linearizability from its definition: every choice of pending calls, every order.

use commute_compose::linearize::{Call, History};
use commute_model::Value;
use commute_spec::models::Model;

/// Whether there is an order that explains the history.
pub(crate) fn is_linearizable(model: &dyn Model, history: &History) -> bool {
    let calls = history.calls();
    let pending: Vec<usize> = (0..calls.len())
        .filter(|&i| calls[i].returned.is_none())
        .collect();
    (0..1usize << pending.len()).any(|choice| {
        let left_out = |i: &usize| {
            let number = pending.iter().position(|p| p == i);
            number.is_some_and(|number| choice & (1 << number) == 0)
        };
        let chosen: Vec<usize> = (0..calls.len()).filter(|i| !left_out(i)).collect();
        permutations(&chosen)
            .iter()
            .any(|order| keeps_time(calls, order) && is_legal(model, calls, order))
    })
}

fn permutations(items: &[usize]) -> Vec<Vec<usize>> {
    if items.is_empty() {
        return vec![vec![]];
    }
    let mut all = Vec::new();
    for (i, &first) in items.iter().enumerate() {
        let rest = [&items[..i], &items[i + 1..]].concat();
        for mut order in permutations(&rest) {
            order.insert(0, first);
            all.push(order);
        }
    }
    all
}

/// Whether no call comes after one that was invoked when it had returned.
pub(crate) fn keeps_time(calls: &[Call], order: &[usize]) -> bool {
    order.iter().enumerate().all(|(place, &later)| {
        order[..place].iter().all(|&earlier| {
            let returned = calls[later].returned.as_ref();
            returned.is_none_or(|returned| returned.at > calls[earlier].invoked)
        })
    })
}

/// Whether the object can return all that, one call after the other.
pub(crate) fn is_legal(model: &dyn Model, calls: &[Call], order: &[usize]) -> bool {
    let mut states = vec![model.initial()];
    for &index in order {
        let call = &calls[index];
        let outcomes = { states.iter() }.flat_map(|s| model.step(s, &call.method, &call.args));
        let fits = |results: &[Value]| match call.returned.as_ref() {
            None => true,
            Some(returned) => match results {
                [one] => *one == returned.result,
                several => Value::tuple(several.to_vec()) == returned.result,
            },
        };
        let next: Vec<Value> = outcomes
            .filter(|outcome| fits(&outcome.results))
            .map(|outcome| outcome.state)
            .collect();
        states = next;
    }
    !states.is_empty()
}

/// How many of the calls that returned an order can explain at most, if whoever is left
/// out can come afterwards.
pub(crate) fn longest(model: &dyn Model, calls: &[Call]) -> usize {
    fn from(model: &dyn Model, calls: &[Call], order: &mut Vec<usize>) -> usize {
        let mut best = order.iter().filter(|&&i| !calls[i].is_pending()).count();
        for next in 0..calls.len() {
            let left = |i: &usize| !order.contains(i);
            let is_first =
                { (0..calls.len()).filter(left) }.all(|other| !calls[other].precedes(&calls[next]));
            if !left(&next) || !is_first {
                continue;
            }
            order.push(next);
            if is_legal(model, calls, order) {
                best = best.max(from(model, calls, order));
            }
            order.pop();
        }
        best
    }
    from(model, calls, &mut Vec::new())
}
