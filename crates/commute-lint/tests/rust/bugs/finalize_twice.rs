//! Blocks are finalized by two ways, the voter and the synchronization. Both
//! compare with the number of the last one that is final before they apply
//! their block; both may pass for the same block, and the change of authorities
//! in it is applied twice. The lock of the authorities now covers both.
//@ finding: Environment::finalize_block
use std::sync::{Mutex, RwLock};

#[derive(Default)]
pub struct ChainInfo {
    finalized: u64,
    hashes: Vec<u64>,
}

#[derive(Default)]
pub struct Client {
    info: RwLock<ChainInfo>,
}

impl Client {
    pub fn finalized_number(&self) -> u64 {
        self.info.read().unwrap().finalized
    }

    fn apply(&self, number: u64, hash: u64) {
        let mut info = self.info.write().unwrap();
        info.finalized = number;
        info.hashes.push(hash);
    }
}

#[derive(Default)]
pub struct AuthoritySet {
    set_id: u64,
}

#[derive(Default)]
pub struct Environment {
    client: Client,
    authorities: Mutex<AuthoritySet>,
}

impl Environment {
    #[cfg(not(fixed))]
    pub fn finalize_block(&self, number: u64, hash: u64, changes_authorities: bool) {
        if number <= self.client.finalized_number() {
            return;
        }
        if changes_authorities {
            self.authorities.lock().unwrap().set_id += 1;
        }
        self.client.apply(number, hash);
    }

    #[cfg(fixed)]
    pub fn finalize_block(&self, number: u64, hash: u64, changes_authorities: bool) {
        let mut authorities = self.authorities.lock().unwrap();
        if number <= self.client.finalized_number() {
            return;
        }
        if changes_authorities {
            authorities.set_id += 1;
        }
        self.client.apply(number, hash);
    }
}
