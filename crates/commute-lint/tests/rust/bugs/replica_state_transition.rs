//! A vector database activates a replica when its transfer has ended, if it is
//! still marked as partial. The mark is read by one call and set by another: a
//! replica that was declared dead in between comes back with holes. The state
//! that is expected is now given to the call that sets it.
//@ finding: ReplicaSet::finish_transfer
use std::collections::HashMap;
use std::sync::RwLock;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    Active,
    Partial,
    Dead,
}

#[derive(Default)]
pub struct ReplicaSet {
    peers: RwLock<HashMap<u64, State>>,
}

impl ReplicaSet {
    pub fn peer_state(&self, peer: u64) -> Option<State> {
        self.peers.read().unwrap().get(&peer).copied()
    }

    pub fn set_state(&self, peer: u64, state: State) {
        self.peers.write().unwrap().insert(peer, state);
    }

    pub fn set_state_from(&self, peer: u64, from: Option<State>, to: State) -> Result<(), String> {
        let mut peers = self.peers.write().unwrap();
        let current = peers.get(&peer).copied();
        if current != from {
            return Err(format!("{current:?} is not {from:?}"));
        }
        peers.insert(peer, to);
        Ok(())
    }

    #[cfg(not(fixed))]
    pub fn finish_transfer(&self, peer: u64) -> Result<(), String> {
        match self.peer_state(peer) {
            Some(State::Partial) => {
                self.set_state(peer, State::Active);
                Ok(())
            }
            other => Err(format!("{other:?} is not partial")),
        }
    }

    #[cfg(fixed)]
    pub fn finish_transfer(&self, peer: u64) -> Result<(), String> {
        let current = self.peer_state(peer);
        if current != Some(State::Partial) {
            return Err(format!("{current:?} is not partial"));
        }
        self.set_state_from(peer, current, State::Active)
    }

    pub fn peer_failed(&self, peer: u64) {
        self.set_state(peer, State::Dead);
    }
}
