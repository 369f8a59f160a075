//! Transactions are checked against the state of the chain, which takes a
//! while, and are then added to the pool with the account's number from that
//! check. A block that comes in between has raised the number; the pool goes
//! back to the old one, and later transactions of the account wait forever. A
//! lock is now held by imports from check to insertion, and by new blocks.
//@ finding: Pool::add_transaction
use parking_lot::RwLock;
use std::collections::BTreeMap;
use std::sync::Arc;

pub struct Validated {
    sender: u64,
    nonce: u64,
    state_nonce: u64,
}

struct Inner {
    state_nonces: RwLock<BTreeMap<u64, u64>>,
    pending: RwLock<BTreeMap<(u64, u64), u64>>,
    import: RwLock<()>,
}

#[derive(Clone)]
pub struct Pool {
    inner: Arc<Inner>,
}

impl Pool {
    async fn validate(&self, sender: u64, nonce: u64) -> Option<Validated> {
        let state_nonce = self.inner.state_nonces.read().get(&sender).copied()?;
        (nonce >= state_nonce).then_some(Validated {
            sender,
            nonce,
            state_nonce,
        })
    }

    fn insert(&self, valid: Validated) {
        let mut state_nonces = self.inner.state_nonces.write();
        let mut pending = self.inner.pending.write();
        state_nonces.insert(valid.sender, valid.state_nonce);
        pending.insert((valid.sender, valid.nonce), valid.nonce - valid.state_nonce);
    }

    pub async fn add_transaction(&self, sender: u64, nonce: u64) -> bool {
        #[cfg(fixed)]
        let _import = self.inner.import.read();
        let Some(valid) = self.validate(sender, nonce).await else {
            return false;
        };
        self.insert(valid);
        true
    }

    pub fn on_new_block(&self, changes: &[(u64, u64)]) {
        #[cfg(fixed)]
        let _import = self.inner.import.write();
        let mut state_nonces = self.inner.state_nonces.write();
        for (sender, nonce) in changes {
            state_nonces.insert(*sender, *nonce);
        }
    }
}
