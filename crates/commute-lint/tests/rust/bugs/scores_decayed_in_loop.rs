//! Scores are collected, scaled, and written back one by one.
//@ finding: Reputation::decay
use std::collections::HashMap;
use std::sync::Mutex;

pub type PeerId = u64;

#[derive(Default)]
pub struct Reputation {
    scores: Mutex<HashMap<PeerId, i64>>,
}

impl Reputation {
    pub fn reward(&self, peer: PeerId, by: i64) {
        *self.scores.lock().unwrap().entry(peer).or_insert(0) += by;
    }
    pub fn score(&self, peer: PeerId) -> i64 {
        self.scores.lock().unwrap().get(&peer).copied().unwrap_or(0)
    }
    #[cfg(not(fixed))]
    pub fn decay(&self) -> usize {
        let decayed: Vec<(PeerId, i64)> = {
            let scores = self.scores.lock().unwrap();
            scores.iter().map(|(peer, score)| (*peer, score * 9 / 10)).collect()
        };
        let changed = decayed.len();
        for (peer, score) in decayed {
            self.scores.lock().unwrap().insert(peer, score);
        }
        changed
    }
    #[cfg(fixed)]
    pub fn decay(&self) -> usize {
        let mut scores = self.scores.lock().unwrap();
        for score in scores.values_mut() {
            *score = *score * 9 / 10;
        }
        scores.len()
    }
}
