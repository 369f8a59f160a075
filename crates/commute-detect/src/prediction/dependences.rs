//! Which earlier actions of a window an action does not commute with.
//!
//! They are found by the points that both touch, so that the cost is that of what is
//! found, not of all that came before. And not all of them are wanted: if an action
//! needs `c`, and `c` does not commute with an earlier `b` of the same point, then
//! `b` comes before `c` and `c` before the action, with `b` as necessary as it is for
//! `c`. So `b` is hidden behind `c`, and a long row of calls that all depend on each
//! other is a chain and not its square.

use commute_model::{SharedAction, Value};
use commute_spec::{CompiledSpecification, Invocation, Specification};
use smallvec::SmallVec;

use super::facts::No;
use super::legal::Legal;
use super::window::Context;
use crate::keyed::Keyed;

/// The actions of one object.
#[derive(Debug, Default)]
pub(super) struct Dependences {
    points: Keyed<Point>,
    /// Actions of methods that are compared one by one.
    listed: Vec<(SharedAction, Done)>,
}

/// An action of the window.
#[derive(Clone, Copy, Debug)]
struct Done {
    no: No,
    method: usize,
    mutates: bool,
}

/// The actions that touched a point, by class.
#[derive(Debug, Default)]
struct Point {
    seen: Touches,
    /// Those behind others, by the method of these.
    hidden: SmallVec<[(usize, Touches); 1]>,
}

type Touches = Vec<(u16, Done)>;

/// An earlier action with which one does not commute.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Dependence {
    pub(super) no: No,
    /// Whether the later one is in a witness only if the earlier one is.
    pub(super) needs: bool,
}

impl Dependences {
    /// The next action: what it depends on.
    pub(super) fn act(
        &mut self,
        no: No,
        (action, invocation): (&SharedAction, Invocation<'_>),
        compiled: &CompiledSpecification,
        context: &Context<'_>,
    ) -> Vec<Dependence> {
        let specification = &compiled.specification;
        let (points, classes) = (compiled.points(), compiled.points().classes());
        let new = Done {
            no,
            method: invocation.method,
            mutates: specification.mutates(invocation),
        };
        let mut found = Vec::new();
        let mut add =
            |earlier: &Done| found.extend(dependence(specification, earlier, new, context));
        points.touch_each(invocation, |class, key| {
            let against = &classes[usize::from(class)].conflicts;
            match key {
                Some(key) => self.at(key).each(against, new, specification, &mut add),
                None => {
                    for other in against {
                        if let Some(point) = self.points.known_class(*other) {
                            point.each(against, new, specification, &mut add);
                        }
                    }
                }
            }
        });
        let linear = points.linear();
        for (other, earlier) in &self.listed {
            let (a, b) = (earlier.method, invocation.method);
            if linear.contains(&(a.min(b), a.max(b)))
                && let Ok(other) = Invocation::bind(a, &specification.methods[a], other)
                && !specification.commutes(other, invocation)
            {
                add(earlier);
            }
        }
        // Through several points it is still one.
        found.sort_unstable();
        found.dedup();
        self.record(action, invocation, new, compiled, context.legal);
        found
    }

    fn at(&mut self, key: &Value) -> &mut Point {
        let place = match self.points.find(key) {
            Ok(place) => place,
            Err(missing) => self.points.insert(key, missing),
        };
        self.points.at(place)
    }

    fn record(
        &mut self,
        action: &SharedAction,
        invocation: Invocation<'_>,
        new: Done,
        compiled: &CompiledSpecification,
        legal: Legal,
    ) {
        let specification = &compiled.specification;
        let (points, classes) = (compiled.points(), compiled.points().classes());
        // What comes later needs it, if it does not commute with it.
        let is_needed = new.mutates || legal == Legal::Order;
        points.touch_each(invocation, |class, key| {
            let covers = &classes[usize::from(class)].covers;
            match key {
                Some(key) => {
                    let point = self.at(key);
                    if is_needed {
                        point.hide(covers, new, specification);
                    }
                    point.seen.push((class, new));
                }
                None => {
                    for other in covers.iter().filter(|_| is_needed) {
                        { self.points.class(*other) }.hide(covers, new, specification);
                    }
                    self.points.class(class).seen.push((class, new));
                }
            }
        });
        let mut linear = points.linear().iter();
        if linear.any(|&(a, b)| a == new.method || b == new.method) {
            self.listed.push((action.clone(), new));
        }
    }
}

impl Point {
    /// Calls `add` with the actions of these classes that `new` must be told of.
    fn each(
        &self,
        against: &[u16],
        new: Done,
        specification: &Specification,
        add: &mut impl FnMut(&Done),
    ) {
        // Who need not have what is in front must be told of what is behind.
        let is_order = |method: usize| specification.pair(method, new.method).0.order;
        let hidden = { self.hidden.iter() }.filter(|(method, _)| is_order(*method));
        let all = self.seen.iter().chain(hidden.flat_map(|(_, done)| done));
        let found = all.filter(|(class, _)| against.contains(class));
        found.for_each(|(_, earlier)| add(earlier));
    }

    /// Whoever conflicts with an action of one of these classes conflicts with `new`.
    fn hide(&mut self, classes: &[u16], new: Done, specification: &Specification) {
        let Point { seen, hidden } = self;
        let is_behind = |(class, earlier): &(u16, Done)| {
            let is_order = specification.pair(earlier.method, new.method).0.order;
            classes.contains(class) && !is_order
        };
        if !seen.iter().any(is_behind) {
            return;
        }
        let place = { hidden.iter() }.position(|(method, _)| *method == new.method);
        let place = place.unwrap_or_else(|| {
            hidden.push((new.method, Vec::new()));
            hidden.len() - 1
        });
        let behind = &mut hidden[place].1;
        seen.retain(|done| {
            let is_behind = is_behind(done);
            behind.extend(is_behind.then_some(*done));
            !is_behind
        });
    }
}

/// How an action depends on an earlier one with which it does not commute.
fn dependence(
    specification: &Specification,
    earlier: &Done,
    later: Done,
    context: &Context<'_>,
) -> Option<Dependence> {
    let order = specification.pair(earlier.method, later.method).0.order;
    if order && context.lax {
        return None;
    }
    let exempt = order && later.mutates;
    Some(Dependence {
        no: earlier.no,
        needs: !exempt && (context.legal == Legal::Order || earlier.mutates),
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use std::sync::Arc;

    use commute_model::{Action, MethodId, ObjectId, Op};
    use commute_spec::{Library, parse};
    use commute_testkit::traces::{Family, Trace};

    use super::*;
    use crate::objects::Objects;
    use crate::pass::Pass;
    use crate::prediction::legal::bind;
    use crate::prediction::namesakes::Namesakes;
    use crate::prediction::{Options, Prediction};

    /// Whether two actions conflict, and whether the later one needs the earlier, from
    /// the formula.
    fn relate(first: &Action, second: &Action, context: &Context<'_>) -> Option<bool> {
        let (specification, first) = bind(first, context.objects, context.names)?;
        let (_, second) = bind(second, context.objects, context.names)?;
        let order = specification.pair(first.method, second.method).0.order;
        if specification.commutes(first, second) || (order && context.lax) {
            return None;
        }
        let exempt = order && specification.mutates(second);
        Some(!exempt && (context.legal == Legal::Order || specification.mutates(first)))
    }

    /// What is found of the actions of a trace, on one object.
    fn found(actions: &[&SharedAction], context: &Context<'_>) -> Vec<Vec<Dependence>> {
        let mut dependences = Dependences::default();
        let each = actions.iter().enumerate().map(|(no, action)| {
            let object = context.objects.get(action.object).expect("declared");
            let (_, invocation) = bind(action, context.objects, context.names).expect("fits");
            dependences.act(no as No, (action, invocation), &object.compiled, context)
        });
        each.collect()
    }

    /// Everything that is found is so, and everything that is so follows from it; how
    /// much is so, and how much was found.
    fn compare(name: &str, trace: &Trace, context: &Context<'_>) -> (usize, usize) {
        let actions = trace.events.iter().filter_map(|event| match &event.op {
            Op::Action(action) => Some(action),
            _ => None,
        });
        let actions: Vec<&SharedAction> = actions.collect();
        let found = found(&actions, context);
        // For every action those that are needed for it.
        let mut needed: Vec<BTreeSet<No>> = Vec::new();
        let (mut so, mut kept) = (0, 0);
        for (a, own) in found.iter().enumerate() {
            let mut needs = BTreeSet::new();
            for earlier in own {
                let b = earlier.no as usize;
                let truth = relate(actions[b], actions[a], context);
                assert_eq!(truth, Some(earlier.needs), "{name}: {b} and {a}");
                if earlier.needs {
                    needs.insert(earlier.no);
                    needs.extend(&needed[b]);
                }
            }
            for b in 0..a as No {
                let Some(truth) = relate(actions[b as usize], actions[a], context) else {
                    continue;
                };
                so += 1;
                let has = |c: usize| found[c].iter().any(|earlier| earlier.no == b);
                let follows = has(a) || needs.iter().any(|&c| has(c as usize));
                assert!(follows, "{name}: {b} before {a}");
                assert!(!truth || needs.contains(&b), "{name}: {b} for {a}");
            }
            kept += own.len();
            needed.push(needs);
        }
        (so, kept)
    }

    #[test]
    fn what_is_hidden_follows_from_what_is_seen() {
        let library = Arc::new(Library::shipped());
        let (mut so, mut kept) = (0, 0);
        for kind in library.names() {
            if library
                .specification(kind)
                .is_none_or(|s| s.model.is_none())
            {
                continue;
            }
            // The name lives as long as the test.
            let kind: &'static str = Box::leak(kind.to_owned().into_boxed_str());
            let family = Family {
                events: 60,
                locking: 0,
                ..Family::objects(&[kind])
            };
            for seed in 0..40 {
                let trace = family.trace(seed, &library);
                let mut pass = Prediction::new(library.clone(), Options::default());
                let taken = pass.steps(&trace.events, &trace.names);
                taken.expect("well-formed");
                for (legal, lax) in [
                    (Legal::Order, false),
                    (Legal::Observe, false),
                    (Legal::Observe, true),
                ] {
                    let context = context(&trace, &pass.objects, &pass.namesakes, legal, lax);
                    let name = format!("{kind}, seed {seed}, {legal:?}, {lax}");
                    let numbers = compare(&name, &trace, &context);
                    so += numbers.0;
                    kept += numbers.1;
                }
            }
        }
        assert!(
            kept > 10_000 && 2 * so > 3 * kept,
            "{so} are so, {kept} found"
        );
    }

    /// What does not change the object need not be there, so it hides nothing.
    #[test]
    fn what_is_not_needed_hides_nothing() {
        let text = "type log { note(v) clear() mutates true \
                    note ~ note : false note ~ clear, clear ~ clear : true }";
        let specification = parse(text).specifications.remove(0);
        let compiled = CompiledSpecification::new(specification);
        let (trace, objects) = (
            Trace::parse("T|dummy|\n"),
            Objects::new(Arc::new(Library::shipped())),
        );
        let namesakes = Namesakes::default();
        let notes = |legal| {
            let mut dependences = Dependences::default();
            let context = context(&trace, &objects, &namesakes, legal, false);
            let action = SharedAction::new(Action {
                object: ObjectId(0),
                method: MethodId(0),
                args: [1.into()].into_iter().collect(),
                result: None,
            });
            let method = &compiled.specification.methods[0];
            let mut note = |no| {
                let invocation = Invocation::bind(0, method, &action).expect("fits");
                dependences.act(no, (&action, invocation), &compiled, &context)
            };
            [note(0).len(), note(1).len(), note(2).len(), note(3).len()]
        };
        assert_eq!(notes(Legal::Observe), [0, 1, 2, 3]);
        assert_eq!(notes(Legal::Order), [0, 1, 1, 1]);
    }

    fn context<'a>(
        trace: &'a Trace,
        objects: &'a Objects,
        namesakes: &'a Namesakes,
        legal: Legal,
        lax: bool,
    ) -> Context<'a> {
        Context {
            names: &trace.names,
            objects,
            namesakes,
            legal,
            lax,
        }
    }
}
