//! A specification: methods, and a condition for every two of them.

use commute_model::Span;

use crate::evaluate::{Ints, evaluate};
use crate::formula::Formula;
use crate::invocation::Invocation;
use crate::orders::Orders;

/// What one type's methods commute with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Specification {
    /// The name of the type.
    pub name: String,
    /// Where the name stands.
    pub span: Span,
    /// The built-in sequential model it is verified against.
    pub model: Option<String>,
    /// Where the name of the model stands.
    pub model_span: Span,
    /// The parameter of the type: `permits` in `type semaphore(permits)`.
    pub parameter: Option<String>,
    /// The order between threads that its actions imply.
    pub orders: Vec<Orders>,
    /// The methods.
    pub methods: Vec<Method>,
    /// One condition per unordered pair of methods: see [`Specification::pair`].
    conditions: Vec<Condition>,
}

/// A method and its signature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Method {
    /// Its name.
    pub name: String,
    /// Names of the arguments.
    pub args: Vec<String>,
    /// Names of the results.
    pub results: Vec<String>,
    /// When it changes the object.
    pub mutates: Mutates,
    /// Where it is declared.
    pub span: Span,
}

impl Method {
    /// The declaration as the language writes it: `put(k, v) -> p`.
    pub fn signature(&self) -> String {
        let args = self.args.join(", ");
        let arrow = match &self.results[..] {
            [] => String::new(),
            [result] => format!(" -> {result}"),
            results => format!(" -> ({})", results.join(", ")),
        };
        format!("{}({args}){arrow}", self.name)
    }
}

/// When an action changes its object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mutates {
    /// Never: declared without `mutates` in a type that declares it elsewhere.
    Never,
    /// When this holds; its slots are all of the first side.
    When(Formula),
    /// Possibly always: the type does not say.
    Unknown,
}

/// When two methods commute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    /// The formula; `First` is the method declared first.
    pub formula: Formula,
    /// Order-only: no value flows between the two.
    pub order: bool,
    /// Whether the specification lists the pair. A pair that is not listed
    /// does not commute.
    pub listed: bool,
    /// Where it is written.
    pub span: Span,
}

impl Condition {
    /// What holds for a pair that is not listed.
    pub fn unlisted(span: Span) -> Condition {
        Condition {
            formula: Formula::Const(false),
            order: false,
            listed: false,
            span,
        }
    }
}

impl Specification {
    /// A specification in which no pair is listed yet.
    pub fn new(name: impl Into<String>, methods: Vec<Method>) -> Specification {
        let n = methods.len();
        Specification {
            name: name.into(),
            span: Span::default(),
            model: None,
            model_span: Span::default(),
            parameter: None,
            orders: Vec::new(),
            methods,
            conditions: vec![Condition::unlisted(Span::default()); n * (n + 1) / 2],
        }
    }

    /// The index of the method of this name.
    pub fn method(&self, name: &str) -> Option<usize> {
        self.methods.iter().position(|m| m.name == name)
    }

    /// The condition of two methods, and whether its first side is `b`.
    pub fn pair(&self, a: usize, b: usize) -> (&Condition, bool) {
        (&self.conditions[self.place(a, b)], a > b)
    }

    /// Sets the condition of two methods. `condition.formula` is about
    /// (`a`, `b`) in this order; it is turned round if `b` is declared first.
    pub fn set(&mut self, a: usize, b: usize, mut condition: Condition) {
        if a > b {
            condition.formula = condition.formula.swap();
        }
        let place = self.place(a, b);
        self.conditions[place] = condition;
    }

    /// All pairs (a, b) with a ≤ b, with their conditions.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize, &Condition)> {
        let n = self.methods.len();
        (0..n)
            .flat_map(move |a| (a..n).map(move |b| (a, b)))
            .map(|(a, b)| (a, b, self.pair(a, b).0))
    }

    /// Whether the specification says that two recorded invocations commute.
    /// This is the raw formula, the definition every faster check must match.
    pub fn commutes(&self, a: Invocation<'_>, b: Invocation<'_>) -> bool {
        let (condition, swapped) = self.pair(a.method, b.method);
        let (first, second) = if swapped { (b, a) } else { (a, b) };
        let holds = |x, y| evaluate(&condition.formula, x, y, None, &Ints) == Some(true);
        // A condition of a method with itself is symmetric; if that could not be
        // proved, what two invocations come to must still not depend on their
        // order.
        holds(first, second) && (a.method != b.method || holds(second, first))
    }

    /// Whether the invocation may change its object.
    pub fn mutates(&self, a: Invocation<'_>) -> bool {
        match &self.methods[a.method].mutates {
            Mutates::Never => false,
            Mutates::Unknown => true,
            Mutates::When(formula) => evaluate(formula, a, a, None, &Ints) != Some(false),
        }
    }

    fn place(&self, a: usize, b: usize) -> usize {
        let (low, high) = (a.min(b), a.max(b));
        assert!(high < self.methods.len(), "no method {high}");
        // Row `low` of the upper triangle starts after low rows of n, n-1, ….
        low * self.methods.len() - low * low.saturating_sub(1) / 2 - low + high
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_has_a_place_of_its_own() {
        for n in 1..20 {
            let method = |i| Method {
                name: format!("m{i}"),
                args: vec![],
                results: vec![],
                mutates: Mutates::Unknown,
                span: Span::default(),
            };
            let spec = Specification::new("t", (0..n).map(method).collect());
            let mut places: Vec<_> = spec.pairs().map(|(a, b, _)| spec.place(a, b)).collect();
            assert_eq!(spec.place(n - 1, 0), spec.place(0, n - 1));
            places.sort_unstable();
            assert_eq!(places, (0..n * (n + 1) / 2).collect::<Vec<_>>());
        }
    }
}
