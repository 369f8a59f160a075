//! What is certain of invocations in which something is opaque.
//!
//! In a conflict an opaque value is equal to nothing, so that nothing is called a
//! race that is none. That is no answer to the question what an action *needs*: the
//! key of a `get` that nobody could see may be the one of an earlier `insert`. Here
//! an opaque value may be equal to anything.

use crate::evaluate::evaluate_whatever;
use crate::invocation::Invocation;
use crate::specification::{Mutates, Specification};

impl Specification {
    /// Whether two invocations commute, whatever was where they are opaque: the same
    /// as [`commutes`](Self::commutes) where they are not.
    ///
    /// A comparison with something opaque is unknown, and unknown travels as in
    /// Kleene's logic: so `false` does not say that there are values for which they
    /// do not commute, if a condition compares the same value twice.
    pub fn surely_commutes(&self, a: Invocation<'_>, b: Invocation<'_>) -> bool {
        if !a.has_opaque() && !b.has_opaque() {
            return self.commutes(a, b);
        }
        let (condition, swapped) = self.pair(a.method, b.method);
        let (first, second) = if swapped { (b, a) } else { (a, b) };
        let holds = |x, y| evaluate_whatever(&condition.formula, x, y) == Some(true);
        holds(first, second) && (a.method != b.method || holds(second, first))
    }

    /// Whether the invocation changes its object for some values in place of those
    /// that are opaque.
    pub fn may_mutate(&self, a: Invocation<'_>) -> bool {
        match &self.methods[a.method].mutates {
            Mutates::When(formula) if a.has_opaque() => {
                evaluate_whatever(formula, a, a) != Some(false)
            }
            _ => self.mutates(a),
        }
    }

    /// Whether it changes its object for all of them.
    pub fn surely_mutates(&self, a: Invocation<'_>) -> bool {
        match &self.methods[a.method].mutates {
            Mutates::When(formula) if a.has_opaque() => {
                evaluate_whatever(formula, a, a) == Some(true)
            }
            _ => self.mutates(a),
        }
    }
}

#[cfg(test)]
mod tests {
    use commute_model::Value;

    use super::*;
    use crate::library::Library;
    use crate::models;
    use crate::points::{AccessPoints, MayKey};

    /// Every invocation of every method with these values, which are few.
    fn invocations(specification: &Specification) -> Vec<(usize, Vec<Value>, Vec<Value>)> {
        let model = { specification.model.as_deref() }.and_then(models::named);
        let Some(model) = model else {
            return Vec::new();
        };
        let mut found = Vec::new();
        let mut states = vec![model.initial()];
        for next in 0..12 {
            let Some(state) = states.get(next).cloned() else {
                break;
            };
            for (number, method) in specification.methods.iter().enumerate() {
                for args in model.arguments(&method.name) {
                    for outcome in model.step(&state, &method.name, &args) {
                        let invocation = (number, args.clone(), outcome.results);
                        if !found.contains(&invocation) {
                            found.push(invocation);
                        }
                        if !states.contains(&outcome.state) {
                            states.push(outcome.state);
                        }
                    }
                }
            }
        }
        found
    }

    /// The invocation with the slots of these bits opaque.
    fn hide(
        (method, args, results): &(usize, Vec<Value>, Vec<Value>),
        bits: usize,
    ) -> (usize, Vec<Value>, Vec<Value>) {
        let hide = |(i, value): (usize, &Value)| match bits >> i & 1 {
            1 => Value::Opaque,
            _ => value.clone(),
        };
        let slots: Vec<Value> = args.iter().chain(results).enumerate().map(hide).collect();
        let (args, results) = slots.split_at(args.len());
        (*method, args.to_vec(), results.to_vec())
    }

    fn bind(invocation: &(usize, Vec<Value>, Vec<Value>)) -> Invocation<'_> {
        Invocation::new(invocation.0, &invocation.1, &invocation.2)
    }

    fn points_may_conflict(points: &AccessPoints, a: Invocation<'_>, b: Invocation<'_>) -> bool {
        let mut found = false;
        points.may_touch(a, |class, key| {
            points.may_touch(b, |other, theirs| {
                let same = match (key, theirs) {
                    (MayKey::Is(a), MayKey::Is(b)) => a.same(b),
                    _ => true,
                };
                found |= same && points.conflict(class, other);
            });
        });
        found
    }

    /// What is certain of invocations with opaque slots holds for those that they
    /// were made from, and the points miss nothing.
    #[test]
    fn what_is_certain_holds_whatever_was_there() {
        let library = Library::shipped();
        let (mut certain, mut open, mut more) = (0, 0, 0);
        for name in library.names() {
            let compiled = library.get(name).expect("a known type");
            let (specification, points) = (&compiled.specification, compiled.points());
            let all = invocations(specification);
            let step = 1 + all.len() / 24;
            for a in all.iter().step_by(step) {
                for b in all.iter().step_by(step) {
                    for bits in 0..1 << (a.1.len() + a.2.len()).min(3) {
                        let hidden = hide(a, bits);
                        for other in [b.clone(), hide(b, bits), hide(b, 1)] {
                            let (x, y) = (bind(&hidden), bind(&other));
                            let sure = specification.surely_commutes(x, y);
                            let truth = specification.commutes(bind(a), bind(b));
                            assert!(!sure || truth, "{name}: {x:?} {y:?}");
                            let pair = (x.method.min(y.method), x.method.max(y.method));
                            if !points.linear().contains(&pair) {
                                let conflict = points_may_conflict(points, x, y);
                                assert!(truth || conflict, "{name}: {x:?} {y:?}");
                                more += usize::from(conflict && sure);
                            }
                            certain += usize::from(sure);
                            open += usize::from(!sure);
                        }
                        let (x, truth) = (bind(&hidden), specification.mutates(bind(a)));
                        assert!(!truth || specification.may_mutate(x), "{name}: {x:?}");
                        assert!(truth || !specification.surely_mutates(x), "{name}: {x:?}");
                    }
                }
            }
        }
        assert!(certain > 10_000 && open > 10_000, "{certain} {open}");
        // Points may find a conflict where the formula is certain that there is none:
        // of β that cannot be, any points are kept.
        assert!(more * 100 < certain, "{more} of {certain}");
    }

    #[test]
    fn an_opaque_key_may_be_any() {
        let library = Library::shipped();
        let map = library.specification("map").expect("shipped");
        let method = |name: &str| map.method(name).expect("a method");
        let (get, insert) = (method("get"), method("insert"));
        let (one, nil, opaque) = ([Value::Int(1)], [Value::Nil], [Value::Opaque]);
        let put = [Value::Opaque, Value::Int(1)];
        let insert = Invocation::new(insert, &put, &nil);
        for key in [&one, &opaque] {
            let get = Invocation::new(get, key, &one);
            assert!(map.commutes(get, insert) && !map.surely_commutes(get, insert));
            assert!(map.surely_commutes(get, get));
        }
    }
}
