//! What would be left is computed without the lock.
//@ finding: Wallets::pay
use std::collections::HashMap;
use std::sync::RwLock;

#[derive(Default)]
pub struct Wallets {
    coins: RwLock<HashMap<u32, u64>>,
}

impl Wallets {
    pub fn earn(&self, who: u32, amount: u64) {
        *self.coins.write().unwrap().entry(who).or_default() += amount;
    }
    #[cfg(not(fixed))]
    pub fn pay(&self, who: u32, amount: u64) -> Result<u64, String> {
        let coins = self.coins.read().unwrap().get(&who).copied().unwrap_or(0);
        let left = coins
            .checked_sub(amount)
            .ok_or_else(|| format!("{who} has only {coins}"))?;
        self.coins.write().unwrap().insert(who, left);
        Ok(left)
    }
    #[cfg(fixed)]
    pub fn pay(&self, who: u32, amount: u64) -> Result<u64, String> {
        let mut all = self.coins.write().unwrap();
        let coins = all.get(&who).copied().unwrap_or(0);
        let left = coins
            .checked_sub(amount)
            .ok_or_else(|| format!("{who} has only {coins}"))?;
        all.insert(who, left);
        Ok(left)
    }
}
