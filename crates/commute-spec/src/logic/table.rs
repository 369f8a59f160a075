//! Truth tables as bits.
//!
//! Row r of a table over n variables gives variable i the value of bit i of r.
//! All operations take O(2ⁿ / 64).

/// The truth table of a propositional formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Table {
    words: Vec<u64>,
    /// The bits of a word that are rows: all of them from six variables on.
    mask: u64,
}

/// The rows of a word in which variable i < 6 is true.
const PATTERNS: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

impl Table {
    /// The table of a constant.
    pub(crate) fn constant(variables: usize, value: bool) -> Table {
        let mask = match variables {
            0..6 => (1 << (1 << variables)) - 1,
            _ => u64::MAX,
        };
        let word = if value { mask } else { 0 };
        Table {
            words: vec![word; 1 << variables.saturating_sub(6)],
            mask,
        }
    }

    /// The table of a variable.
    pub(crate) fn variable(variables: usize, variable: usize) -> Table {
        debug_assert!(variable < variables);
        let mut table = Table::constant(variables, false);
        for (i, word) in table.words.iter_mut().enumerate() {
            *word = match variable.checked_sub(6) {
                None => PATTERNS[variable] & table.mask,
                Some(bit) if i >> bit & 1 == 1 => u64::MAX,
                Some(_) => 0,
            };
        }
        table
    }

    pub(crate) fn and(&mut self, other: &Table) {
        self.combine(other, |a, b| a & b);
    }

    pub(crate) fn or(&mut self, other: &Table) {
        self.combine(other, |a, b| a | b);
    }

    pub(crate) fn xor(&mut self, other: &Table) {
        self.combine(other, |a, b| a ^ b);
    }

    pub(crate) fn not(&mut self) {
        for word in &mut self.words {
            *word = !*word & self.mask;
        }
    }

    /// Removes the rows of `other`.
    pub(crate) fn without(&mut self, other: &Table) {
        self.combine(other, |a, b| a & !b);
    }

    fn combine(&mut self, other: &Table, operation: impl Fn(u64, u64) -> u64) {
        for (a, b) in self.words.iter_mut().zip(&other.words) {
            *a = operation(*a, *b);
        }
    }

    /// Whether no row is true.
    pub(crate) fn is_false(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Whether a row is true.
    pub(crate) fn get(&self, row: usize) -> bool {
        self.words[row / 64] >> (row % 64) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_agree_with_their_definition() {
        for variables in 0..9 {
            for variable in 0..variables {
                let table = Table::variable(variables, variable);
                let mut other = Table::variable(variables, variables - 1);
                other.not();
                other.or(&table);
                for row in 0..1 << variables {
                    let (a, b) = (row >> variable & 1 == 1, row >> (variables - 1) & 1 == 1);
                    assert_eq!(table.get(row), a);
                    assert_eq!(other.get(row), a || !b);
                }
            }
            let mut table = Table::constant(variables, true);
            table.not();
            assert!(table.is_false());
        }
    }
}
