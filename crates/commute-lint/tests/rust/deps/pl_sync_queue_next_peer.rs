//! A sync queue that goes round its peers (nimiq #1502): the number of peers is
//! read under one lock and the peer at the position under the next, when the
//! list may be shorter. The list is locked once.
//@ finding: get_next_peer
use parking_lot::RwLock;
use std::fmt::Debug;
use std::sync::Arc;

pub trait Network: Send + Sync + 'static {
    type PeerId: Copy + PartialEq + Debug + Send + Sync;
    fn has_peer(&self, peer: Self::PeerId) -> bool;
}

pub struct PeerList<N: Network> {
    peers: Vec<N::PeerId>,
}

impl<N: Network> PeerList<N> {
    pub fn len(&self) -> usize {
        self.peers.len()
    }
    pub fn get(&self, index: usize) -> N::PeerId {
        self.peers[index]
    }
    pub fn add_peer(&mut self, peer: N::PeerId) -> bool {
        if self.peers.contains(&peer) {
            return false;
        }
        self.peers.push(peer);
        true
    }
    pub fn remove_peer(&mut self, peer: &N::PeerId) {
        self.peers.retain(|known| known != peer);
    }
}

pub struct SyncQueue<N: Network> {
    network: Arc<N>,
    pub peers: Arc<RwLock<PeerList<N>>>,
    current_peer_index: usize,
}

impl<N: Network> SyncQueue<N> {
    #[cfg(not(fixed))]
    fn get_next_peer(&mut self, start: usize) -> Option<N::PeerId> {
        let count = self.peers.read().len();
        for offset in 0..count {
            let index = (start + offset) % count;
            let peer = self.peers.read().get(index);
            if self.network.has_peer(peer) {
                self.current_peer_index = index;
                return Some(peer);
            }
        }
        None
    }

    #[cfg(fixed)]
    fn get_next_peer(&mut self, start: usize) -> Option<N::PeerId> {
        let peers = self.peers.read();
        let count = peers.len();
        for offset in 0..count {
            let index = (start + offset) % count;
            let peer = peers.get(index);
            if self.network.has_peer(peer) {
                self.current_peer_index = index;
                return Some(peer);
            }
        }
        None
    }

    pub fn request(&mut self, ids: &[u64]) -> Vec<(u64, N::PeerId)> {
        let mut requests = Vec::new();
        for id in ids {
            let Some(peer) = self.get_next_peer(self.current_peer_index + 1) else {
                break;
            };
            requests.push((*id, peer));
        }
        requests
    }
}

pub fn on_left<N: Network>(peers: &Arc<RwLock<PeerList<N>>>, peer: &N::PeerId) {
    peers.write().remove_peer(peer);
}
