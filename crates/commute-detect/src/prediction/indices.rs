//! Sets of events of a window, in order.

/// Indices of events after a prefix of the trace.
#[derive(Debug)]
pub(super) struct Indices {
    prefix: u64,
    /// A bit for each event, and how many events there are before each word.
    words: Vec<u64>,
    ranks: Vec<u32>,
}

impl Indices {
    /// No events, of those after the first `prefix` ones up to the last one.
    pub(super) fn new(prefix: u64, last: u64) -> Indices {
        let words = last.saturating_sub(prefix) / 64 + 1;
        Indices {
            prefix,
            words: vec![0; words as usize],
            ranks: Vec::new(),
        }
    }

    /// Adds an event if it is after the prefix.
    pub(super) fn insert(&mut self, index: u64) {
        if let Some(bit) = index.checked_sub(self.prefix + 1) {
            self.words[(bit / 64) as usize] |= 1 << (bit % 64);
        }
    }

    /// The events in order. From now on their [places](Self::place) are known.
    pub(super) fn sorted(&mut self) -> Vec<u64> {
        let mut count = 0;
        let ranks = self.words.iter().map(|word| {
            let rank = count;
            count += word.count_ones();
            rank
        });
        self.ranks = ranks.collect();
        let mut sorted = Vec::with_capacity(count as usize);
        for (first, &word) in (self.prefix + 1..).step_by(64).zip(&self.words) {
            let mut word = word;
            while word != 0 {
                sorted.push(first + u64::from(word.trailing_zeros()));
                word &= word - 1;
            }
        }
        sorted
    }

    /// The place of an event among all.
    pub(super) fn place(&self, index: u64) -> Option<u32> {
        let bit = index.checked_sub(self.prefix + 1)?;
        let word = *self.words.get((bit / 64) as usize)?;
        let before = (1 << (bit % 64)) - 1;
        let is_inside = word & (before + 1) != 0;
        is_inside.then(|| self.ranks[(bit / 64) as usize] + (word & before).count_ones())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_sorted_and_have_places() {
        let mut indices = Indices::new(100, 400);
        for index in [230, 101, 100, 7, 164, 165, 228, 400, 101] {
            indices.insert(index);
        }
        let sorted = indices.sorted();
        assert_eq!(sorted, [101, 164, 165, 228, 230, 400]);
        for index in 0..500 {
            let place = sorted.binary_search(&index).ok().map(|place| place as u32);
            assert_eq!(indices.place(index), place, "{index}");
        }
    }
}
