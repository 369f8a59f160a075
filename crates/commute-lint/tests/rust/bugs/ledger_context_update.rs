//! The ledger of a toolkit (midnight-node #767): the state is cloned under the
//! mutex, a transaction is checked and applied without it, and the result is
//! written back. Of two at the same time one is lost. The mutex is held now.
//@ finding: LedgerContext::update_from_tx
use std::collections::HashMap;
use std::sync::Mutex;

#[derive(Clone, Default)]
pub struct LedgerState {
    pub balances: HashMap<u64, u64>,
    pub applied: u64,
}

#[derive(Debug)]
pub enum LedgerError {
    Invalid(&'static str),
    Partial { failed: usize },
}

pub struct Transaction {
    pub from: u64,
    pub to: u64,
    pub amount: u64,
    pub strict: bool,
}

pub enum TransactionResult {
    Success,
    Failure(LedgerError),
}

impl Transaction {
    fn well_formed(&self, state: &LedgerState) -> Result<(), LedgerError> {
        if self.strict && !state.balances.contains_key(&self.from) {
            return Err(LedgerError::Invalid("no such account"));
        }
        Ok(())
    }
}

impl LedgerState {
    fn apply(&self, tx: &Transaction) -> (LedgerState, TransactionResult) {
        let mut next = self.clone();
        let from = next.balances.entry(tx.from).or_default();
        match from.checked_sub(tx.amount) {
            Some(left) => *from = left,
            None => {
                let failure = LedgerError::Partial { failed: 0 };
                return (self.clone(), TransactionResult::Failure(failure));
            }
        }
        *next.balances.entry(tx.to).or_default() += tx.amount;
        next.applied += 1;
        (next, TransactionResult::Success)
    }
}

#[derive(Default)]
pub struct LedgerContext {
    ledger_state: Mutex<LedgerState>,
    wallets: Mutex<HashMap<u64, Vec<u64>>>,
}

impl LedgerContext {
    pub fn update_from_tx(&self, tx: &Transaction) -> Result<u64, LedgerError> {
        #[cfg(not(fixed))]
        let state = self.ledger_state.lock().unwrap().clone();
        #[cfg(fixed)]
        let mut guard = self.ledger_state.lock().unwrap();
        #[cfg(fixed)]
        let state = guard.clone();
        tx.well_formed(&state)?;
        let (next, result) = state.apply(tx);
        let applied = next.applied;
        match result {
            TransactionResult::Success => {
                #[cfg(not(fixed))]
                {
                    *self.ledger_state.lock().unwrap() = next;
                }
                #[cfg(fixed)]
                {
                    *guard = next;
                }
                Ok(applied)
            }
            TransactionResult::Failure(error) => Err(error),
        }
    }

    pub fn update_wallets(&self, owner: u64, coin: u64) {
        let mut wallets = self.wallets.lock().unwrap();
        wallets.entry(owner).or_default().push(coin);
    }
}
