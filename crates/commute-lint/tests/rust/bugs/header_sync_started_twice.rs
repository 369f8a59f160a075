//! Syncing of a node (grin #363): a thread asks under the read lock whether a
//! sync is due, and starts it under the write lock, without asking again. It
//! is started twice. The write lock is held for both.
//@ finding: Syncer
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, RwLock};
use std::thread;
use std::time::Duration;

#[derive(Clone, PartialEq)]
pub enum SyncStatus {
    Initial,
    NoSync,
    HeaderSync { current: u64, highest: u64 },
    BodySync(u64),
}

pub struct Peer {
    pub height: u64,
}

#[derive(Default)]
pub struct Peers {
    connected: RwLock<Vec<Arc<Peer>>>,
}

impl Peers {
    pub fn most_work_peer(&self) -> Option<Arc<Peer>> {
        let connected = self.connected.read().unwrap();
        connected.iter().max_by_key(|peer| peer.height).cloned()
    }
}

pub struct Syncer {
    status: Arc<RwLock<SyncStatus>>,
    peers: Arc<Peers>,
    stop: Arc<AtomicBool>,
}

impl Syncer {
    fn needs_sync(&self) -> bool {
        let status = self.status.read().unwrap();
        match *status {
            SyncStatus::Initial | SyncStatus::NoSync => true,
            SyncStatus::HeaderSync { .. } | SyncStatus::BodySync(_) => false,
        }
    }

    #[cfg(not(fixed))]
    pub fn check_run(&self, head: u64) -> bool {
        let Some(peer) = self.peers.most_work_peer() else {
            return false;
        };
        if peer.height <= head || !self.needs_sync() {
            return false;
        }
        let mut status = self.status.write().unwrap();
        *status = SyncStatus::HeaderSync {
            current: head,
            highest: peer.height,
        };
        true
    }

    #[cfg(fixed)]
    pub fn check_run(&self, head: u64) -> bool {
        let Some(peer) = self.peers.most_work_peer() else {
            return false;
        };
        let mut status = self.status.write().unwrap();
        let idle = matches!(*status, SyncStatus::Initial | SyncStatus::NoSync);
        if peer.height <= head || !idle {
            return false;
        }
        *status = SyncStatus::HeaderSync {
            current: head,
            highest: peer.height,
        };
        true
    }

    pub fn finish(&self) {
        *self.status.write().unwrap() = SyncStatus::NoSync;
    }
}

pub fn run_sync(syncer: Arc<Syncer>) {
    let _ = thread::Builder::new()
        .name("sync".to_owned())
        .spawn(move || {
            while !syncer.stop.load(Ordering::Relaxed) {
                if syncer.check_run(0) {
                    syncer.finish();
                }
                thread::sleep(Duration::from_millis(10));
            }
        });
}
