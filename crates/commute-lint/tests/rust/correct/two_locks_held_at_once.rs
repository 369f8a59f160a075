//! Two that are written together, each with its own lock: who reads both has
//! both locks, as temporaries of one expression live until its end.
use std::sync::RwLock;

#[derive(Default)]
pub struct Ledger {
    blocks: RwLock<Vec<u64>>,
    balances: RwLock<Vec<i64>>,
}

pub struct View {
    pub blocks: Vec<u64>,
    pub balances: Vec<i64>,
}

impl Ledger {
    pub fn commit(&self, block: u64, balance: i64) {
        let mut blocks = self.blocks.write().unwrap();
        let mut balances = self.balances.write().unwrap();
        blocks.push(block);
        balances.push(balance);
    }

    pub fn view(&self) -> View {
        View {
            blocks: self.blocks.read().unwrap().clone(),
            balances: self.balances.read().unwrap().clone(),
        }
    }

    pub fn length(&self) -> usize {
        let blocks = self.blocks.read().unwrap();
        let balances = self.balances.read().unwrap();
        blocks.len().min(balances.len())
    }
}
