//! iterator chain value.
//@ finding: Scores::promote
use std::collections::HashMap;
use std::sync::RwLock;
pub struct Scores {
    scores: RwLock<HashMap<String, i64>>,
}
impl Scores {
    fn best(&self) -> Option<(String, i64)> {
        self.scores
            .read()
            .unwrap()
            .iter()
            .max_by_key(|(_, score)| **score)
            .map(|(name, score)| (name.clone(), *score))
    }
    #[cfg(not(fixed))]
    pub fn promote(&self, bonus: i64) -> Option<String> {
        let (name, score) = self.best()?;
        self.scores
            .write()
            .unwrap()
            .insert(name.clone(), score + bonus);
        Some(name)
    }
    #[cfg(fixed)]
    pub fn promote(&self, bonus: i64) -> Option<String> {
        let mut scores = self.scores.write().unwrap();
        let (name, score) = scores.iter_mut().max_by_key(|(_, score)| **score)?;
        *score += bonus;
        Some(name.clone())
    }
    pub fn leader(&self) -> Option<String> {
        self.best().map(|(name, _)| name)
    }
    pub fn remove(&self, name: &str) {
        self.scores.write().unwrap().remove(name);
    }
}
