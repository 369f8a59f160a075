//! The light protocol of a node (conflux-rust #2722): a new peer is inserted,
//! and fetched again by a second call in order to write its status. It may have
//! gone in between, and `unwrap` fails. The one that was inserted is used.
//@ finding: on_status
use std::collections::HashMap;
use std::sync::{Arc, RwLock};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct NodeId(pub u64);

#[derive(Default)]
pub struct FullPeerState {
    pub best_epoch: u64,
    pub handshaken: bool,
}

#[derive(Default)]
pub struct Peers<T: Default> {
    map: RwLock<HashMap<NodeId, Arc<RwLock<T>>>>,
}

impl<T: Default> Peers<T> {
    pub fn get(&self, peer: &NodeId) -> Option<Arc<RwLock<T>>> {
        self.map.read().unwrap().get(peer).cloned()
    }
    pub fn insert(&self, peer: NodeId) -> Arc<RwLock<T>> {
        let mut map = self.map.write().unwrap();
        map.entry(peer).or_default().clone()
    }
    pub fn remove(&self, peer: &NodeId) {
        self.map.write().unwrap().remove(peer);
    }
}

pub struct Status {
    pub best_epoch: u64,
    pub genesis: u64,
}

pub enum Error {
    GenesisMismatch,
    UnexpectedMessage,
}

pub struct QueryService {
    peers: Arc<Peers<FullPeerState>>,
    genesis: u64,
}

impl QueryService {
    fn validate(&self, genesis: u64) -> Result<(), Error> {
        match genesis == self.genesis {
            true => Ok(()),
            false => Err(Error::GenesisMismatch),
        }
    }

    pub fn on_request(&self, peer: &NodeId) -> Result<u64, Error> {
        let state = self.peers.get(peer).ok_or(Error::UnexpectedMessage)?;
        let state = state.read().unwrap();
        Ok(state.best_epoch)
    }

    pub fn on_peer_disconnected(&self, peer: &NodeId) {
        self.peers.remove(peer);
    }

    #[cfg(not(fixed))]
    pub fn on_status(&self, peer: &NodeId, status: Status) -> Result<(), Error> {
        self.validate(status.genesis)?;
        self.peers.insert(*peer);
        let state = self.peers.get(peer).unwrap();
        let mut state = state.write().unwrap();
        state.best_epoch = status.best_epoch;
        state.handshaken = true;
        Ok(())
    }

    #[cfg(fixed)]
    pub fn on_status(&self, peer: &NodeId, status: Status) -> Result<(), Error> {
        self.validate(status.genesis)?;
        let state = self.peers.insert(*peer);
        let mut state = state.write().unwrap();
        state.best_epoch = status.best_epoch;
        state.handshaken = true;
        Ok(())
    }
}
