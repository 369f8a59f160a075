//! A node bans peers that misbehave too often. The score is read with the other
//! data of the peer, a penalty is added, and the sum is written: penalties that
//! are given at the same time count once. They are now added in place.
//@ finding: PeerManager::penalize
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, RwLock};

#[derive(Clone, Copy, Default)]
pub struct PeerInfo {
    pub score: i64,
    pub height: u64,
}

#[derive(Default)]
struct Inner {
    peers: RwLock<HashMap<u64, PeerInfo>>,
    banned: Mutex<HashSet<u64>>,
}

#[derive(Clone, Default)]
pub struct PeerManager {
    inner: Arc<Inner>,
}

impl PeerManager {
    fn score(&self, peer: u64) -> Option<i64> {
        let peers = self.inner.peers.read().unwrap();
        peers.get(&peer).map(|info| info.score)
    }

    fn set_score(&self, peer: u64, score: i64) {
        if let Some(info) = self.inner.peers.write().unwrap().get_mut(&peer) {
            info.score = score;
        }
    }

    fn adjust_score(&self, peer: u64, by: i64) -> Option<i64> {
        let mut peers = self.inner.peers.write().unwrap();
        let info = peers.get_mut(&peer)?;
        info.score += by;
        Some(info.score)
    }

    pub fn connected(&self, peer: u64) {
        self.inner.peers.write().unwrap().entry(peer).or_default();
    }

    #[cfg(not(fixed))]
    pub fn penalize(&self, peer: u64, penalty: i64) {
        let Some(score) = self.score(peer).map(|score| score - penalty) else {
            return;
        };
        self.set_score(peer, score);
        if score < -100 {
            self.inner.banned.lock().unwrap().insert(peer);
        }
    }

    #[cfg(fixed)]
    pub fn penalize(&self, peer: u64, penalty: i64) {
        let Some(score) = self.adjust_score(peer, -penalty) else {
            return;
        };
        if score < -100 {
            self.inner.banned.lock().unwrap().insert(peer);
        }
    }
}
