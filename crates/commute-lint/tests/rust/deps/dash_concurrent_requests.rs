//! Requests of a stack are limited (atoma-node #580, #636): the count is read, and
//! the next one inserted in a second step, so two requests count as one and the
//! stack is claimed twice. The entry is held for both.
//@ finding: lock_compute_units
use dashmap::DashMap;
use dashmap::mapref::entry::Entry;
use std::sync::Arc;

#[derive(Clone)]
pub struct AppState {
    pub concurrent_requests_per_stack: Arc<DashMap<i64, u64>>,
    pub too_many_requests: Arc<DashMap<i64, u64>>,
    pub limit: u64,
}

#[derive(Debug)]
pub enum AtomaServiceError {
    TooManyRequests { stack: i64 },
    Internal { message: String },
}

pub struct RequestMetadata {
    pub stack_small_id: i64,
    pub num_tokens: u64,
}

pub fn current(state: &AppState, stack: i64) -> u64 {
    state
        .concurrent_requests_per_stack
        .get(&stack)
        .map_or(0, |count| *count)
}

pub fn lock_compute_units(
    state: &AppState,
    metadata: &RequestMetadata,
) -> Result<u64, AtomaServiceError> {
    let stack = metadata.stack_small_id;
    if metadata.num_tokens == 0 {
        let message = format!("stack {stack}: no tokens");
        return Err(AtomaServiceError::Internal { message });
    }
    #[cfg(not(fixed))]
    {
        let running = current(state, stack);
        if running >= state.limit {
            return Err(AtomaServiceError::TooManyRequests { stack });
        }
        state
            .concurrent_requests_per_stack
            .insert(stack, running + 1);
        Ok(running + 1)
    }
    #[cfg(fixed)]
    {
        let mut running = state
            .concurrent_requests_per_stack
            .entry(stack)
            .or_default();
        if *running >= state.limit {
            return Err(AtomaServiceError::TooManyRequests { stack });
        }
        *running += 1;
        Ok(*running)
    }
}

pub fn release(state: &AppState, stack: i64) -> bool {
    match state.concurrent_requests_per_stack.entry(stack) {
        Entry::Occupied(mut count) => {
            *count.get_mut() = count.get().saturating_sub(1);
            *count.get() == 0
        }
        Entry::Vacant(_) => false,
    }
}
