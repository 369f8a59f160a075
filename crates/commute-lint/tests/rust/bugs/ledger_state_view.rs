//! The state of a ledger (iroha #4867): a block is committed to the world, to
//! the blocks and to the transactions one after the other, and a view takes
//! them one after the other, so a snapshot may have a block without what it
//! did. A lock over all is held by the commit and while a view is taken.
//@ finding: State::view
use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};

#[derive(Clone, Default)]
pub struct World {
    pub assets: BTreeMap<String, u64>,
    pub triggers: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockHash(pub u64);

#[derive(Default)]
pub struct State {
    world: RwLock<Arc<World>>,
    block_hashes: RwLock<Vec<BlockHash>>,
    transactions: RwLock<BTreeMap<u64, usize>>,
    view_lock: RwLock<()>,
}

pub struct StateView {
    pub world: Arc<World>,
    pub block_hashes: Vec<BlockHash>,
    pub transactions: BTreeMap<u64, usize>,
}

pub struct StateBlock<'s> {
    state: &'s State,
    world: World,
    hash: BlockHash,
    transactions: Vec<u64>,
}

impl State {
    pub fn block(&self, hash: BlockHash, transactions: Vec<u64>) -> StateBlock<'_> {
        let world = World::clone(&self.world.read().unwrap());
        StateBlock {
            state: self,
            world,
            hash,
            transactions,
        }
    }

    pub fn view(&self) -> StateView {
        #[cfg(fixed)]
        let _view = self.view_lock.read().unwrap();
        let world = self.world.read().unwrap().clone();
        let block_hashes = self.block_hashes.read().unwrap().clone();
        let transactions = self.transactions.read().unwrap().clone();
        StateView {
            world,
            block_hashes,
            transactions,
        }
    }

    /// One block at a time: the caller has the only right to it.
    fn commit(&self, world: World, hash: BlockHash, done: &[u64]) {
        #[cfg(fixed)]
        let _view = self.view_lock.write().unwrap();
        let mut transactions = self.transactions.write().unwrap();
        let mut hashes = self.block_hashes.write().unwrap();
        let height = hashes.len();
        transactions.extend(done.iter().map(|id| (*id, height)));
        hashes.push(hash);
        *self.world.write().unwrap() = Arc::new(world);
    }
}

impl StateBlock<'_> {
    pub fn mint(&mut self, asset: &str, amount: u64) {
        *self.world.assets.entry(asset.to_owned()).or_default() += amount;
    }
    pub fn commit(self) {
        self.state.commit(self.world, self.hash, &self.transactions);
    }
}
