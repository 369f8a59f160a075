//! Conditions as text.
//!
//! What is printed can be parsed again, and a formula that came from the parser
//! comes back unchanged. Parentheses are printed where they are needed, and
//! around `&&` inside `||`, where readers need them.

use commute_model::Value;

use crate::formula::{Arithmetic, Comparison, Formula, Function, Term};
use crate::variables::Variables;

impl Formula {
    /// The formula as the specification language writes it.
    pub fn text(&self, variables: &Variables) -> String {
        let mut printer = Printer {
            out: String::new(),
            variables,
        };
        printer.formula(self, Level::Or);
        printer.out
    }
}

impl Comparison {
    /// Its sign.
    pub fn sign(self) -> &'static str {
        match self {
            Comparison::Eq => "==",
            Comparison::Ne => "!=",
            Comparison::Lt => "<",
            Comparison::Le => "<=",
            Comparison::Gt => ">",
            Comparison::Ge => ">=",
        }
    }
}

impl Arithmetic {
    /// Its sign.
    pub fn sign(self) -> &'static str {
        match self {
            Arithmetic::Add => "+",
            Arithmetic::Sub => "-",
            Arithmetic::Mul => "*",
            Arithmetic::Div => "/",
            Arithmetic::Rem => "%",
        }
    }
}

/// How tightly an operator binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Or,
    And,
    Compare,
    Sum,
    Product,
    Prefix,
}

struct Printer<'a> {
    out: String,
    variables: &'a Variables,
}

impl Printer<'_> {
    fn formula(&mut self, formula: &Formula, around: Level) {
        match formula {
            Formula::Const(b) => self.out.push_str(if *b { "true" } else { "false" }),
            Formula::Not(inner) => match &**inner {
                Formula::Iff(f, g) => self.iff(f, "!=", g, around),
                f => {
                    self.out.push('!');
                    self.formula(f, Level::Prefix);
                }
            },
            Formula::And(parts) => self.list(parts, true, around),
            Formula::Or(parts) => self.list(parts, false, around),
            Formula::Iff(f, g) => self.iff(f, "==", g, around),
            Formula::Compare(op, a, b) => self.parenthesised(Level::Compare, around, |this| {
                this.term(a, Level::Sum);
                this.sign(op.sign());
                this.term(b, Level::Sum);
            }),
            Formula::Holds(term) if is_condition(term) => self.term(term, around),
            Formula::Holds(term) => self.parenthesised(Level::Compare, around, |this| {
                this.term(term, Level::Sum);
                this.out.push_str(" == true");
            }),
        }
    }

    fn list(&mut self, parts: &[Formula], and: bool, around: Level) {
        // The parser makes neither; the empty conjunction is true.
        match parts {
            [] => return self.formula(&Formula::Const(and), around),
            [part] => return self.formula(part, around),
            _ => {}
        }
        let (level, sign) = if and {
            (Level::And, "&&")
        } else {
            (Level::Or, "||")
        };
        // Parts bind more tightly than the list; `&&` inside `||` would do
        // without parentheses, readers would not.
        self.parenthesised(level, around, |this| {
            for (i, part) in parts.iter().enumerate() {
                if i > 0 {
                    this.sign(sign);
                }
                this.formula(part, Level::Compare);
            }
        });
    }

    fn iff(&mut self, f: &Formula, sign: &str, g: &Formula, around: Level) {
        let as_term = |f: &Formula| match f {
            Formula::Holds(term) => is_condition(term),
            Formula::Const(_) => true,
            _ => false,
        };
        // Between two that could be values `==` would compare values.
        let ambiguous = as_term(f) && as_term(g);
        self.parenthesised(Level::Compare, around, |this| {
            for (i, side) in [f, g].into_iter().enumerate() {
                if i > 0 {
                    this.sign(sign);
                }
                match side {
                    Formula::Holds(term) if ambiguous => {
                        this.out.push('(');
                        this.term(term, Level::Sum);
                        this.out.push_str(" == true)");
                    }
                    side => this.formula(side, Level::Sum),
                }
            }
        });
    }

    fn term(&mut self, term: &Term, around: Level) {
        match term {
            Term::Slot(side, slot) => self.out.push_str(self.variables.name(*side, *slot)),
            Term::Value(value) => self.out.push_str(&value.to_string()),
            Term::Min => self.out.push_str("MIN"),
            Term::Max => self.out.push_str("MAX"),
            Term::State => self.out.push_str("state"),
            Term::Negate(inner) => {
                self.out.push('-');
                // `-5` is a constant, `-(5)` the negation of one.
                let bare = !matches!(**inner, Term::Value(Value::Int(0..)));
                if bare {
                    self.term(inner, Level::Prefix);
                } else {
                    self.out.push('(');
                    self.term(inner, Level::Or);
                    self.out.push(')');
                }
            }
            Term::Arithmetic(op, a, b) => {
                let (level, right) = match op {
                    Arithmetic::Add | Arithmetic::Sub => (Level::Sum, Level::Product),
                    _ => (Level::Product, Level::Prefix),
                };
                self.parenthesised(level, around, |this| {
                    this.term(a, level);
                    this.sign(op.sign());
                    this.term(b, right);
                });
            }
            Term::Call(function, terms) => {
                self.out.push_str(function.name());
                self.out.push('(');
                for (i, term) in terms.iter().enumerate() {
                    if i > 0 {
                        self.out.push_str(", ");
                    }
                    self.term(term, Level::Sum);
                }
                self.out.push(')');
            }
        }
    }

    fn sign(&mut self, sign: &str) {
        self.out.push(' ');
        self.out.push_str(sign);
        self.out.push(' ');
    }

    /// Prints something of level `own` where `around` is required.
    fn parenthesised(&mut self, own: Level, around: Level, print: impl FnOnce(&mut Self)) {
        let needed = own < around;
        if needed {
            self.out.push('(');
        }
        print(self);
        if needed {
            self.out.push(')');
        }
    }
}

/// Whether the language takes the term for a condition.
fn is_condition(term: &Term) -> bool {
    matches!(
        term,
        Term::Slot(..)
            | Term::State
            | Term::Call(Function::App | Function::Has, _)
            | Term::Value(Value::Bool(_))
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::Side;
    use crate::logic::equivalent;
    use crate::parse;

    /// Formulas that the parser does not make are printed as what they mean.
    #[test]
    fn formulas_from_elsewhere_keep_their_meaning() {
        let slot = |n| Term::Slot(Side::First, n);
        let holds = |n| Formula::Holds(slot(n));
        let iff = |f, g| Formula::Iff(Box::new(f), Box::new(g));
        let number = Formula::Holds(Term::Value(Value::from(3)));
        for (formula, expected) in [
            (iff(holds(0), holds(1)), "(a == true) == (b == true)"),
            (iff(Formula::Const(false), holds(1)), "false == (b == true)"),
            (
                iff(holds(0), holds(1)).negate(),
                "(a == true) != (b == true)",
            ),
            (Formula::And(vec![]), "true"),
            (Formula::Or(vec![]), "false"),
            (Formula::And(vec![holds(1)]).negate(), "!b"),
            (
                Formula::Or(vec![Formula::And(vec![]), number]),
                "true || 3 == true",
            ),
        ] {
            let text = format!("type t {{ f(a, b) g()  f(a, b) ~ g : {expected} }}");
            let spec = parse(&text).specifications.remove(0);
            let names = Variables::of_method(&spec.methods[0]);
            assert_eq!(formula.text(&names), expected);
            let read = &spec.pair(0, 1).0.formula;
            assert_eq!(equivalent(&formula, read), Some(true), "{expected}");
        }
    }
}
