//! Shutdown of a QUIC endpoint (ant-quic #288): an accept worker looks at the
//! flag before it takes the lock of the connections, so one whose handshake
//! ends late is registered after all have been closed. It is looked at under
//! the lock, which shutdown also holds when it sets the flag.
//@ finding: Endpoint
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

pub struct Connection {
    pub id: u64,
    closed: AtomicBool,
}

impl Connection {
    fn close(&self) {
        self.closed.store(true, Ordering::Release);
    }
}

#[derive(Default)]
struct Shared {
    connections: Mutex<HashMap<u64, Arc<Connection>>>,
    workers: Mutex<Vec<JoinHandle<()>>>,
    shutdown: AtomicBool,
    next_id: AtomicU64,
}

#[derive(Clone, Default)]
pub struct Endpoint {
    shared: Arc<Shared>,
}

pub enum RegisterError {
    ShuttingDown,
}

impl Endpoint {
    fn register(&self, connection: Arc<Connection>) -> Result<(), RegisterError> {
        #[cfg(not(fixed))]
        if self.shared.shutdown.load(Ordering::Acquire) {
            connection.close();
            return Err(RegisterError::ShuttingDown);
        }
        let mut connections = self.shared.connections.lock().unwrap();
        #[cfg(fixed)]
        if self.shared.shutdown.load(Ordering::Acquire) {
            connection.close();
            return Err(RegisterError::ShuttingDown);
        }
        connections.insert(connection.id, connection);
        Ok(())
    }

    pub fn accept(&self, handshake: impl FnOnce() -> bool + Send + 'static) {
        let endpoint = self.clone();
        let worker = thread::spawn(move || {
            if !handshake() {
                return;
            }
            let connection = Arc::new(Connection {
                id: endpoint.shared.next_id.fetch_add(1, Ordering::Relaxed),
                closed: AtomicBool::new(false),
            });
            let _ = endpoint.register(connection);
        });
        self.shared.workers.lock().unwrap().push(worker);
    }

    pub fn shutdown(&self) {
        let mut connections = self.shared.connections.lock().unwrap();
        self.shared.shutdown.store(true, Ordering::Release);
        for (_, connection) in connections.drain() {
            connection.close();
        }
    }
}
