//! pl read then write.
//@ finding: Peers::connect
use parking_lot::RwLock;
use std::collections::HashMap;
use std::sync::Arc;
pub struct Peer {
    pub id: u64,
}
pub struct Peers {
    peers: RwLock<HashMap<u64, Arc<Peer>>>,
}
impl Peers {
    #[cfg(not(fixed))]
    pub fn connect(&self, id: u64) -> bool {
        if self.peers.read().contains_key(&id) {
            return false;
        }
        let peer = Arc::new(Peer { id });
        self.peers.write().insert(id, peer);
        true
    }
    #[cfg(fixed)]
    pub fn connect(&self, id: u64) -> bool {
        let peer = Arc::new(Peer { id });
        let mut peers = self.peers.write();
        if peers.contains_key(&id) {
            return false;
        }
        peers.insert(id, peer);
        true
    }
}
