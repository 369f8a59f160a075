//! Guards in results that say whether a lock is poisoned.

use std::sync::{LockResult, PoisonError, TryLockError, TryLockResult};

/// The same result about another guard.
#[inline]
pub(super) fn map<G, H>(result: LockResult<G>, f: impl FnOnce(G) -> H) -> LockResult<H> {
    match result {
        Ok(guard) => Ok(f(guard)),
        Err(poisoned) => Err(PoisonError::new(f(poisoned.into_inner()))),
    }
}

/// The same result about another guard, if there is a guard.
#[inline]
pub(super) fn map_try<G, H>(result: TryLockResult<G>, f: impl FnOnce(G) -> H) -> TryLockResult<H> {
    match result {
        Ok(guard) => Ok(f(guard)),
        Err(TryLockError::WouldBlock) => Err(TryLockError::WouldBlock),
        Err(TryLockError::Poisoned(poisoned)) => {
            let guard = f(poisoned.into_inner());
            Err(TryLockError::Poisoned(PoisonError::new(guard)))
        }
    }
}

/// The result of an attempt that waits, so that it does not fail.
pub(super) fn waited<G>(result: TryLockResult<G>) -> LockResult<G> {
    match result {
        Ok(guard) => Ok(guard),
        Err(TryLockError::Poisoned(poisoned)) => Err(poisoned),
        Err(TryLockError::WouldBlock) => unreachable!("it was waited for"),
    }
}
