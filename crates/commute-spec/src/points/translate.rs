//! From conditions to access points (RD2 §6.2).
//!
//! | paper | here |
//! |---|---|
//! | B(Φ, m) | [`Translation::atoms`] of m |
//! | β | a number whose bit i is the truth of atom i |
//! | o.m:β:ds, o.m:β:i:wᵢ | [`Raw`] with key [`Key::Whole`], [`Key::Slot`] |
//! | ϕ[β₁; β₂] | [`Residue::outcome`] |
//! | Cₒ | [`Translation::conflict`] |
//!
//! Deviations: atoms on which no outcome depends are not in B(Φ, m); β vectors
//! that contradict the laws of equality are no points; the elements of a tuple
//! are keys too ([`Key::Elements`]), so that `!has(x1, y2)` can be translated;
//! and a condition with `state` is translated as what it means where no state
//! was recorded.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::formula::{Formula, Side};
use crate::logic::atoms::Atom;
use crate::logic::constants::fold;
use crate::logic::residue::{Key, Outcome, Remain, Residue, residue};
use crate::logic::stateless::without_state;
use crate::logic::{equality, equivalent};
use crate::specification::Specification;

/// A method has at most this many atoms; pairs that need more are not
/// translated.
const MOST_ATOMS: usize = 12;

/// All methods together have at most this many β vectors.
const MOST_BETAS: usize = 1 << 16;

/// An access point before simplification.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Raw {
    pub(super) method: usize,
    pub(super) key: Key,
    pub(super) beta: usize,
}

/// The access point representation of a specification, before simplification.
pub(super) struct Translation {
    /// The atoms of each method, about its own slots (side `First`).
    pub(super) atoms: Vec<Vec<Atom>>,
    /// The translated pairs that do not always commute.
    pub(super) pairs: Vec<Pair>,
    /// The pairs that are not translated.
    pub(super) linear: Vec<(usize, usize)>,
    /// For every two methods, in both orders, the place of their pair.
    places: Vec<Option<usize>>,
    /// The β vectors of each method that its invocations can have.
    betas: Vec<Vec<usize>>,
    /// How many β vectors all methods have together, possible or not.
    sum: usize,
}

/// A translated pair.
pub(super) struct Pair {
    pub(super) methods: (usize, usize),
    residue: Rc<Residue>,
    /// Which atoms of the two methods the residue's atoms are.
    places: (Vec<usize>, Vec<usize>),
}

/// What remains of a condition, if it can be translated. Conflicts are
/// symmetric, so that of a method with `itself` must be.
fn residue_of(formula: &Formula, itself: bool) -> Option<Residue> {
    without_state(formula)
        .map(|f| fold(&f))
        .filter(|f| !itself || equivalent(f, &f.swap()) == Some(true))
        .and_then(|f| residue(&f, Remain::SlotsAndElements).ok())
}

impl Translation {
    /// Translates every pair that can be translated.
    pub(super) fn of(spec: &Specification) -> Translation {
        let methods = spec.methods.len();
        let mut translation = Translation {
            atoms: vec![Vec::new(); methods],
            pairs: Vec::new(),
            linear: Vec::new(),
            places: vec![None; methods * methods],
            betas: Vec::new(),
            sum: methods,
        };
        // Large specifications repeat their conditions.
        let mut residues: FxHashMap<(&Formula, bool), Option<Rc<Residue>>> = FxHashMap::default();
        for (a, b, condition) in spec.pairs() {
            let residue = residues
                .entry((&condition.formula, a == b))
                .or_insert_with(|| residue_of(&condition.formula, a == b).map(Rc::new));
            let added = residue.clone().and_then(|r| translation.add((a, b), r));
            if added.is_none() {
                translation.linear.push((a, b));
            }
        }
        let possible = |atoms: &Vec<Atom>| {
            let possible = equality::possible(atoms);
            (0..1 << atoms.len()).filter(|b| possible.get(*b)).collect()
        };
        translation.betas = translation.atoms.iter().map(possible).collect();
        translation
    }

    /// Adds a pair; `None` if there are too many atoms then.
    fn add(&mut self, methods: (usize, usize), residue: Rc<Residue>) -> Option<()> {
        if residue.outcomes[..] == [Some(Outcome::Unless(0))] {
            return Some(());
        }
        let both = [methods.0, methods.1];
        let before = both.map(|m| self.atoms[m].len());
        let different = if methods.0 == methods.1 { 1 } else { 2 };
        let betas = |this: &Self| -> usize {
            let counts = both[..different].iter().map(|m| 1 << this.atoms[*m].len());
            counts.sum()
        };
        let old = betas(self);
        let first = self.places(methods.0, &residue.first);
        let second = self.places(methods.1, &residue.second);
        let sum = self.sum - old + betas(self);
        let few = both.iter().all(|m| self.atoms[*m].len() <= MOST_ATOMS);
        if !few || sum > MOST_BETAS {
            for (method, before) in both.into_iter().zip(before) {
                self.atoms[method].truncate(before);
            }
            return None;
        }
        self.sum = sum;
        let place = Some(self.pairs.len());
        let count = self.atoms.len();
        self.places[methods.0 * count + methods.1] = place;
        self.places[methods.1 * count + methods.0] = place;
        let places = (first, second);
        self.pairs.push(Pair {
            methods,
            residue,
            places,
        });
        Some(())
    }

    /// Moves all pairs to those that are not translated.
    pub(super) fn give_up(&mut self) {
        let pairs = self.pairs.drain(..).map(|pair| pair.methods);
        self.linear.extend(pairs);
        self.linear.sort_unstable();
        self.places.fill(None);
    }

    /// The places of these atoms among the method's, which are extended.
    fn places(&mut self, method: usize, atoms: &[Atom]) -> Vec<usize> {
        let known = &mut self.atoms[method];
        let places = atoms.iter().map(Atom::normalised).map(|atom| {
            let place = known.iter().position(|a| *a == atom);
            place.unwrap_or_else(|| {
                known.push(atom);
                known.len() - 1
            })
        });
        places.collect()
    }

    /// The β vectors of a method that its invocations can have.
    pub(super) fn betas(&self, method: usize) -> &[usize] {
        &self.betas[method]
    }

    /// The pair of two methods.
    fn pair(&self, a: usize, b: usize) -> Option<&Pair> {
        let place = self.places[a * self.atoms.len() + b];
        place.map(|place| &self.pairs[place])
    }

    /// The pairs of a method and the sides on which it stands in them; of a
    /// pair with itself, both.
    pub(super) fn partners(&self, method: usize) -> Vec<(&Pair, Side)> {
        let pairs = (0..self.atoms.len()).filter_map(|other| self.pair(method, other));
        pairs.flat_map(|pair| pair.sides(method)).collect()
    }

    /// The keys with which a method enters a conflict.
    pub(super) fn keys(&self, method: usize) -> Vec<Key> {
        let mut keys = Vec::new();
        for (pair, side) in self.partners(method) {
            let conflicts = pair.residue.outcomes.iter().flatten();
            for outcome in conflicts {
                keys.extend(pair.conflicts(*outcome).map(|(a, b)| match side {
                    Side::First => a,
                    Side::Second => b,
                }));
            }
        }
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// Whether two points conflict (where both have a key: if the keys are
    /// equal).
    pub(super) fn conflict(&self, p: Raw, q: Raw) -> bool {
        let conflict = |pair: &Pair, p: Raw, q: Raw| {
            let first = project(p.beta, &pair.places.0);
            let second = project(q.beta, &pair.places.1);
            let outcome = pair.residue.outcome(first, second);
            outcome.is_some_and(|o| pair.conflicts(o).any(|keys| keys == (p.key, q.key)))
        };
        self.pair(p.method, q.method).is_some_and(|pair| {
            (pair.methods == (p.method, q.method) && conflict(pair, p, q))
                || (pair.methods == (q.method, p.method) && conflict(pair, q, p))
        })
    }
}

impl Pair {
    /// The sides on which `method` stands.
    fn sides(&self, method: usize) -> impl Iterator<Item = (&Pair, Side)> {
        let first = (self.methods.0 == method).then_some((self, Side::First));
        let second = (self.methods.1 == method).then_some((self, Side::Second));
        first.into_iter().chain(second)
    }

    /// The keys of the points that conflict if this is the outcome.
    fn conflicts(&self, outcome: Outcome) -> impl Iterator<Item = (Key, Key)> {
        let whole = (outcome == Outcome::Conflict).then_some((Key::Whole, Key::Whole));
        let bits = match outcome {
            Outcome::Conflict => 0,
            Outcome::Unless(bits) => bits,
        };
        let keys = self.residue.keys.iter().enumerate();
        let keys = keys.filter(move |(i, _)| bits >> i & 1 == 1);
        whole.into_iter().chain(keys.map(|(_, keys)| *keys))
    }

    /// What a point with this β and key on this side conflicts with: β, reduced
    /// to the atoms of this pair, and key of the other side.
    pub(super) fn row(&self, side: Side, beta: usize, key: Key) -> Vec<(usize, Key)> {
        let (places, others) = match side {
            Side::First => (&self.places.0, self.places.1.len()),
            Side::Second => (&self.places.1, self.places.0.len()),
        };
        let own = project(beta, places);
        let mut row = Vec::new();
        for other in 0..1 << others {
            let (first, second) = match side {
                Side::First => (own, other),
                Side::Second => (other, own),
            };
            let Some(outcome) = self.residue.outcome(first, second) else {
                continue;
            };
            for (a, b) in self.conflicts(outcome) {
                let (mine, theirs) = if side == Side::First { (a, b) } else { (b, a) };
                if mine == key {
                    row.push((other, theirs));
                }
            }
        }
        row
    }

    /// β reduced to the atoms of this pair on this side.
    pub(super) fn project(&self, side: Side, beta: usize) -> usize {
        match side {
            Side::First => project(beta, &self.places.0),
            Side::Second => project(beta, &self.places.1),
        }
    }
}

/// The bits of `beta` at these places.
fn project(beta: usize, places: &[usize]) -> usize {
    let bits = places
        .iter()
        .enumerate()
        .map(|(i, place)| (beta >> place & 1) << i);
    bits.sum()
}
