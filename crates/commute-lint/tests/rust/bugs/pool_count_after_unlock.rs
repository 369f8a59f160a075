//! A pool of connections holds its lock while it decides whether one more may
//! be opened, gives it back so that others need not wait for the network, and
//! counts the new one afterwards. Several may pass the check in between. The
//! count is now raised before the lock is given back.
//@ finding: Pool::check_out
use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

pub struct Connection {
    pub id: u32,
}

pub struct PendingConnection {
    id: u32,
}

impl PendingConnection {
    fn establish(self) -> Connection {
        Connection { id: self.id }
    }
}

pub struct Pool {
    available: Mutex<VecDeque<Connection>>,
    total: AtomicU32,
    next_id: AtomicU32,
    max: u32,
}

impl Pool {
    fn create_pending(&self) -> PendingConnection {
        self.total.fetch_add(1, Ordering::SeqCst);
        let id = self.next_id.fetch_add(1, Ordering::SeqCst);
        PendingConnection { id }
    }

    pub fn check_out(&self) -> Option<Connection> {
        let mut available = self.available.lock().unwrap();
        if let Some(connection) = available.pop_front() {
            return Some(connection);
        }
        if self.total.load(Ordering::SeqCst) >= self.max {
            return None;
        }
        #[cfg(not(fixed))]
        drop(available);
        let pending = self.create_pending();
        #[cfg(fixed)]
        drop(available);
        Some(pending.establish())
    }

    pub fn check_in(&self, connection: Connection, broken: bool) {
        let mut available = self.available.lock().unwrap();
        if broken {
            self.total.fetch_sub(1, Ordering::SeqCst);
        } else {
            available.push_back(connection);
        }
    }
}
