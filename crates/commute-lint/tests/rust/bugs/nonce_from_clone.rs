//! nonce from clone.
//@ finding: Signer::sign
use std::sync::{Arc, Mutex};
#[derive(Clone)]
pub struct Account {
    nonce: u64,
    key: Vec<u8>,
}
pub struct Signer {
    account: Arc<Mutex<Account>>,
}
impl Signer {
    #[cfg(not(fixed))]
    pub fn sign(&self, data: &[u8]) -> (u64, Vec<u8>) {
        let mut account = self.account.lock().unwrap().clone();
        account.nonce += 1;
        let signed = data.iter().chain(&account.key).copied().collect();
        let nonce = account.nonce;
        *self.account.lock().unwrap() = account;
        (nonce, signed)
    }
    #[cfg(fixed)]
    pub fn sign(&self, data: &[u8]) -> (u64, Vec<u8>) {
        let account = {
            let mut account = self.account.lock().unwrap();
            account.nonce += 1;
            account.clone()
        };
        let signed = data.iter().chain(&account.key).copied().collect();
        (account.nonce, signed)
    }
}
