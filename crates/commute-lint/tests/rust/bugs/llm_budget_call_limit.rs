//! The budget of an agent (rigorix #810): tokens are reserved by one update,
//! but calls are loaded, compared, and added later; six of five were granted.
//! Calls are reserved by one update too, and given back if tokens are short.
//@ finding: reserve
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

pub struct Limits {
    pub max_calls: u32,
    pub max_tokens: u64,
}

#[derive(Debug, PartialEq)]
pub enum BudgetError {
    MaxCallsExceeded { used: u32, limit: u32 },
    TokenBudgetExhausted,
}

pub trait BudgetTracker: Send + Sync {
    fn reserve(&self, tokens: u64) -> Result<Reservation, BudgetError>;
    fn remaining(&self) -> u64;
}

struct Counters {
    used_calls: AtomicU32,
    used_tokens: AtomicU64,
}

pub struct Reservation {
    counters: Arc<Counters>,
    tokens: u64,
}

impl Reservation {
    pub fn settle(self, actual: u64) {
        let over = self.tokens.saturating_sub(actual);
        self.counters.used_tokens.fetch_sub(over, Ordering::SeqCst);
    }
}

pub struct LlmBudget {
    limits: Limits,
    counters: Arc<Counters>,
}

impl LlmBudget {
    fn reserve_tokens(&self, tokens: u64) -> Result<(), BudgetError> {
        let max = self.limits.max_tokens;
        let add = |used: u64| used.checked_add(tokens).filter(|sum| *sum <= max);
        let reserved =
            self.counters
                .used_tokens
                .fetch_update(Ordering::SeqCst, Ordering::SeqCst, add);
        match reserved {
            Ok(_) => Ok(()),
            Err(_) => Err(BudgetError::TokenBudgetExhausted),
        }
    }
}

impl BudgetTracker for LlmBudget {
    #[cfg(not(fixed))]
    fn reserve(&self, tokens: u64) -> Result<Reservation, BudgetError> {
        let used = self.counters.used_calls.load(Ordering::SeqCst);
        let limit = self.limits.max_calls;
        if used >= limit {
            return Err(BudgetError::MaxCallsExceeded { used, limit });
        }
        self.reserve_tokens(tokens)?;
        self.counters.used_calls.fetch_add(1, Ordering::SeqCst);
        Ok(Reservation {
            counters: self.counters.clone(),
            tokens,
        })
    }

    #[cfg(fixed)]
    fn reserve(&self, tokens: u64) -> Result<Reservation, BudgetError> {
        let limit = self.limits.max_calls;
        let calls = &self.counters.used_calls;
        calls
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |used| {
                (used < limit).then_some(used + 1)
            })
            .map_err(|used| BudgetError::MaxCallsExceeded { used, limit })?;
        if let Err(error) = self.reserve_tokens(tokens) {
            calls.fetch_sub(1, Ordering::SeqCst);
            return Err(error);
        }
        Ok(Reservation {
            counters: self.counters.clone(),
            tokens,
        })
    }

    fn remaining(&self) -> u64 {
        let used = self.counters.used_tokens.load(Ordering::SeqCst);
        self.limits.max_tokens.saturating_sub(used)
    }
}
