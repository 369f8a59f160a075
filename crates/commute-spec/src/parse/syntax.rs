//! Specifications as they are written, before names are resolved.

use commute_model::{Span, Value};

use crate::formula::{Arithmetic, Comparison};

/// A word and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name<'t> {
    pub(super) text: &'t str,
    pub(super) span: Span,
}

/// `type name(parameter) { … }`
pub(super) struct Type<'t> {
    pub(super) name: Name<'t>,
    pub(super) parameter: Option<Name<'t>>,
    pub(super) items: Vec<Item<'t>>,
}

/// What stands in a type.
pub(super) enum Item<'t> {
    /// `model map`
    Model(Name<'t>),
    /// `orders atomic`
    Orders(Name<'t>),
    /// `orders release() -> acquire() counting from permits`
    Rule(Rule<'t>),
    /// `put(k, v) -> p mutates v != p`
    Method(Declaration<'t>),
    /// `put(k1, v1)/p1 ~ get(k2)/v2, … : k1 != k2 || v1 == p1`
    Pairs(Pairs<'t>),
}

/// A method.
pub(super) struct Declaration<'t> {
    pub(super) name: Name<'t>,
    pub(super) args: Vec<Name<'t>>,
    pub(super) results: Vec<Name<'t>>,
    pub(super) mutates: Option<Expression<'t>>,
    pub(super) span: Span,
}

/// Pairs of methods that share a condition.
pub(super) struct Pairs<'t> {
    pub(super) order: bool,
    pub(super) pairs: Vec<(Pattern<'t>, Pattern<'t>)>,
    pub(super) condition: Expression<'t>,
    pub(super) span: Span,
}

/// One side of a pair. What is not written is `None`.
pub(super) struct Pattern<'t> {
    pub(super) name: Name<'t>,
    pub(super) args: Option<Vec<Name<'t>>>,
    pub(super) results: Option<Vec<Name<'t>>>,
    pub(super) span: Span,
}

/// A rule: actions of some kinds come after actions of others.
pub(super) struct Rule<'t> {
    pub(super) before: Vec<ActionPattern<'t>>,
    pub(super) after: Vec<ActionPattern<'t>>,
    pub(super) matching: Matching<'t>,
    pub(super) span: Span,
}

/// One alternative of a side of a rule: `recv()/v if v != nil`.
pub(super) struct ActionPattern<'t> {
    pub(super) name: Name<'t>,
    pub(super) args: Option<Vec<SlotPattern<'t>>>,
    pub(super) results: Option<Vec<SlotPattern<'t>>>,
    pub(super) guard: Option<Expression<'t>>,
    pub(super) span: Span,
}

/// A slot in a rule.
pub(super) enum SlotPattern<'t> {
    Variable(Name<'t>),
    Constant(Expression<'t>),
}

/// What stands behind a rule.
pub(super) enum Matching<'t> {
    Pending,
    Fifo,
    Counting(Option<InitialCount<'t>>),
}

/// `from permits` or `from 0`.
pub(super) enum InitialCount<'t> {
    Parameter(Name<'t>),
    Number(u64),
}

/// A formula or a term: which of the two, resolving tells.
pub(super) struct Expression<'t> {
    pub(super) kind: Kind<'t>,
    pub(super) span: Span,
    /// How deeply nested it is: 1 if it has no parts.
    pub(super) depth: usize,
    /// How many nodes it has.
    pub(super) size: usize,
}

/// The kinds of expressions.
pub(super) enum Kind<'t> {
    Name(&'t str),
    Constant(Value),
    Not(Box<Expression<'t>>),
    Negate(Box<Expression<'t>>),
    And(Vec<Expression<'t>>),
    Or(Vec<Expression<'t>>),
    Compare(Comparison, Box<[Expression<'t>; 2]>),
    Arithmetic(Arithmetic, Box<[Expression<'t>; 2]>),
    Call(Name<'t>, Vec<Expression<'t>>),
}

impl<'t> Kind<'t> {
    /// The expression of this kind at `span`.
    pub(super) fn at(self, span: Span) -> Expression<'t> {
        let parts: &[Expression<'t>] = match &self {
            Kind::Name(_) | Kind::Constant(_) => &[],
            Kind::Not(part) | Kind::Negate(part) => std::slice::from_ref(part),
            Kind::And(parts) | Kind::Or(parts) | Kind::Call(_, parts) => parts,
            Kind::Compare(_, parts) | Kind::Arithmetic(_, parts) => &parts[..],
        };
        let depth = 1 + parts.iter().map(|e| e.depth).max().unwrap_or(0);
        let size = 1 + parts.iter().map(|e| e.size).sum::<usize>();
        Expression {
            kind: self,
            span,
            depth,
            size,
        }
    }
}
