//! The latest vote of each validator (agave #1762): if a validator has none,
//! the entry is put in under the write lock without a second look, so one that
//! came in between is replaced and counted twice. The entry is asked for again.
//@ finding: LatestUnprocessedVotes::update_latest_vote
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, RwLock};

pub type Pubkey = [u8; 32];

#[derive(Clone)]
pub struct Packet {
    pub bytes: Vec<u8>,
}

#[derive(Clone)]
pub struct LatestValidatorVotePacket {
    pubkey: Pubkey,
    slot: u64,
    vote: Option<Arc<Packet>>,
    timestamp: Option<i64>,
}

impl LatestValidatorVotePacket {
    pub fn slot(&self) -> u64 {
        self.slot
    }
    pub fn is_vote_taken(&self) -> bool {
        self.vote.is_none()
    }
}

#[derive(Default)]
pub struct LatestUnprocessedVotes {
    latest_votes_per_pubkey: RwLock<HashMap<Pubkey, Arc<RwLock<LatestValidatorVotePacket>>>>,
    num_unprocessed_votes: AtomicUsize,
}

impl LatestUnprocessedVotes {
    pub fn len(&self) -> usize {
        self.num_unprocessed_votes.load(Ordering::Relaxed)
    }

    fn get_entry(&self, pubkey: Pubkey) -> Option<Arc<RwLock<LatestValidatorVotePacket>>> {
        let votes = self.latest_votes_per_pubkey.read().unwrap();
        votes.get(&pubkey).cloned()
    }

    fn allow_update(latest: &LatestValidatorVotePacket, slot: u64, stamp: Option<i64>) -> bool {
        latest.slot < slot || (latest.slot == slot && latest.timestamp < stamp)
    }

    fn replace(
        &self,
        entry: &RwLock<LatestValidatorVotePacket>,
        vote: LatestValidatorVotePacket,
    ) -> Option<LatestValidatorVotePacket> {
        let mut latest = entry.write().unwrap();
        if !Self::allow_update(&latest, vote.slot, vote.timestamp) {
            return Some(vote);
        }
        let old = std::mem::replace(&mut *latest, vote);
        if old.is_vote_taken() {
            self.num_unprocessed_votes.fetch_add(1, Ordering::Relaxed);
            return None;
        }
        Some(old)
    }

    pub fn update_latest_vote(
        &self,
        vote: LatestValidatorVotePacket,
    ) -> Option<LatestValidatorVotePacket> {
        let pubkey = vote.pubkey;
        if let Some(entry) = self.get_entry(pubkey) {
            return self.replace(&entry, vote);
        }
        let mut votes = self.latest_votes_per_pubkey.write().unwrap();
        #[cfg(fixed)]
        if let Some(entry) = votes.get(&pubkey) {
            return self.replace(entry, vote);
        }
        votes.insert(pubkey, Arc::new(RwLock::new(vote)));
        self.num_unprocessed_votes.fetch_add(1, Ordering::Relaxed);
        None
    }

    pub fn clear(&self) {
        let votes = self.latest_votes_per_pubkey.read().unwrap();
        for entry in votes.values() {
            let mut latest = entry.write().unwrap();
            if latest.vote.take().is_some() {
                self.num_unprocessed_votes.fetch_sub(1, Ordering::Relaxed);
            }
        }
    }
}
