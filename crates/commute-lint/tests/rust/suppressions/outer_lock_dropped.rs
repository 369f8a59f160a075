//! The outer lock is given back between the two.
//@ suppression: OuterLock
//@ finding: promote
use std::collections::BTreeMap;
use std::sync::Mutex;
pub struct Ranks {
    order: Mutex<()>,
    ranks: Mutex<BTreeMap<u32, u32>>,
}
impl Ranks {
    pub fn promote(&self, who: u32) {
        let order = self.order.lock().unwrap();
        let rank = self.ranks.lock().unwrap().get(&who).copied();
        #[cfg(not(fixed))]
        drop(order);
        let next = rank.map_or(1, |rank| rank + 1);
        #[cfg(not(fixed))]
        let order = self.order.lock().unwrap();
        self.ranks.lock().unwrap().insert(who, next);
        drop(order);
    }
}
