//! Sets of small numbers.

/// A set of numbers below a bound that is given once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// The empty set of numbers below `bound`.
    pub(crate) fn new(bound: usize) -> Bits {
        Bits {
            words: vec![0; bound.div_ceil(64)],
        }
    }

    pub(crate) fn insert(&mut self, index: usize) -> bool {
        let word = &mut self.words[index / 64];
        let before = *word;
        *word |= 1 << (index % 64);
        *word != before
    }

    pub(crate) fn contains(&self, index: usize) -> bool {
        let word = self.words.get(index / 64).copied().unwrap_or(0);
        word & (1 << (index % 64)) != 0
    }

    /// Adds the others; whether that changed anything.
    pub(crate) fn union(&mut self, others: &Bits) -> bool {
        let mut changed = false;
        for (word, other) in self.words.iter_mut().zip(&others.words) {
            changed |= *other & !*word != 0;
            *word |= other;
        }
        changed
    }

    /// Keeps what is in the others, too.
    pub(crate) fn intersect(&mut self, others: &Bits) {
        for (word, other) in self.words.iter_mut().zip(&others.words) {
            *word &= other;
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    pub(crate) fn remove(&mut self, index: usize) {
        self.words[index / 64] &= !(1 << (index % 64));
    }

    /// The first member that is not less than `from`.
    pub(crate) fn first_from(&self, from: usize) -> Option<usize> {
        let mut index = from / 64;
        let mut word = self.words.get(index)? & (u64::MAX << (from % 64));
        while word == 0 {
            index += 1;
            word = *self.words.get(index)?;
        }
        Some(index * 64 + word.trailing_zeros() as usize)
    }

    /// The members from `from` up to and without `to`, in order.
    pub(crate) fn range(&self, from: usize, to: usize) -> impl Iterator<Item = usize> + '_ {
        let words = from / 64..to.div_ceil(64).min(self.words.len());
        words.flat_map(move |index| {
            let mut word = self.words[index];
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros() as usize;
                word &= word.checked_sub(1)?;
                Some(index * 64 + bit)
            })
            .filter(move |found| (from..to).contains(found))
        })
    }

    /// All members, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.range(0, self.words.len() * 64)
    }
}
