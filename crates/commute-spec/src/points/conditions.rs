//! When a method touches a point, as short conditions for people.
//!
//! The set of β vectors that touch a class is a function of the method's atoms
//! with values that never matter (β that cannot occur). It is written with the
//! atoms it depends on: as a comparison of two, or as a disjunction of
//! conjunctions that is minimal up to the choice of the cover (Quine and
//! McCluskey), or as the negation of one if that is shorter.

use crate::formula::Formula;
use crate::logic::atoms::Atom;
use crate::logic::reduce::drop_variables;
use crate::logic::residue::Key;
use crate::points::Touch;
use crate::points::simplify::Merged;
use crate::points::translate::Translation;

/// A condition of more atoms than this is not written out.
const MOST_ATOMS: usize = 6;

/// When `method` touches which class.
pub(super) fn touches(translation: &Translation, classes: &[Merged], method: usize) -> Vec<Touch> {
    let betas = translation.betas(method);
    let mut touches = Vec::new();
    for (class, merged) in classes.iter().enumerate() {
        let own = || merged.points.iter().filter(|p| p.method == method);
        let mut keys: Vec<Key> = own().map(|p| p.key).collect();
        keys.sort_unstable();
        keys.dedup();
        for key in keys {
            let mut atoms = translation.atoms[method].clone();
            let mut values = vec![None; 1 << atoms.len()];
            betas.iter().for_each(|beta| values[*beta] = Some(false));
            own()
                .filter(|p| p.key == key)
                .for_each(|p| values[p.beta] = Some(true));
            drop_variables(&mut values, &mut atoms);
            let (slot, elements) = match key {
                Key::Whole => (None, false),
                Key::Slot(slot) => (Some(slot), false),
                Key::Elements(slot) => (Some(slot), true),
            };
            touches.push(Touch {
                class: class as u16,
                slot,
                elements,
                when: formula(&atoms, &values),
            });
        }
    }
    touches
}

/// A formula that has these values where they matter.
fn formula(atoms: &[Atom], values: &[Option<bool>]) -> Option<Formula> {
    if let [a, b] = atoms
        && values[0] == values[3]
        && values[1] == values[2]
    {
        let (a, b) = (a.formula(true), b.formula(true));
        let same = Formula::Iff(Box::new(a), Box::new(b));
        return Some(match values[0] {
            Some(true) => same,
            _ => same.negate(),
        });
    }
    if atoms.len() > MOST_ATOMS {
        return None;
    }
    let (yes, no) = (
        cover(atoms.len(), values, true),
        cover(atoms.len(), values, false),
    );
    let size = |cubes: &[Cube]| cubes.iter().map(|cube| cube.mask.count_ones()).sum::<u32>();
    let literals = |cube: &Cube, positive: bool| {
        let used = atoms
            .iter()
            .enumerate()
            .filter(|(i, _)| cube.mask >> i & 1 == 1);
        let literals = used.map(|(i, atom)| atom.formula((cube.value >> i & 1 == 1) == positive));
        literals.collect::<Vec<Formula>>()
    };
    Some(match size(&no) < size(&yes) {
        // Not one of the conjunctions: all of the disjunctions of negations.
        true => list(
            no.iter().map(|cube| list(literals(cube, false), false)),
            true,
        ),
        false => list(
            yes.iter().map(|cube| list(literals(cube, true), true)),
            false,
        ),
    })
}

/// A conjunction or disjunction, unless there is only one part.
fn list(parts: impl IntoIterator<Item = Formula>, and: bool) -> Formula {
    let mut parts: Vec<Formula> = parts.into_iter().collect();
    match (parts.len(), and) {
        (0, _) => Formula::Const(and),
        (1, _) => parts.remove(0),
        (_, true) => Formula::And(parts),
        (_, false) => Formula::Or(parts),
    }
}

/// A conjunction: the atoms in `mask` have the values in `value`.
#[derive(Clone, Copy)]
struct Cube {
    mask: usize,
    value: usize,
}

impl Cube {
    fn contains(self, row: usize) -> bool {
        row & self.mask == self.value
    }
}

/// Few, short conjunctions that together have `wanted` values and no others.
fn cover(atoms: usize, values: &[Option<bool>], wanted: bool) -> Vec<Cube> {
    let rows = 0..values.len();
    let mut masks: Vec<usize> = (0..1 << atoms).collect();
    masks.sort_by_key(|mask| (mask.count_ones(), *mask));
    let mut primes: Vec<Cube> = Vec::new();
    for mask in masks {
        for value in rows.clone().filter(|value| value & !mask == 0) {
            let cube = Cube { mask, value };
            let mut inside = rows.clone().filter(|row| cube.contains(*row));
            let larger = |p: &Cube| p.mask & mask == p.mask && p.contains(value);
            if inside.all(|row| values[row] != Some(!wanted)) && !primes.iter().any(larger) {
                primes.push(cube);
            }
        }
    }
    let goal: Vec<usize> = rows.filter(|row| values[*row] == Some(wanted)).collect();
    let mut open = goal.clone();
    let mut chosen: Vec<Cube> = Vec::new();
    while !open.is_empty() {
        let gain = |cube: &Cube| open.iter().filter(|row| cube.contains(**row)).count();
        // The first of the best: the shortest, in the order of the atoms.
        let best = primes.iter().rev().max_by_key(|cube| gain(cube));
        let best = *best.expect("every wanted row is in a prime");
        open.retain(|row| !best.contains(*row));
        chosen.push(best);
    }
    // What was chosen early may be covered by what was chosen later.
    let mut i = 0;
    while i < chosen.len() {
        let others = |row: &usize| (0..chosen.len()).any(|j| j != i && chosen[j].contains(*row));
        match goal.iter().all(others) {
            true => drop(chosen.remove(i)),
            false => i += 1,
        }
    }
    chosen.sort_by_key(|cube| (cube.mask.trailing_zeros(), cube.mask, cube.value));
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::{Side, Term};
    use crate::variables::Variables;

    #[test]
    fn every_function_of_three_atoms_is_written_correctly() {
        let atoms: Vec<Atom> = (0..3)
            .map(|n| Atom::Same(Term::Slot(Side::First, n), Term::Value(true.into())))
            .collect();
        let names: Vec<String> = ["a", "b", "c"].map(String::from).into();
        let names = Variables::new(names, Vec::new());
        let holds = |f: &Formula, row: usize| {
            use crate::{Ints, Invocation, evaluate};
            let args: Vec<_> = (0..3).map(|i| (row >> i & 1 == 1).into()).collect();
            let call = Invocation::new(0, &args, &[]);
            evaluate(f, call, call, None, &Ints).expect("there is no state")
        };
        for function in 0..256usize {
            let values: Vec<_> = (0..8).map(|row| Some(function >> row & 1 == 1)).collect();
            let formula = formula(&atoms, &values).expect("three atoms are few");
            for (row, value) in values.iter().enumerate() {
                let text = formula.text(&names);
                assert_eq!(
                    Some(holds(&formula, row)),
                    *value,
                    "{text} for {function:b}"
                );
            }
        }
        let text = |wanted: fn(bool, bool, bool) -> bool| {
            let bit = |row: usize, i: usize| row >> i & 1 == 1;
            let value = |row| Some(wanted(bit(row, 0), bit(row, 1), bit(row, 2)));
            let values: Vec<_> = (0..8).map(value).collect();
            formula(&atoms, &values)
                .expect("three atoms are few")
                .text(&names)
        };
        assert_eq!(text(|a, b, _| a && !b), "a && !b");
        assert_eq!(text(|a, b, c| a || (b && c)), "a || (b && c)");
        assert_eq!(
            text(|a, b, c| if c { a } else { b }),
            "(a && c) || (b && !c)"
        );
        assert_eq!(text(|a, b, c| a && (b || c)), "a && (b || c)");
    }
}
