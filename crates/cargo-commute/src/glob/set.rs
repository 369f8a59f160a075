//! Many patterns at once.
//!
//! Of most patterns a part is plain text, which every match contains. The last 64, 32, …, 2 or
//! 1 bytes of it are the key of the pattern, as many as there are. For a text, all its pieces
//! of these lengths are looked up, and only the patterns are tried whose keys are among them.
//! So the time for a text does not grow with the number of patterns that have nothing in common
//! with it.

use std::collections::{BTreeMap, BTreeSet};

use super::Glob;

/// The longest key, and the number of lengths, all of which are powers of two.
const LENGTHS: usize = 7;

/// Patterns, which have numbers from 0.
#[derive(Debug)]
pub(crate) struct GlobSet {
    globs: Vec<Glob>,
    /// The places of keys in `with_key`.
    keys: BTreeMap<Vec<u8>, usize>,
    /// The patterns with each key.
    with_key: Vec<Vec<usize>>,
    /// The patterns without one.
    without: Vec<usize>,
    /// The lengths that keys have.
    lengths: BTreeSet<usize>,
}

impl GlobSet {
    /// The set of these patterns.
    pub(crate) fn new(globs: Vec<Glob>) -> GlobSet {
        let mut set = GlobSet {
            globs: Vec::new(),
            keys: BTreeMap::new(),
            with_key: Vec::new(),
            without: Vec::new(),
            lengths: BTreeSet::new(),
        };
        for (number, glob) in globs.iter().enumerate() {
            let Some(key) = key(glob.needle.as_bytes()) else {
                set.without.push(number);
                continue;
            };
            set.lengths.insert(key.len());
            let next = set.with_key.len();
            let place = *set.keys.entry(key.to_owned()).or_insert(next);
            if place == next {
                set.with_key.push(Vec::new());
            }
            set.with_key[place].push(number);
        }
        GlobSet { globs, ..set }
    }

    /// The patterns that match all of a text.
    pub(crate) fn matches(&self, text: &str) -> BTreeSet<usize> {
        let matches = |number: &usize| self.globs[*number].is_match(text);
        self.candidates(text).filter(matches).collect()
    }

    /// Whether a pattern matches all of a text.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        let mut candidates = self.candidates(text);
        candidates.any(|number| self.globs[number].is_match(text))
    }

    /// The patterns that may match, each once.
    fn candidates(&self, text: &str) -> impl Iterator<Item = usize> {
        let lengths = self.lengths.iter();
        let pieces = lengths.flat_map(|length| text.as_bytes().windows(*length));
        let places = pieces.filter_map(|piece| self.keys.get(piece));
        let places: BTreeSet<usize> = places.copied().collect();
        let with_key = places.into_iter().flat_map(|place| &self.with_key[place]);
        self.without.iter().chain(with_key).copied()
    }
}

/// The key of a pattern with this part, which may be empty.
fn key(part: &[u8]) -> Option<&[u8]> {
    let power = part.len().checked_ilog2()?;
    let length = 1 << (power as usize).min(LENGTHS - 1);
    Some(&part[part.len() - length..])
}
