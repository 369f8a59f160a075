//! What remains of a condition when its one-sided atoms are known (RD2,
//! Lemma 6.4 and the definition of ϕ[β₁; β₂] in §6.2).
//!
//! For every truth assignment β₁ of the atoms of the first invocation and β₂ of
//! the second's, a formula over the atoms that mention both remains. If that is
//! always `true`, `false` or a conjunction of `x ≠ y`, the formula is
//! equivalent to one of ECL and can be translated to access points.
//!
//! "Equivalent" is meant for all values: assignments that contradict the laws
//! of equality do not count (see [`super::equality`]). For an outcome it is
//! enough that it is right for every possible assignment, so the access points
//! are exact for all actions, whatever was or was not excluded.

use super::atoms::{Atom, Atoms, Reach};
use super::equality;
use super::reduce::drop_variables;
use crate::formula::{Formula, Side};

/// How a slot enters a conflict.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Key {
    /// Not at all (RD2's `ds`).
    Whole,
    /// Its value.
    Slot(usize),
    /// Every element of the tuple it holds.
    Elements(usize),
}

/// What remains for one β₁ and β₂.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// `false`
    Conflict,
    /// The conjunction of the negated keys with these numbers, as bits; with
    /// none, `true`.
    Unless(u32),
}

/// What remains of a formula for every β₁ and β₂.
pub(crate) struct Residue {
    /// The one-sided atoms of the first invocation: the domain of β₁.
    pub(crate) first: Vec<Atom>,
    /// Those of the second.
    pub(crate) second: Vec<Atom>,
    /// What must differ: a key of the first and one of the second invocation.
    pub(crate) keys: Vec<(Key, Key)>,
    /// The outcome for β₁ + β₂ · 2^|first|, where β is a number whose bit i is
    /// the value of atom i.
    /// `None` if no two invocations produce these.
    pub(crate) outcomes: Vec<Option<Outcome>>,
}

/// Why a formula has no residue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoResidue {
    /// It has too many atoms to tell.
    TooLarge,
    /// Something else than a conjunction of keys remains.
    Other,
}

/// Which cross-side atoms may remain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Remain {
    /// `x ≠ y`: that is ECL.
    Slots,
    /// Also `!has(x, y)`: not ECL, but access points can express it.
    SlotsAndElements,
}

/// The residue of `formula`, which must not use `state`.
pub(crate) fn residue(formula: &Formula, remain: Remain) -> Result<Residue, NoResidue> {
    let mut atoms = Atoms::of(&[formula]).ok_or(NoResidue::TooLarge)?;
    // Rows: first the cross-side atoms that may remain, then other cross-side
    // atoms, then those of the first and those of the second invocation.
    let key = |atom: &Atom| match atom.reach() {
        Reach::Both => keys(atom, remain),
        Reach::One(_) => None,
    };
    atoms.sort_by_key(|atom| match atom.reach() {
        Reach::Both => usize::from(key(atom).is_none()),
        Reach::One(Side::First) => 2,
        Reach::One(Side::Second) => 3,
    });
    let list = atoms.list();
    let keys: Vec<(Key, Key)> = list.iter().map_while(key).collect();
    let cross = list.iter().filter(|a| a.reach() == Reach::Both).count();
    let of = |side| {
        let own = list.iter().filter(move |a| a.reach() == Reach::One(side));
        own.cloned().collect::<Vec<Atom>>()
    };
    let (first, second) = (of(Side::First), of(Side::Second));

    let truth = atoms.table(formula);
    let possible = equality::possible(list);
    let mut outcomes = Vec::with_capacity(1 << (list.len() - cross));
    for beta in 0..1usize << (list.len() - cross) {
        let rows = (beta << cross)..((beta + 1) << cross);
        let rows = rows.filter(|row| possible.get(*row));
        outcomes.push(outcome(rows, keys.len(), |row| truth.get(row))?);
    }
    let mut residue = Residue {
        first,
        second,
        keys,
        outcomes,
    };
    residue.drop_irrelevant();
    Ok(residue)
}

/// Whether `formula` is equivalent to one conjunction of `x ≠ y`, or constant:
/// RD2's SIMPLE.
pub(crate) fn is_simple(formula: &Formula) -> Result<bool, NoResidue> {
    let mut atoms = Atoms::of(&[formula]).ok_or(NoResidue::TooLarge)?;
    atoms.sort_by_key(|atom| atom.as_key().is_none());
    let list = atoms.list();
    let keys = list.iter().filter(|a| a.as_key().is_some()).count();
    let (truth, possible) = (atoms.table(formula), equality::possible(list));
    let rows = (0..1 << list.len()).filter(|row| possible.get(*row));
    Ok(outcome(rows, keys, |row| truth.get(row)).is_ok())
}

fn keys(atom: &Atom, remain: Remain) -> Option<(Key, Key)> {
    if let Some((x, y)) = atom.as_key() {
        return Some((Key::Slot(x), Key::Slot(y)));
    }
    match atom.as_membership()? {
        _ if remain == Remain::Slots => None,
        (Side::First, x, y) => Some((Key::Elements(x), Key::Slot(y))),
        (Side::Second, x, y) => Some((Key::Slot(y), Key::Elements(x))),
    }
}

/// What the rows of one β₁ and β₂ amount to.
///
/// If they amount to a conjunction of negated keys at all, then to that of *all*
/// keys whose presence excludes truth: a smaller conjunction that does has only
/// such keys, and where the formula is true none of them is present. Taking all
/// also makes the choice independent of how the formula is written.
fn outcome(
    rows: impl Iterator<Item = usize> + Clone,
    keys: usize,
    truth: impl Fn(usize) -> bool,
) -> Result<Option<Outcome>, NoResidue> {
    let mask = (1usize << keys) - 1;
    let (mut present_if_true, mut present) = (0, 0);
    let (mut any, mut any_true) = (false, false);
    for row in rows.clone() {
        any = true;
        present |= row & mask;
        if truth(row) {
            any_true = true;
            present_if_true |= row & mask;
        }
    }
    match (any, any_true) {
        (false, _) => return Ok(None),
        (true, false) => return Ok(Some(Outcome::Conflict)),
        (true, true) => {}
    }
    let excluding = present & !present_if_true;
    let conjunction = |row: usize| row & excluding == 0;
    match rows.clone().all(|row| truth(row) == conjunction(row)) {
        true => Ok(Some(Outcome::Unless(excluding as u32))),
        false => Err(NoResidue::Other),
    }
}

impl Residue {
    /// Drops one-sided atoms on which no outcome depends.
    fn drop_irrelevant(&mut self) {
        let first = self.first.drain(..).map(|atom| (atom, Side::First));
        let second = self.second.drain(..).map(|atom| (atom, Side::Second));
        let mut atoms: Vec<(Atom, Side)> = first.chain(second).collect();
        drop_variables(&mut self.outcomes, &mut atoms);
        for (atom, side) in atoms {
            match side {
                Side::First => self.first.push(atom),
                Side::Second => self.second.push(atom),
            }
        }
    }

    /// The outcome for these two assignments.
    pub(crate) fn outcome(&self, first: usize, second: usize) -> Option<Outcome> {
        self.outcomes[first | second << self.first.len()]
    }
}
