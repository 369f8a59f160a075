//! The shipped conditions hold beyond the small domains they are verified on:
//! more keys, values, elements and other capacities, all states within a few
//! steps of the initial one.

use std::collections::BTreeSet;

use commute_model::Value;
use commute_spec::models::{Atomic, BoundedQueue, Model, Outcome, Signature, UnionFind, named};
use commute_spec::{Interpretation, Specification, shipped, verify};

/// A model with one more argument of each kind, and with all states that are
/// at most `steps` calls away from the initial one.
struct Larger<'m> {
    model: &'m dyn Model,
    states: Vec<Value>,
}

impl<'m> Larger<'m> {
    fn new(model: &'m dyn Model, steps: usize) -> Larger<'m> {
        let mut larger = Larger {
            model,
            states: vec![model.initial()],
        };
        let mut seen = BTreeSet::from([model.initial()]);
        let mut newest = larger.states.clone();
        for _ in 0..steps {
            let mut next = vec![];
            for state in &newest {
                for method in model.methods() {
                    for args in larger.arguments(method.name) {
                        for outcome in model.step(state, method.name, &args) {
                            if seen.insert(outcome.state.clone()) {
                                next.push(outcome.state);
                            }
                        }
                    }
                }
            }
            larger.states.extend(next.iter().cloned());
            newest = next;
        }
        larger
    }
}

impl Model for Larger<'_> {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn methods(&self) -> &[Signature] {
        self.model.methods()
    }

    fn initial(&self) -> Value {
        self.model.initial()
    }

    fn states(&self) -> Vec<Value> {
        self.states.clone()
    }

    /// Every combination of the values each position has, and one more.
    fn arguments(&self, method: &str) -> Vec<Vec<Value>> {
        let lists = self.model.arguments(method);
        let positions = lists.first().map_or(0, Vec::len);
        let mut all = vec![vec![]];
        for position in 0..positions {
            let mut domain: Vec<Value> = lists.iter().map(|list| list[position].clone()).collect();
            domain.sort();
            domain.dedup();
            match domain.last() {
                Some(Value::Int(most)) => domain.push(Value::Int(most + 1)),
                Some(Value::Str(last)) if last == "b" => domain.push(Value::str("c")),
                _ => {}
            }
            let longer = |list: &Vec<Value>| {
                let list = list.clone();
                domain
                    .iter()
                    .map(move |v| [&list[..], std::slice::from_ref(v)].concat())
            };
            all = all.iter().flat_map(longer).collect::<Vec<_>>();
        }
        all
    }

    fn step(&self, state: &Value, method: &str, args: &[Value]) -> Vec<Outcome> {
        self.model.step(state, method, args)
    }

    fn interpretation(&self) -> &dyn Interpretation {
        self.model.interpretation()
    }
}

fn assert_sound(spec: &Specification, model: &dyn Model, states: usize) {
    let found = verify(spec, model);
    assert_eq!(found.mismatches, []);
    if let Some(pair) = found.unsound_pairs().next() {
        panic!("{}: {}", spec.name, pair.counterexample.as_ref().unwrap());
    }
    if let Some(change) = found.hidden_changes().next() {
        panic!("{}: {change}", spec.name);
    }
    assert_eq!(found.size.states, states, "{}", spec.name);
}

#[test]
fn with_more_values_and_states() {
    // The third column pins how many states that makes.
    let cases = [
        ("channel", 3, 53),
        ("condvar", 8, 81),
        ("counter", 2, 11),
        ("dictionary", 3, 64),
        ("hashset", 3, 8),
        ("hashtable", 3, 64),
        ("memory", 6, 125),
        ("priority_queue", 3, 35),
        ("queue", 3, 40),
        ("register", 2, 4),
        ("semaphore", 4, 6),
        ("set", 3, 8),
        ("stack", 3, 40),
        ("vec", 3, 40),
    ];
    for (name, steps, states) in cases {
        let spec = shipped::named(name).unwrap();
        let model = named(spec.model.as_deref().unwrap()).unwrap();
        assert_sound(spec, &Larger::new(model, steps), states);
    }
}

#[test]
fn maps_of_three_keys_and_three_values() {
    let model = Larger::new(named("map").unwrap(), 3);
    assert_sound(shipped::named("map").unwrap(), &model, 64);
}

#[test]
fn other_ranges_of_atomic_integers() {
    let spec = shipped::named("atomic").unwrap();
    for (min, max, states) in [
        (0, 0, 1),
        (-2, 1, 4),
        (-3, 2, 6),
        (3, 5, 3),
        (i64::MIN, i64::MAX, 6),
    ] {
        assert_sound(spec, &Atomic::new(min.into(), max.into()), states);
    }
}

#[test]
fn other_capacities() {
    let spec = shipped::named("bounded_queue").unwrap();
    for (capacity, states) in [(0, 1), (1, 4), (2, 13), (3, 40), (9, 40)] {
        let queue = BoundedQueue::new(capacity);
        assert_sound(spec, &Larger::new(&queue, 3), states);
    }
}

#[test]
fn union_find_of_five() {
    let five = UnionFind::new(5);
    let larger = Larger::new(&five, 4);
    assert_sound(shipped::named("union_find").unwrap(), &larger, 52);
    assert_sound(shipped::named("union_find_coarse").unwrap(), &larger, 52);
}
