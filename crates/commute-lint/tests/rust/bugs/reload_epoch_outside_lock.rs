//! A server reads its sessions from disk again when files change, and drops what
//! it has read if a session was deleted meanwhile. That is compared before the
//! lock of the sessions is taken: a deletion in between comes back to life. It
//! is compared under the lock now, and deletions count while they hold it.
//@ finding: State::reload
use std::collections::HashMap;
use std::sync::RwLock;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Default)]
pub struct State {
    sessions: RwLock<HashMap<u64, String>>,
    delete_epoch: AtomicU64,
    disk: RwLock<HashMap<u64, String>>,
}

impl State {
    fn read_disk(&self) -> HashMap<u64, String> {
        self.disk.read().unwrap().clone()
    }

    #[cfg(not(fixed))]
    pub fn reload(&self) {
        let read_epoch = self.delete_epoch.load(Ordering::SeqCst);
        let fresh = self.read_disk();
        if self.delete_epoch.load(Ordering::SeqCst) != read_epoch {
            return;
        }
        *self.sessions.write().unwrap() = fresh;
    }

    #[cfg(fixed)]
    pub fn reload(&self) {
        let read_epoch = self.delete_epoch.load(Ordering::SeqCst);
        let fresh = self.read_disk();
        let mut sessions = self.sessions.write().unwrap();
        if self.delete_epoch.load(Ordering::SeqCst) != read_epoch {
            return;
        }
        *sessions = fresh;
    }

    pub fn delete(&self, id: u64) {
        self.disk.write().unwrap().remove(&id);
        #[cfg(not(fixed))]
        {
            self.sessions.write().unwrap().remove(&id);
            self.delete_epoch.fetch_add(1, Ordering::SeqCst);
        }
        #[cfg(fixed)]
        {
            let mut sessions = self.sessions.write().unwrap();
            sessions.remove(&id);
            self.delete_epoch.fetch_add(1, Ordering::SeqCst);
        }
    }
}
