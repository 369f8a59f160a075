//! From the points of §6.2 to few classes of points (RD2 A.3).
//!
//! The four steps of the paper are one: drop points without conflicts, and
//! merge points with equal conflict rows, compared over all points including
//! the two themselves. Consolidation and dropping of atoms are merges of points
//! of one method and slot, replacement is a merge across methods, cleanup is the
//! dropping. One round reaches the fixpoint: dropping removes empty columns and
//! merging removes duplicates of columns, so two rows that differ go on to
//! differ.
//!
//! It is done in two rounds all the same, for cost: first among the β vectors
//! of one method and slot, of which there may be thousands, by comparing what
//! each pair says about them; then among what is left.

use rustc_hash::FxHashMap;

use super::translate::{Raw, Translation};
use crate::logic::residue::Key;

/// More classes than this are not made; see [`simplify`].
const MOST_CELLS: usize = 4096;

/// Points that conflict with the same points.
#[derive(Debug)]
pub(super) struct Merged {
    /// The points, by method, key and β.
    pub(super) points: Vec<Raw>,
    /// The classes this one conflicts with, in order.
    pub(super) conflicts: Vec<usize>,
}

/// The classes of points; `None` if there are too many.
pub(super) fn simplify(translation: &Translation) -> Option<Vec<Merged>> {
    let mut cells: Vec<Vec<Raw>> = Vec::new();
    for method in 0..translation.atoms.len() {
        for key in translation.keys(method) {
            cells.extend(cells_of(translation, method, key));
            if cells.len() > MOST_CELLS {
                return None;
            }
        }
    }
    // All points of a cell have the same conflicts, so one speaks for all.
    let row = |cell: &Vec<Raw>| -> Vec<usize> {
        let conflict = |other: &Vec<Raw>| translation.conflict(cell[0], other[0]);
        (0..cells.len()).filter(|i| conflict(&cells[*i])).collect()
    };
    let rows: Vec<Vec<usize>> = cells.iter().map(row).collect();
    let mut classes: Vec<Merged> = Vec::new();
    let mut class_of_row: FxHashMap<&[usize], usize> = FxHashMap::default();
    let mut class_of_cell = Vec::new();
    for (cell, row) in cells.iter().zip(&rows) {
        if row.is_empty() {
            class_of_cell.push(None);
            continue;
        }
        let class = *class_of_row.entry(row).or_insert_with(|| {
            classes.push(Merged {
                points: Vec::new(),
                conflicts: row.clone(),
            });
            classes.len() - 1
        });
        classes[class].points.extend(cell);
        class_of_cell.push(Some(class));
    }
    for class in &mut classes {
        let conflicts = class
            .conflicts
            .iter()
            .filter_map(|cell| class_of_cell[*cell]);
        class.conflicts = conflicts.collect();
        class.conflicts.sort_unstable();
        class.conflicts.dedup();
    }
    Some(classes)
}

/// The points of one method and key, those with equal rows together.
fn cells_of(translation: &Translation, method: usize, key: Key) -> Vec<Vec<Raw>> {
    let partners = translation.partners(method);
    // Rows of one pair get a number; a point is told by its numbers.
    let mut numbers = vec![FxHashMap::default(); partners.len()];
    let mut known = vec![FxHashMap::default(); partners.len()];
    let mut cells: Vec<Vec<Raw>> = Vec::new();
    let mut cell_of: FxHashMap<Vec<usize>, usize> = FxHashMap::default();
    for &beta in translation.betas(method) {
        let mut signature = Vec::with_capacity(partners.len());
        for (i, (pair, side)) in partners.iter().enumerate() {
            let number = *known[i]
                .entry(pair.project(*side, beta))
                .or_insert_with(|| {
                    let next = numbers[i].len();
                    *numbers[i].entry(pair.row(*side, beta, key)).or_insert(next)
                });
            signature.push(number);
        }
        let cell = *cell_of.entry(signature).or_insert(cells.len());
        if cell == cells.len() {
            cells.push(Vec::new());
        }
        cells[cell].push(Raw { method, key, beta });
    }
    cells
}
