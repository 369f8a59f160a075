//! keys then get unwrap.
//@ finding: Monitor::tick
use std::collections::HashMap;
use std::sync::RwLock;
pub struct Peer {
    pub missed: u32,
}
pub struct Monitor {
    peers: RwLock<HashMap<u64, Peer>>,
}
impl Monitor {
    pub fn add(&self, id: u64) {
        self.peers.write().unwrap().insert(id, Peer { missed: 0 });
    }
    pub fn remove(&self, id: u64) {
        self.peers.write().unwrap().remove(&id);
    }
    #[cfg(not(fixed))]
    pub fn tick(&self) {
        let ids: Vec<u64> = self.peers.read().unwrap().keys().copied().collect();
        for id in ids {
            let mut peers = self.peers.write().unwrap();
            let peer = peers.get_mut(&id).unwrap();
            peer.missed += 1;
        }
    }
    #[cfg(fixed)]
    pub fn tick(&self) {
        let mut peers = self.peers.write().unwrap();
        for peer in peers.values_mut() {
            peer.missed += 1;
        }
    }
}
