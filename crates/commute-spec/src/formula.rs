//! Conditions, with every name resolved.

use commute_model::Value;

/// Which of the two invocations of a condition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// The one written left of `~`.
    First,
    /// The one written right of `~`.
    Second,
}

impl Side {
    /// The other one.
    pub fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

/// A condition over the arguments and results of two invocations.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Formula {
    /// `true` or `false`.
    Const(bool),
    /// `!f`
    Not(Box<Formula>),
    /// `f && g && …`
    And(Vec<Formula>),
    /// `f || g || …`
    Or(Vec<Formula>),
    /// `f == g` between formulas.
    Iff(Box<Formula>, Box<Formula>),
    /// A comparison of two terms.
    Compare(Comparison, Term, Term),
    /// A term that is a truth value: `ok1`, `has(x2, k1)`.
    Holds(Term),
}

/// How two terms are compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Comparison {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

/// Something that has a value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Term {
    /// An argument or result: slot `n` counts arguments, then results.
    Slot(Side, usize),
    /// A constant.
    Value(Value),
    /// `MIN`: the least value of the integer type at hand.
    Min,
    /// `MAX`: the greatest.
    Max,
    /// `state`: the abstract state in which the two are invoked.
    State,
    /// `-t`
    Negate(Box<Term>),
    /// `t + u` and the like.
    Arithmetic(Arithmetic, Box<Term>, Box<Term>),
    /// `f(t, …)`
    Call(Function, Vec<Term>),
}

/// An arithmetic operation on integers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Arithmetic {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`, rounded towards zero
    Div,
    /// `%`
    Rem,
}

/// A function of the language.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Function {
    /// `app(f, x)`: what the named function `f` makes of `x`.
    App,
    /// `has(xs, x)`: whether the tuple `xs` contains `x`.
    Has,
    /// `len(xs)`: how many elements the tuple `xs` has.
    Len,
}

impl Function {
    /// All functions.
    pub const ALL: &[Function] = &[Function::App, Function::Has, Function::Len];

    /// Its name in the language.
    pub fn name(self) -> &'static str {
        match self {
            Function::App => "app",
            Function::Has => "has",
            Function::Len => "len",
        }
    }

    /// How many arguments it takes.
    pub fn arity(self) -> usize {
        match self {
            Function::App | Function::Has => 2,
            Function::Len => 1,
        }
    }
}

impl Formula {
    /// The negation, without piling up `!`.
    pub fn negate(self) -> Formula {
        match self {
            Formula::Const(b) => Formula::Const(!b),
            Formula::Not(f) => *f,
            other => Formula::Not(Box::new(other)),
        }
    }

    /// The same condition with the two invocations exchanged.
    pub fn swap(&self) -> Formula {
        self.map_slots(&mut |side, slot| Term::Slot(side.other(), slot))
    }

    /// The same formula with every slot replaced.
    pub fn map_slots(&self, map: &mut impl FnMut(Side, usize) -> Term) -> Formula {
        match self {
            Formula::Const(b) => Formula::Const(*b),
            Formula::Not(f) => Formula::Not(Box::new(f.map_slots(map))),
            Formula::And(fs) => Formula::And(fs.iter().map(|f| f.map_slots(map)).collect()),
            Formula::Or(fs) => Formula::Or(fs.iter().map(|f| f.map_slots(map)).collect()),
            Formula::Iff(f, g) => {
                Formula::Iff(Box::new(f.map_slots(map)), Box::new(g.map_slots(map)))
            }
            Formula::Compare(op, a, b) => Formula::Compare(*op, a.map_slots(map), b.map_slots(map)),
            Formula::Holds(t) => Formula::Holds(t.map_slots(map)),
        }
    }

    /// Calls `visit` with every slot, in the order they are written.
    pub fn for_each_slot(&self, visit: &mut impl FnMut(Side, usize)) {
        match self {
            Formula::Const(_) => {}
            Formula::Not(f) => f.for_each_slot(visit),
            Formula::And(fs) | Formula::Or(fs) => fs.iter().for_each(|f| f.for_each_slot(visit)),
            Formula::Iff(f, g) => {
                f.for_each_slot(visit);
                g.for_each_slot(visit);
            }
            Formula::Compare(_, a, b) => {
                a.for_each_slot(visit);
                b.for_each_slot(visit);
            }
            Formula::Holds(t) => t.for_each_slot(visit),
        }
    }

    /// Whether `state` occurs.
    pub fn uses_state(&self) -> bool {
        match self {
            Formula::Const(_) => false,
            Formula::Not(f) => f.uses_state(),
            Formula::And(fs) | Formula::Or(fs) => fs.iter().any(Formula::uses_state),
            Formula::Iff(f, g) => f.uses_state() || g.uses_state(),
            Formula::Compare(_, a, b) => a.uses_state() || b.uses_state(),
            Formula::Holds(t) => t.uses_state(),
        }
    }
}

impl Term {
    fn map_slots(&self, map: &mut impl FnMut(Side, usize) -> Term) -> Term {
        match self {
            Term::Slot(side, slot) => map(*side, *slot),
            Term::Value(_) | Term::Min | Term::Max | Term::State => self.clone(),
            Term::Negate(t) => Term::Negate(Box::new(t.map_slots(map))),
            Term::Arithmetic(op, a, b) => {
                Term::Arithmetic(*op, Box::new(a.map_slots(map)), Box::new(b.map_slots(map)))
            }
            Term::Call(f, ts) => Term::Call(*f, ts.iter().map(|t| t.map_slots(map)).collect()),
        }
    }

    fn for_each_slot(&self, visit: &mut impl FnMut(Side, usize)) {
        match self {
            Term::Slot(side, slot) => visit(*side, *slot),
            Term::Value(_) | Term::Min | Term::Max | Term::State => {}
            Term::Negate(t) => t.for_each_slot(visit),
            Term::Arithmetic(_, a, b) => {
                a.for_each_slot(visit);
                b.for_each_slot(visit);
            }
            Term::Call(_, ts) => ts.iter().for_each(|t| t.for_each_slot(visit)),
        }
    }

    pub(crate) fn uses_state(&self) -> bool {
        match self {
            Term::State => true,
            Term::Slot(..) | Term::Value(_) | Term::Min | Term::Max => false,
            Term::Negate(t) => t.uses_state(),
            Term::Arithmetic(_, a, b) => a.uses_state() || b.uses_state(),
            Term::Call(_, ts) => ts.iter().any(Term::uses_state),
        }
    }
}
