//! What is taken out of one entry is added to another.
use dashmap::DashMap;

#[derive(Default)]
pub struct Balances {
    coins: DashMap<u64, u64>,
    closed: DashMap<u64, ()>,
}

impl Balances {
    pub fn earn(&self, who: u64, coins: u64) {
        *self.coins.entry(who).or_insert(0) += coins;
    }
    pub fn close(&self, who: u64, heir: u64) -> u64 {
        let Some((_, coins)) = self.coins.remove(&who) else {
            return 0;
        };
        self.closed.insert(who, ());
        if coins > 0 {
            *self.coins.entry(heir).or_insert(0) += coins;
        }
        coins
    }
    pub fn is_closed(&self, who: u64) -> bool {
        self.closed.contains_key(&who)
    }
}
