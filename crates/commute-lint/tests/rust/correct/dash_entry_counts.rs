//! Words are counted by `entry`, and looked up for a report.
use dashmap::DashMap;
use rayon::prelude::*;

#[derive(Default)]
pub struct Words {
    counts: DashMap<String, u64>,
}

impl Words {
    pub fn count(&self, text: &str) {
        for word in text.split_whitespace() {
            *self.counts.entry(word.to_lowercase()).or_insert(0) += 1;
        }
    }
    pub fn count_all(&self, texts: &[String]) {
        texts.par_iter().for_each(|text| self.count(text));
    }
    pub fn of(&self, word: &str) -> u64 {
        self.counts.get(word).map_or(0, |count| *count)
    }
    pub fn rename(&self, from: &str, to: &str) {
        if let Some((_, count)) = self.counts.remove(from) {
            *self.counts.entry(to.to_owned()).or_default() += count;
        }
    }
}
