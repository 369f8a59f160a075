//! `and_modify` decides at once, and writes what was computed before.
//@ suppression: Decisive
//@ finding: score
use std::collections::BTreeMap;
use std::sync::Mutex;
pub struct Scores {
    points: Mutex<BTreeMap<String, u64>>,
}
fn bonus(points: u64) -> u64 {
    points / 10
}
impl Scores {
    pub fn score(&self, player: &str) {
        let seen = self.points.lock().unwrap().get(player).copied();
        let next = seen.map_or(1, |points| points + 1 + bonus(points));
        let mut points = self.points.lock().unwrap();
        #[cfg(not(fixed))]
        points
            .entry(player.to_owned())
            .and_modify(|points| *points = next)
            .or_insert(1);
        #[cfg(fixed)]
        points
            .entry(player.to_owned())
            .and_modify(|points| *points += 1 + bonus(*points))
            .or_insert(1);
    }
}
