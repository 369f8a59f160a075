//! Atomic conditions in normal form.

use commute_model::Value;
use rustc_hash::FxHashMap;

use super::MOST_ATOMS;
use super::constants::fold_term;
use super::table::Table;
use crate::evaluate::compare;
use crate::formula::{Comparison, Formula, Function, Side, Term};

/// An atomic condition.
///
/// The normal form joins what has the same value for all invocations, opaque
/// values included: `a != b` is the negation of `a == b`, `b == a` is `a == b`,
/// `b > a` is `a < b`, a term that holds is equal to `true`, and constants are
/// computed. But `a <= b` is
/// not the negation of `b < a`: for an opaque value both are false.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Atom {
    /// `a == b`; the smaller term comes first.
    Same(Term, Term),
    /// `a < b`
    Less(Term, Term),
    /// `a <= b`
    AtMost(Term, Term),
}

/// Which invocations an atom speaks about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reach {
    /// At most this one.
    One(Side),
    /// Both.
    Both,
}

/// What a formula without parts says.
pub(crate) enum Literal {
    /// It is constant.
    Const(bool),
    /// The atom has this truth value.
    Is(Atom, bool),
}

impl Literal {
    /// What `formula` says; `None` if it has parts.
    pub(crate) fn of(formula: &Formula) -> Option<Literal> {
        Some(match formula {
            Formula::Const(b) => Literal::Const(*b),
            Formula::Holds(term) => literal(Comparison::Eq, term, &Term::Value(true.into())),
            Formula::Compare(op, a, b) => literal(*op, a, b),
            _ => return None,
        })
    }
}

fn literal(op: Comparison, a: &Term, b: &Term) -> Literal {
    // Where the state is not known, nothing is known of what is made with it.
    let (a, b) = match a.uses_state() || b.uses_state() {
        true => (a.clone(), b.clone()),
        false => (fold_term(a), fold_term(b)),
    };
    match (&a, &b) {
        (Term::Value(a), Term::Value(b)) => return Literal::Const(compare(op, a, b)),
        // No comparison with what is opaque holds, except that it differs.
        (Term::Value(v), _) | (_, Term::Value(v)) if v.has_opaque() => {
            return Literal::Const(op == Comparison::Ne);
        }
        _ => {}
    }
    match op {
        Comparison::Eq | Comparison::Ne => {
            let (a, b) = if a <= b { (a, b) } else { (b, a) };
            Literal::Is(Atom::Same(a, b), op == Comparison::Eq)
        }
        Comparison::Lt => Literal::Is(Atom::Less(a, b), true),
        Comparison::Gt => Literal::Is(Atom::Less(b, a), true),
        Comparison::Le => Literal::Is(Atom::AtMost(a, b), true),
        Comparison::Ge => Literal::Is(Atom::AtMost(b, a), true),
    }
}

impl Atom {
    /// The atom as a formula, or its negation, written the way people do.
    pub(crate) fn formula(&self, positive: bool) -> Formula {
        let truth = Term::Value(Value::Bool(true));
        let (formula, exact) = match self {
            Atom::Same(term, t) | Atom::Same(t, term) if *t == truth => {
                (Formula::Holds(term.clone()), false)
            }
            Atom::Same(a, b) => {
                let simple = |term: &Term| matches!(term, Term::Slot(..) | Term::Value(_));
                let turned = matches!(a, Term::Value(_)) || (simple(a) && !simple(b));
                let (a, b) = if turned { (b, a) } else { (a, b) };
                let op = if positive {
                    Comparison::Eq
                } else {
                    Comparison::Ne
                };
                (Formula::Compare(op, a.clone(), b.clone()), true)
            }
            Atom::Less(a, b) => (
                Formula::Compare(Comparison::Lt, a.clone(), b.clone()),
                false,
            ),
            Atom::AtMost(a, b) => (
                Formula::Compare(Comparison::Le, a.clone(), b.clone()),
                false,
            ),
        };
        if positive || exact {
            formula
        } else {
            formula.negate()
        }
    }

    /// Which invocations it speaks about.
    pub(crate) fn reach(&self) -> Reach {
        let (mut first, mut second) = (false, false);
        self.formula(true).for_each_slot(&mut |side, _| match side {
            Side::First => first = true,
            Side::Second => second = true,
        });
        match (first, second) {
            (true, true) => Reach::Both,
            (false, true) => Reach::One(Side::Second),
            (_, false) => Reach::One(Side::First),
        }
    }

    /// The same atom about the first invocation only: RD2's normalisation,
    /// which drops the distinction between the two.
    pub(crate) fn normalised(&self) -> Atom {
        let formula = self.formula(true);
        let erased = formula.map_slots(&mut |_, slot| Term::Slot(Side::First, slot));
        match Literal::of(&erased) {
            Some(Literal::Is(atom, true)) => atom,
            _ => self.clone(),
        }
    }

    /// The slots of `x == y` with `x` from the first and `y` from the second.
    pub(crate) fn as_key(&self) -> Option<(usize, usize)> {
        match self {
            Atom::Same(Term::Slot(Side::First, x), Term::Slot(Side::Second, y)) => Some((*x, *y)),
            _ => None,
        }
    }

    /// The slots (side of the tuple, tuple, element) of `has(x, y)` with `x`
    /// and `y` from different invocations.
    pub(crate) fn as_membership(&self) -> Option<(Side, usize, usize)> {
        let Atom::Same(a, b) = self else { return None };
        let call = match (a, b) {
            (Term::Value(Value::Bool(true)), call) | (call, Term::Value(Value::Bool(true))) => call,
            _ => return None,
        };
        let Term::Call(Function::Has, terms) = call else {
            return None;
        };
        match terms[..] {
            [Term::Slot(side, x), Term::Slot(other, y)] if side != other => Some((side, x, y)),
            _ => None,
        }
    }
}

/// The distinct atoms of some formulas, in the order in which they appear.
pub(crate) struct Atoms {
    list: Vec<Atom>,
    places: FxHashMap<Atom, usize>,
}

impl Atoms {
    /// The atoms of these formulas; `None` if there are more than
    /// [`MOST_ATOMS`].
    pub(crate) fn of(formulas: &[&Formula]) -> Option<Atoms> {
        let mut atoms = Atoms {
            list: Vec::new(),
            places: FxHashMap::default(),
        };
        let complete = formulas.iter().all(|formula| atoms.add(formula));
        complete.then_some(atoms)
    }

    /// Adds the atoms of `formula`; false if they become too many.
    fn add(&mut self, formula: &Formula) -> bool {
        match formula {
            Formula::Not(f) => self.add(f),
            Formula::And(fs) | Formula::Or(fs) => fs.iter().all(|f| self.add(f)),
            Formula::Iff(f, g) => self.add(f) && self.add(g),
            _ => {
                if let Some(Literal::Is(atom, _)) = Literal::of(formula)
                    && !self.places.contains_key(&atom)
                {
                    self.places.insert(atom.clone(), self.list.len());
                    self.list.push(atom);
                }
                self.list.len() <= MOST_ATOMS
            }
        }
    }

    /// The atoms.
    pub(crate) fn list(&self) -> &[Atom] {
        &self.list
    }

    /// Sorts the atoms by this key, keeping the order of equals.
    pub(crate) fn sort_by_key<K: Ord>(&mut self, key: impl FnMut(&Atom) -> K) {
        self.list.sort_by_key(key);
        for (place, atom) in self.list.iter().enumerate() {
            self.places.insert(atom.clone(), place);
        }
    }

    /// The truth table of a formula over these atoms; atom i is variable i.
    pub(crate) fn table(&self, formula: &Formula) -> Table {
        let variables = self.list.len();
        match formula {
            Formula::Not(f) => {
                let mut table = self.table(f);
                table.not();
                table
            }
            Formula::And(fs) => {
                let mut table = Table::constant(variables, true);
                fs.iter().for_each(|f| table.and(&self.table(f)));
                table
            }
            Formula::Or(fs) => {
                let mut table = Table::constant(variables, false);
                fs.iter().for_each(|f| table.or(&self.table(f)));
                table
            }
            Formula::Iff(f, g) => {
                let mut table = self.table(f);
                table.xor(&self.table(g));
                table.not();
                table
            }
            _ => match Literal::of(formula) {
                Some(Literal::Is(atom, positive)) => {
                    let mut table = Table::variable(variables, self.places[&atom]);
                    if !positive {
                        table.not();
                    }
                    table
                }
                Some(Literal::Const(b)) => Table::constant(variables, b),
                None => unreachable!("every formula without parts is a literal"),
            },
        }
    }
}
