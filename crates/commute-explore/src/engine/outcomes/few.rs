//! Sets of threads, or of other things with small numbers.

use smallvec::SmallVec;

/// A set of small numbers.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Few {
    words: SmallVec<[u64; 2]>,
}

impl Few {
    pub(super) fn contains(&self, thread: usize) -> bool {
        let word = self.words.get(thread / 64);
        word.is_some_and(|word| word & 1 << (thread % 64) != 0)
    }

    /// Adds one; whether it was not there.
    pub(super) fn insert(&mut self, thread: usize) -> bool {
        if self.words.len() <= thread / 64 {
            self.words.resize(thread / 64 + 1, 0);
        }
        let word = &mut self.words[thread / 64];
        let was = *word;
        *word |= 1 << (thread % 64);
        *word != was
    }

    /// Adds all of those.
    pub(super) fn extend(&mut self, others: &Few) {
        if self.words.len() < others.words.len() {
            self.words.resize(others.words.len(), 0);
        }
        for (word, other) in self.words.iter_mut().zip(&others.words) {
            *word |= other;
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// The threads, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let bits = |(index, word): (usize, &u64)| {
            let mut word = *word;
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros() as usize;
                word &= word.wrapping_sub(1);
                (bit < 64).then_some(index * 64 + bit)
            })
        };
        self.words.iter().enumerate().flat_map(bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_what_was_put_in() {
        let mut set = Few::default();
        assert!(set.is_empty());
        assert!(set.insert(3) && set.insert(130) && !set.insert(3));
        assert!(set.contains(130) && !set.contains(4) && !set.contains(1000));
        assert_eq!(set.iter().collect::<Vec<_>>(), [3, 130]);
    }
}
