//! The verification against the definitions, written out: no tables, no
//! shortcuts, other loops. Thousands of random conditions, right and wrong.

use std::collections::BTreeSet;

use commute_model::{Span, Value};
use commute_spec::models::{self, Model, Outcome, Signature};
use commute_spec::verify::{ConcreteAction, MutatesVerdict, PairVerdict};
use commute_spec::{
    Comparison, Condition, Formula, Function, Invocation, Method, Mutates, Side, Specification,
    Term, evaluate, verify,
};

/// A small generator with a fixed seed (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % n
    }

    fn one_of<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    fn term(&mut self, slots: [usize; 2], state: bool) -> Term {
        let sides = [Side::First, Side::Second];
        let known: Vec<Term> = sides
            .into_iter()
            .zip(slots)
            .flat_map(|(side, n)| (0..n).map(move |slot| Term::Slot(side, slot)))
            .collect();
        let constants = [
            Value::Nil,
            Value::Bool(true),
            Value::Bool(false),
            Value::Int(0),
            Value::Int(1),
            Value::Int(2),
            Value::str("a"),
            Value::str("empty"),
            Value::unit(),
        ];
        match self.below(if state { 8 } else { 7 }) {
            0..=4 if !known.is_empty() => self.one_of(&known),
            7 => self.one_of(&[Term::State, Term::Call(Function::Len, vec![Term::State])]),
            _ => Term::Value(self.one_of(&constants)),
        }
    }

    fn formula(&mut self, slots: [usize; 2], state: bool, depth: usize) -> Formula {
        let comparisons = [
            Comparison::Eq,
            Comparison::Eq,
            Comparison::Ne,
            Comparison::Ne,
            Comparison::Lt,
            Comparison::Ge,
        ];
        let leaves = 4;
        match self.below(if depth == 0 { leaves } else { leaves + 4 }) {
            0 => Formula::Holds(self.term(slots, state)),
            1..=3 => {
                let (a, b) = (self.term(slots, state), self.term(slots, state));
                Formula::Compare(self.one_of(&comparisons), a, b)
            }
            4 => self.formula(slots, state, depth - 1).negate(),
            5 => Formula::And(self.formulas(slots, state, depth)),
            6 => Formula::Or(self.formulas(slots, state, depth)),
            _ => {
                let f = self.formula(slots, state, depth - 1);
                let g = self.formula(slots, state, depth - 1);
                Formula::Iff(Box::new(f), Box::new(g))
            }
        }
    }

    fn formulas(&mut self, slots: [usize; 2], state: bool, depth: usize) -> Vec<Formula> {
        (0..=1 + self.below(2))
            .map(|_| self.formula(slots, state, depth - 1))
            .collect()
    }

    /// Two methods of the model, sometimes one, with random conditions.
    fn specification(&mut self, model: &dyn Model) -> Specification {
        let mut signatures = vec![self.one_of(model.methods())];
        let second = self.one_of(model.methods());
        if second != signatures[0] {
            signatures.push(second);
        }
        let slots = |s: &Signature| s.args + s.results;
        let methods = signatures.iter().map(|signature| Method {
            name: signature.name.into(),
            args: vec!["x".into(); signature.args],
            results: vec!["r".into(); signature.results],
            mutates: match self.below(4) {
                0 => Mutates::Never,
                1 => Mutates::Unknown,
                _ => Mutates::When(self.formula([slots(signature), 0], false, 1)),
            },
            span: Span::default(),
        });
        let methods = methods.collect();
        let mut spec = Specification::new("random", methods);
        for a in 0..signatures.len() {
            for b in a..signatures.len() {
                let state = self.below(3) == 0;
                let slots = [slots(&signatures[a]), slots(&signatures[b])];
                let condition = Condition {
                    formula: self.formula(slots, state, 2),
                    order: false,
                    listed: true,
                    span: Span::default(),
                };
                spec.set(a, b, condition);
            }
        }
        spec
    }
}

/// The actions of a method: whatever it does in some small state.
fn actions(model: &dyn Model, method: &str) -> Vec<ConcreteAction> {
    let mut actions = vec![];
    for args in model.arguments(method) {
        let results: BTreeSet<Vec<Value>> = model
            .states()
            .iter()
            .flat_map(|state| model.step(state, method, &args))
            .map(|outcome| outcome.results)
            .collect();
        actions.extend(results.into_iter().map(|results| ConcreteAction {
            method: method.into(),
            args: args.clone(),
            results,
        }));
    }
    actions
}

/// Where a sequence of actions can lead.
fn run(model: &dyn Model, state: &Value, sequence: &[&ConcreteAction]) -> BTreeSet<Value> {
    let mut now = BTreeSet::from([state.clone()]);
    for action in sequence {
        let outcomes = now
            .iter()
            .flat_map(|s| model.step(s, &action.method, &action.args));
        let fitting = outcomes.filter(|outcome| outcome.results == action.results);
        now = fitting.map(|outcome| outcome.state).collect();
    }
    now
}

/// What there is to find about one pair of methods.
#[derive(PartialEq, Debug)]
struct Expected {
    realisable: usize,
    unsound: usize,
    counterexample: Option<(Value, ConcreteAction, ConcreteAction)>,
    imprecise: usize,
    imprecision: Option<(Value, ConcreteAction, ConcreteAction)>,
    commuting_triples: usize,
    state_gap: usize,
}

fn expected(spec: &Specification, model: &dyn Model, first: usize, second: usize) -> Expected {
    let formula = &spec.pair(first, second).0.formula;
    let (states, of) = (model.states(), |m: usize| {
        actions(model, &spec.methods[m].name)
    });
    let says = |state: &Value, a: &ConcreteAction, b: &ConcreteAction| {
        let a = Invocation::new(first, &a.args, &a.results);
        let b = Invocation::new(second, &b.args, &b.results);
        evaluate(formula, a, b, Some(state), model.interpretation()) == Some(true)
    };
    // Every (state, a, b) with both orders, states outermost.
    let (left, right) = (of(first), of(second));
    let mut triples = vec![];
    for state in &states {
        for a in &left {
            for b in &right {
                let (ab, ba) = (run(model, state, &[a, b]), run(model, state, &[b, a]));
                triples.push((state, a, b, ab, ba, says(state, a, b)));
            }
        }
    }
    let named = |(state, a, b): (&Value, &ConcreteAction, &ConcreteAction)| {
        (state.clone(), a.clone(), b.clone())
    };
    let mut realisable = vec![];
    let mut unsound = vec![];
    let mut denied = vec![];
    let mut differ = vec![];
    let (mut commuting_triples, mut state_gap) = (0, 0);
    for (state, a, b, ab, ba, says) in &triples {
        let possible = !ab.is_empty() || !ba.is_empty();
        let (pair, triple) = ((*a, *b), (*state, *a, *b));
        if possible && !realisable.iter().any(|(p, _)| *p == pair) {
            realisable.push((pair, triple));
        }
        if ab != ba {
            differ.push(pair);
        }
        if *says && ab != ba {
            unsound.push((pair, triple));
        }
        if possible && !says {
            denied.push(pair);
        }
        if possible && ab == ba {
            commuting_triples += 1;
            state_gap += usize::from(!says);
        }
    }
    let imprecise: Vec<_> = realisable
        .iter()
        .filter(|(pair, _)| denied.contains(pair) && !differ.contains(pair))
        .collect();
    let mut unsound_pairs: Vec<_> = vec![];
    for (pair, _) in &unsound {
        if !unsound_pairs.contains(pair) {
            unsound_pairs.push(*pair);
        }
    }
    Expected {
        realisable: realisable.len(),
        unsound: unsound_pairs.len(),
        counterexample: unsound.first().map(|(_, triple)| named(*triple)),
        imprecise: imprecise.len(),
        imprecision: imprecise.first().map(|(_, triple)| named(*triple)),
        commuting_triples,
        state_gap,
    }
}

fn found(pair: &PairVerdict) -> Expected {
    let counterexample = pair.counterexample.as_ref();
    let imprecision = pair.imprecision.as_ref();
    Expected {
        realisable: pair.realisable,
        unsound: pair.unsound,
        counterexample: counterexample
            .map(|c| (c.state.clone(), c.first.clone(), c.second.clone())),
        imprecise: pair.imprecise,
        imprecision: imprecision.map(|i| (i.state.clone(), i.first.clone(), i.second.clone())),
        commuting_triples: pair.commuting_triples,
        state_gap: pair.state_gap,
    }
}

/// Hidden changes (number, least state, its action) and idle actions.
type Changes = (usize, Option<(Value, ConcreteAction)>, usize);

fn expected_changes(spec: &Specification, model: &dyn Model, index: usize) -> Changes {
    let (mut hidden, mut least, mut idle) = (0, None, 0);
    let states = model.states();
    for action in actions(model, &spec.methods[index].name) {
        let invocation = Invocation::new(index, &action.args, &action.results);
        let says = spec.mutates(invocation);
        let changed = |s: &&Value| run(model, s, &[&action]).iter().any(|end| end != *s);
        let change = states.iter().position(|s| changed(&s));
        hidden += usize::from(change.is_some() && !says);
        let explicit = spec.methods[index].mutates != Mutates::Unknown;
        idle += usize::from(change.is_none() && says && explicit);
        if let (Some(at), false) = (change, says)
            && least.as_ref().is_none_or(|(before, _)| at < *before)
        {
            least = Some((at, action.clone()));
        }
    }
    let least = least.map(|(at, action)| (states[at].clone(), action));
    (hidden, least, idle)
}

fn found_changes(verdict: &MutatesVerdict) -> Changes {
    let change = verdict.counterexample.as_ref();
    let least = change.map(|c| (c.state.clone(), c.action.clone()));
    (verdict.hidden, least, verdict.idle)
}

/// A model that chooses: `roll` ends in any of several states with the same
/// result, `nudge` sometimes does nothing, `settle` waits for a large number.
struct Dice;

impl Model for Dice {
    fn name(&self) -> &str {
        "dice"
    }

    fn methods(&self) -> &[Signature] {
        const METHODS: &[Signature] = &[
            Signature::new("roll", 0, 0),
            Signature::new("nudge", 1, 1),
            Signature::new("settle", 0, 0),
            Signature::new("look", 0, 1),
        ];
        METHODS
    }

    fn initial(&self) -> Value {
        Value::Int(0)
    }

    fn states(&self) -> Vec<Value> {
        (0..3).map(Value::from).collect()
    }

    fn arguments(&self, method: &str) -> Vec<Vec<Value>> {
        match method {
            "nudge" => vec![vec![1.into()], vec![2.into()]],
            _ => vec![vec![]],
        }
    }

    fn step(&self, state: &Value, method: &str, args: &[Value]) -> Vec<Outcome> {
        let n = state.as_int().unwrap();
        let to = |n: i128, results: &[Value]| Outcome::new(Value::Int(n), results);
        match (method, args) {
            ("roll", []) => vec![to(n, &[]), to(0, &[]), to(n + 1, &[])],
            ("nudge", [Value::Int(by)]) => vec![
                to(n + by, &[true.into()]),
                to((n + by) % 3, &[true.into()]),
                to(n, &[false.into()]),
            ],
            ("settle", []) if n > 0 => vec![to(n - 1, &[])],
            ("look", []) => vec![to(n, std::slice::from_ref(state))],
            _ => vec![],
        }
    }
}

#[test]
fn verify_is_the_definition_on_random_specifications() {
    let names = [
        "context",
        "register",
        "semaphore",
        "set",
        "hashset",
        "queue",
        "stack",
        "channel",
        "condvar",
        "counter",
        "file",
    ];
    let mut models: Vec<&dyn Model> = names.iter().map(|n| models::named(n).unwrap()).collect();
    models.push(&Dice);
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut pairs, mut sound, mut unsound, mut imprecise, mut hidden) = (0, 0, 0, 0, 0);
    for round in 0..1_300 {
        let model = models[round % models.len()];
        let spec = random.specification(model);
        let result = verify(&spec, model);
        assert_eq!(result.mismatches, []);
        let mut all_well = true;
        for pair in &result.pairs {
            let expected = expected(&spec, model, pair.first, pair.second);
            assert_eq!(found(pair), expected, "round {round}: {spec:?}");
            pairs += 1;
            unsound += usize::from(expected.unsound > 0);
            sound += usize::from(expected.unsound == 0);
            imprecise += usize::from(expected.imprecise > 0);
            all_well &= expected.unsound == 0;
        }
        for verdict in &result.mutates {
            let expected = expected_changes(&spec, model, verdict.method);
            assert_eq!(found_changes(verdict), expected, "round {round}: {spec:?}");
            hidden += usize::from(expected.0 > 0);
            all_well &= expected.0 == 0;
        }
        assert_eq!(result.is_sound(), all_well);
        let n = spec.methods.len();
        assert_eq!(result.pairs.len(), n * (n + 1) / 2);
    }
    // The samples are not all of one kind.
    for count in [sound, unsound, imprecise, hidden] {
        assert!(
            count > 300,
            "{pairs} {sound} {unsound} {imprecise} {hidden}"
        );
    }
    assert!(pairs > 3_000, "{pairs}");
}
