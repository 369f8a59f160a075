//! Votes from a gossip network are ignored if their sender was seen in this
//! epoch already. The question comes first, the costly signature next, and the
//! sender is noted last: two different votes of one sender both pass.
//@ finding: Chain::verify_vote
use std::collections::HashSet;
use std::sync::{Mutex, RwLock};

pub struct Vote {
    pub validator: u64,
    pub epoch: u64,
    pub signature: Vec<u8>,
}

#[derive(Debug)]
pub enum VoteError {
    AlreadyKnown,
    BadSignature,
}

#[derive(Default)]
pub struct Observed {
    items: RwLock<HashSet<(u64, u64)>>,
}

impl Observed {
    pub fn is_known(&self, epoch: u64, validator: u64) -> bool {
        self.items.read().unwrap().contains(&(epoch, validator))
    }

    pub fn observe(&self, epoch: u64, validator: u64) -> bool {
        !self.items.write().unwrap().insert((epoch, validator))
    }
}

#[derive(Default)]
pub struct Chain {
    observed: Observed,
    votes: Mutex<Vec<u64>>,
}

fn signature_is_valid(vote: &Vote) -> bool {
    vote.signature.iter().fold(0u8, |sum, byte| sum ^ byte) == 0
}

impl Chain {
    pub fn verify_vote(&self, vote: &Vote) -> Result<(), VoteError> {
        if self.observed.is_known(vote.epoch, vote.validator) {
            return Err(VoteError::AlreadyKnown);
        }
        if !signature_is_valid(vote) {
            return Err(VoteError::BadSignature);
        }
        #[cfg(not(fixed))]
        self.observed.observe(vote.epoch, vote.validator);
        #[cfg(fixed)]
        if self.observed.observe(vote.epoch, vote.validator) {
            return Err(VoteError::AlreadyKnown);
        }
        self.votes.lock().unwrap().push(vote.validator);
        Ok(())
    }
}
