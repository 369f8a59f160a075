//! Random specifications and values for tests, from a seed.

use commute_model::{Span, Value};

use crate::formula::{Arithmetic, Comparison, Formula, Function, Side, Term};
use crate::orders::{ActionPattern, InitialCount, Matching, OrderRule, Orders};
use crate::specification::{Condition, Method, Mutates, Specification};

/// A small generator of random numbers (SplitMix64).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// True once in `n` times.
    pub(crate) fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }
}

/// The values of arguments and results: few, so that they are often equal.
pub(crate) fn domain() -> Vec<Value> {
    let ints = |values: &[i32]| Value::tuple(values.iter().map(|n| Value::from(*n)));
    vec![
        Value::Nil,
        Value::Bool(true),
        Value::Bool(false),
        Value::from(0),
        Value::from(1),
        Value::str("a"),
        ints(&[]),
        ints(&[0, 1, 0]),
        ints(&[1]),
        Value::Opaque,
        Value::tuple([Value::Opaque, Value::from(1)]),
    ]
}

/// Which formulas to make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Equivalent to a formula of ECL.
    Ecl,
    /// The same, with `!has(x, y)` beside `x != y`.
    Elements,
    /// Anything.
    Any,
}

/// Makes formulas about two invocations with these numbers of slots.
pub(crate) struct Formulas<'r> {
    pub(crate) random: &'r mut Random,
    pub(crate) kind: Kind,
    pub(crate) slots: [usize; 2],
}

impl Formulas<'_> {
    pub(crate) fn formula(&mut self, depth: usize) -> Formula {
        match self.kind {
            Kind::Any => self.any(depth),
            _ => self.ecl(depth),
        }
    }

    /// `X ::= S | B | X ∧ X | X ∨ B`, and others that mean the same.
    fn ecl(&mut self, depth: usize) -> Formula {
        if depth == 0 {
            return match self.random.below(3) {
                0 => self.one_sided(0),
                _ => self.differ(),
            };
        }
        match self.random.below(9) {
            0 => self.differ(),
            1 => self.one_sided(depth),
            2 => Formula::And(vec![self.ecl(depth - 1), self.ecl(depth - 1)]),
            3 => Formula::Or(vec![self.ecl(depth - 1), self.one_sided(depth - 1)]),
            4 => Formula::Or(vec![
                self.one_sided(0),
                self.ecl(depth - 1),
                self.one_sided(0),
            ]),
            // By cases: outside the grammar, inside its meaning.
            5 => {
                let case = self.one_sided(depth - 1);
                let (yes, no) = (self.ecl(depth - 1), self.ecl(depth - 1));
                let no = Formula::And(vec![case.clone().negate(), no]);
                Formula::Or(vec![Formula::And(vec![case, yes]), no])
            }
            6 => Formula::Not(Box::new(Formula::Not(Box::new(self.ecl(depth - 1))))),
            7 => {
                let formula = self.ecl(depth - 1);
                if as_value(&formula) {
                    return formula;
                }
                Formula::Not(Box::new(Formula::Iff(
                    Box::new(Formula::Const(false)),
                    Box::new(formula),
                )))
            }
            // De Morgan: !(!f || g) with a one-sided g.
            _ => {
                let (f, g) = (self.ecl(depth - 1), self.one_sided(depth - 1));
                Formula::Or(vec![f.negate(), g]).negate()
            }
        }
    }

    /// A condition that the two sides differ in something.
    fn differ(&mut self) -> Formula {
        let [Some(x), Some(y)] = [Side::First, Side::Second].map(|side| self.slot(side)) else {
            return Formula::Const(self.random.once_in(2));
        };
        if self.kind == Kind::Elements && self.random.once_in(2) {
            let terms = if self.random.once_in(2) {
                [x, y]
            } else {
                [y, x]
            };
            return Formula::Holds(Term::Call(Function::Has, terms.into())).negate();
        }
        let (x, y) = if self.random.once_in(2) {
            (x, y)
        } else {
            (y, x)
        };
        match self.random.once_in(3) {
            true => Formula::Compare(Comparison::Eq, x, y).negate(),
            false => Formula::Compare(Comparison::Ne, x, y),
        }
    }

    /// `B`: any formula whose atoms are about one side each.
    fn one_sided(&mut self, depth: usize) -> Formula {
        if depth == 0 {
            let side = *self.random.pick(&[Side::First, Side::Second]);
            return self.atom(&[side]);
        }
        let mut part = || self.one_sided(depth - 1);
        let (f, g) = (part(), part());
        self.join(f, g)
    }

    fn any(&mut self, depth: usize) -> Formula {
        if depth == 0 {
            return self.atom(&[Side::First, Side::Second]);
        }
        let (f, g) = (self.any(depth - 1), self.any(depth - 1));
        self.join(f, g)
    }

    fn join(&mut self, f: Formula, g: Formula) -> Formula {
        match self.random.below(6) {
            0 => Formula::And(vec![f, g]),
            1 => Formula::Or(vec![f, g]),
            2 => Formula::Not(Box::new(f)),
            // The parser reads `==` between what could be values as a comparison.
            3 if !as_value(&f) || !as_value(&g) => Formula::Iff(Box::new(f), Box::new(g)),
            _ => f,
        }
    }

    fn atom(&mut self, sides: &[Side]) -> Formula {
        if self.random.once_in(12) {
            return Formula::Const(self.random.once_in(2));
        }
        let holds = [self.term(sides, 0), self.term(sides, 1)];
        for term in holds {
            let condition = matches!(
                term,
                Term::Slot(..) | Term::State | Term::Call(Function::Has | Function::App, _)
            );
            if condition && self.random.once_in(5) {
                return Formula::Holds(term);
            }
        }
        let op = *self.random.pick(&[
            Comparison::Eq,
            Comparison::Eq,
            Comparison::Eq,
            Comparison::Ne,
            Comparison::Ne,
            Comparison::Lt,
            Comparison::Ge,
        ]);
        let deep = *self.random.pick(&[0, 0, 0, 1, 1, 3]);
        Formula::Compare(op, self.term(sides, deep), self.term(sides, 0))
    }

    fn term(&mut self, sides: &[Side], depth: usize) -> Term {
        let side = *self.random.pick(sides);
        let boxed = |term| Box::new(term);
        match self.random.below(if depth == 0 { 10 } else { 14 }) {
            0..6 => self.slot(side).unwrap_or(Term::Value(Value::Nil)),
            6 => Term::Value(Value::from(self.random.below(4) as i32 - 1)),
            7 => {
                let constants = [
                    Value::Nil,
                    Value::Bool(true),
                    Value::Bool(false),
                    Value::unit(),
                    Value::str("it's a|b\\c\n\t"),
                ];
                Term::Value(self.random.pick(&constants).clone())
            }
            8 => self.random.pick(&[Term::Min, Term::Max]).clone(),
            9 if self.kind == Kind::Any && self.random.once_in(4) => Term::State,
            9 => self.slot(side).unwrap_or(Term::Value(Value::Nil)),
            10 => Term::Negate(boxed(self.term(sides, depth - 1))),
            11 => Term::Call(Function::Len, vec![self.term(sides, depth - 1)]),
            12 => {
                let terms = vec![self.term(sides, depth - 1), self.term(sides, depth - 1)];
                Term::Call(*self.random.pick(&[Function::App, Function::Has]), terms)
            }
            _ => {
                let op = *self.random.pick(&[
                    Arithmetic::Add,
                    Arithmetic::Sub,
                    Arithmetic::Mul,
                    Arithmetic::Div,
                    Arithmetic::Rem,
                ]);
                let (a, b) = (self.term(sides, depth - 1), self.term(sides, depth - 1));
                Term::Arithmetic(op, boxed(a), boxed(b))
            }
        }
    }

    fn slot(&mut self, side: Side) -> Option<Term> {
        let slots = self.slots[side as usize];
        (slots > 0).then(|| Term::Slot(side, self.random.below(slots)))
    }
}

fn as_value(formula: &Formula) -> bool {
    matches!(formula, Formula::Holds(_) | Formula::Const(_))
}

/// A specification with up to three methods.
pub(crate) fn specification(random: &mut Random, kind: Kind) -> Specification {
    let names = |all: &[&str], n| all[..n].iter().map(|name| name.to_string()).collect();
    let mutating = random.once_in(2);
    let method = |i: usize| {
        let (args, results) = (random.below(4), random.below(3));
        let mut mutates = Mutates::Unknown;
        if mutating {
            let slots = [args + results, 0];
            let kind = Kind::Any;
            let mut formulas = Formulas {
                random,
                kind,
                slots,
            };
            // The parser makes `Never` only where another method has a condition.
            mutates = match i > 0 && formulas.random.once_in(2) {
                true => Mutates::Never,
                false => Mutates::When(formulas.one_sided(1).first_side()),
            };
        }
        Method {
            name: ["put", "get", "model"][i].to_string(),
            args: names(&["k", "v", "x2"], args),
            results: names(&["p", "ok"], results),
            mutates,
            span: Span::default(),
        }
    };
    let methods: Vec<Method> = (0..3).map(method).collect();
    let methods = methods[..1 + random.below(3)].to_vec();
    let mut spec = Specification::new("random", methods);
    spec.model = random.once_in(3).then(|| "map".to_string());
    if random.once_in(3) {
        spec.parameter = random.once_in(2).then(|| "limit".to_string());
        spec.orders = orders(random, kind, &spec);
    }
    let pairs: Vec<(usize, usize)> = spec.pairs().map(|(a, b, _)| (a, b)).collect();
    for (a, b) in pairs {
        if random.once_in(8) {
            continue;
        }
        let slots = [a, b].map(|m| spec.methods[m].slots().count());
        let depth = random.below(4);
        let mut formula = Formulas {
            random,
            kind,
            slots,
        }
        .formula(depth);
        if a == b {
            formula = Formula::And(vec![formula.clone(), formula.swap()]);
        }
        let condition = Condition {
            formula,
            order: random.once_in(4),
            listed: true,
            span: Span::default(),
        };
        spec.set(a, b, condition);
    }
    spec
}

/// Random rules of order, or a word.
fn orders(random: &mut Random, kind: Kind, spec: &Specification) -> Vec<Orders> {
    match random.below(4) {
        0 => return vec![Orders::Atomic],
        1 => return vec![Orders::Barrier],
        _ => {}
    }
    let rules = (0..1 + random.below(3)).map(|_| {
        let shared = random.below(3);
        let mut side = || -> Vec<ActionPattern> {
            let patterns = (0..1 + random.below(2)).map(|_| pattern(random, kind, spec, shared));
            patterns.collect::<Option<Vec<_>>>().unwrap_or_default()
        };
        let (before, after) = (side(), side());
        let matching = match random.below(4) {
            0 if shared > 0 => Matching::Fifo,
            1 => Matching::Counting(InitialCount::Least),
            2 => Matching::Counting(InitialCount::Is(random.below(4) as u64)),
            3 if spec.parameter.is_some() => Matching::Counting(InitialCount::Parameter),
            _ => Matching::Pending,
        };
        let rule = OrderRule {
            before,
            after,
            matching,
            span: Span::default(),
        };
        let whole = !rule.before.is_empty() && !rule.after.is_empty();
        whole.then_some(Orders::Rule(rule))
    });
    rules.collect::<Vec<_>>().into_iter().flatten().collect()
}

/// A pattern with so many shared variables, if there is a method with as many slots.
fn pattern(
    random: &mut Random,
    kind: Kind,
    spec: &Specification,
    shared: usize,
) -> Option<ActionPattern> {
    let method = random.below(spec.methods.len());
    let slots = spec.methods[method].slots().count();
    let mut rest: Vec<usize> = (0..slots).collect();
    let key = (0..shared).map(|_| {
        let place = random.below(rest.len().max(1));
        (place < rest.len()).then(|| rest.remove(place))
    });
    let key = key.collect::<Option<Vec<usize>>>()?;
    let guard = random.once_in(2).then(|| {
        let mut formulas = Formulas {
            random,
            kind,
            slots: [slots, 0],
        };
        formulas.one_sided(1).first_side()
    });
    Some(ActionPattern { method, guard, key })
}

impl Formula {
    /// The formula with all slots on the first side.
    fn first_side(&self) -> Formula {
        self.map_slots(&mut |_, slot| Term::Slot(Side::First, slot))
    }
}
