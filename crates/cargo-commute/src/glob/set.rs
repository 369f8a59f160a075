//! Many patterns at once.
//!
//! Of most patterns a part is plain text, which every match contains. All such parts are
//! looked for at once (Aho, Corasick: Efficient String Matching, CACM 1975), and only the
//! patterns are tried whose part is there. So the time for a text does not grow with the number
//! of patterns that have nothing in common with it.

use std::collections::{BTreeMap, BTreeSet};

use aho_corasick::AhoCorasick;
use anyhow::{Context, Result};

use super::Glob;

/// Patterns, which have numbers from 0.
#[derive(Debug)]
pub(crate) struct GlobSet {
    globs: Vec<Glob>,
    /// Finds the parts.
    search: AhoCorasick,
    /// The patterns with this part.
    with_part: Vec<Vec<usize>>,
    /// The patterns without a part.
    without: Vec<usize>,
}

impl GlobSet {
    /// The set of these patterns.
    ///
    /// # Errors
    /// If there are too many.
    pub(crate) fn new(globs: Vec<Glob>) -> Result<GlobSet> {
        let mut parts: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut without = Vec::new();
        for (number, glob) in globs.iter().enumerate() {
            match &*glob.needle {
                "" => without.push(number),
                part => parts.entry(part).or_default().push(number),
            }
        }
        Ok(GlobSet {
            search: AhoCorasick::new(parts.keys()).context("there are too many patterns")?,
            with_part: parts.into_values().collect(),
            without,
            globs,
        })
    }

    /// The patterns that match all of a text.
    pub(crate) fn matches(&self, text: &str) -> BTreeSet<usize> {
        let matches = |number: &usize| self.globs[*number].is_match(text);
        self.candidates(text).into_iter().filter(matches).collect()
    }

    /// Whether a pattern matches all of a text.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        let mut candidates = self.candidates(text).into_iter();
        candidates.any(|number| self.globs[number].is_match(text))
    }

    /// The patterns that may match.
    fn candidates(&self, text: &str) -> BTreeSet<usize> {
        let mut parts = BTreeSet::new();
        let mut candidates: BTreeSet<usize> = self.without.iter().copied().collect();
        for found in self.search.find_overlapping_iter(text) {
            let part = found.pattern().as_usize();
            if parts.insert(part) {
                candidates.extend(&self.with_part[part]);
            }
        }
        candidates
    }
}
