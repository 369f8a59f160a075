//! The queue of transactions of a client (parity-ethereum #735): whether one is
//! for now or for later is decided with the nonce of the account, and when it is
//! inserted the nonce is fetched again, from a state that may have changed. It
//! is fetched once now.
//@ finding: TransactionQueue::import_tx
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, RwLock};

pub type Address = [u8; 20];

#[derive(Clone, Copy, Default)]
pub struct AccountDetails {
    pub nonce: u64,
    pub balance: u64,
}

#[derive(Default)]
pub struct Client {
    accounts: RwLock<HashMap<Address, AccountDetails>>,
}

impl Client {
    pub fn fetch_account(&self, address: &Address) -> AccountDetails {
        let accounts = self.accounts.read().unwrap();
        accounts.get(address).copied().unwrap_or_default()
    }
    pub fn execute(&self, address: Address, cost: u64) {
        let mut accounts = self.accounts.write().unwrap();
        let account = accounts.entry(address).or_default();
        account.nonce += 1;
        account.balance = account.balance.saturating_sub(cost);
    }
}

pub struct SignedTransaction {
    pub sender: Address,
    pub nonce: u64,
    pub hash: u64,
}

pub enum TransactionError {
    Old,
}

#[derive(Default)]
pub struct Queue {
    current: BTreeMap<(Address, u64), u64>,
    future: BTreeMap<(Address, u64), u64>,
    last_nonces: HashMap<Address, u64>,
}

pub struct TransactionQueue {
    client: Arc<Client>,
    queue: Mutex<Queue>,
}

impl TransactionQueue {
    fn insert_current(queue: &mut Queue, tx: &SignedTransaction, height: u64) {
        queue
            .current
            .insert((tx.sender, tx.nonce - height), tx.hash);
        queue.last_nonces.insert(tx.sender, tx.nonce);
    }

    pub fn import_tx(&self, tx: SignedTransaction) -> Result<(), TransactionError> {
        let account = self.client.fetch_account(&tx.sender);
        if tx.nonce < account.nonce {
            return Err(TransactionError::Old);
        }
        let mut queue = self.queue.lock().unwrap();
        let next = queue
            .last_nonces
            .get(&tx.sender)
            .map_or(account.nonce, |last| last + 1);
        if tx.nonce > next {
            queue.future.insert((tx.sender, tx.nonce), tx.hash);
            return Ok(());
        }
        #[cfg(not(fixed))]
        let state_nonce = self.client.fetch_account(&tx.sender).nonce;
        #[cfg(fixed)]
        let state_nonce = account.nonce;
        Self::insert_current(&mut queue, &tx, state_nonce);
        Ok(())
    }
}
