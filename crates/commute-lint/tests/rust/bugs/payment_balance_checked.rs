//! Payments of a ledger (solana #199): the balance is loaded and compared with
//! the amount, and taken from afterwards. Two payments may both find enough. It
//! is now exchanged in a loop.
//@ finding: Accountant::apply_payment
use std::collections::HashMap;
use std::sync::RwLock;
use std::sync::atomic::{AtomicIsize, AtomicUsize, Ordering};

pub type PublicKey = [u8; 32];

pub struct Payment {
    pub tokens: i64,
    pub to: PublicKey,
}

pub struct Transaction {
    pub from: PublicKey,
    pub payment: Payment,
    pub signature: u64,
}

#[derive(Debug, PartialEq, Eq)]
pub enum AccountingError {
    InsufficientFunds,
    AccountNotFound,
    InvalidTransferSignature,
}

pub type Result<T> = std::result::Result<T, AccountingError>;

#[derive(Default)]
pub struct Accountant {
    balances: RwLock<HashMap<PublicKey, AtomicIsize>>,
    signatures: RwLock<Vec<u64>>,
    transaction_count: AtomicUsize,
}

fn apply_credit(balances: &RwLock<HashMap<PublicKey, AtomicIsize>>, payment: &Payment) {
    if balances.read().unwrap().contains_key(&payment.to) {
        let balances = balances.read().unwrap();
        if let Some(balance) = balances.get(&payment.to) {
            balance.fetch_add(payment.tokens as isize, Ordering::Relaxed);
        }
        return;
    }
    let mut balances = balances.write().unwrap();
    let balance = balances.entry(payment.to).or_default();
    balance.fetch_add(payment.tokens as isize, Ordering::Relaxed);
}

impl Accountant {
    fn reserve_signature(&self, signature: u64) -> bool {
        let mut signatures = self.signatures.write().unwrap();
        if signatures.contains(&signature) {
            return false;
        }
        signatures.push(signature);
        true
    }

    #[cfg(not(fixed))]
    fn apply_payment(&self, from: &PublicKey, tokens: isize, signature: u64) -> Result<()> {
        let balances = self.balances.read().unwrap();
        let option = balances.get(from);
        if option.is_none() {
            return Err(AccountingError::AccountNotFound);
        }
        if !self.reserve_signature(signature) {
            return Err(AccountingError::InvalidTransferSignature);
        }
        let balance = option.unwrap();
        if balance.load(Ordering::Relaxed) < tokens {
            return Err(AccountingError::InsufficientFunds);
        }
        balance.fetch_sub(tokens, Ordering::Relaxed);
        Ok(())
    }

    #[cfg(fixed)]
    fn apply_payment(&self, from: &PublicKey, tokens: isize, signature: u64) -> Result<()> {
        let balances = self.balances.read().unwrap();
        let option = balances.get(from);
        if option.is_none() {
            return Err(AccountingError::AccountNotFound);
        }
        if !self.reserve_signature(signature) {
            return Err(AccountingError::InvalidTransferSignature);
        }
        loop {
            let balance = option.unwrap();
            let current = balance.load(Ordering::Relaxed);
            if current < tokens {
                return Err(AccountingError::InsufficientFunds);
            }
            let next = current - tokens;
            let swap =
                balance.compare_exchange(current, next, Ordering::Relaxed, Ordering::Relaxed);
            if swap.is_ok() {
                return Ok(());
            }
        }
    }

    pub fn process(&self, tr: &Transaction) -> Result<()> {
        self.apply_payment(&tr.from, tr.payment.tokens as isize, tr.signature)?;
        self.transaction_count.fetch_add(1, Ordering::Relaxed);
        apply_credit(&self.balances, &tr.payment);
        Ok(())
    }
}
