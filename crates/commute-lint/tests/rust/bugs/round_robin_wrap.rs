//! Load balancing of a database driver (neo4rs #273): the index is put back to
//! the size if it is zero, and then counted down in a second step; two callers
//! may pass zero. One `fetch_update` does both now.
//@ finding: RoundRobinStrategy::next_server
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, RwLock};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BoltServer {
    pub address: String,
    pub port: u16,
}

pub trait LoadBalancing: Sync + Send {
    fn select_reader(&self, servers: &[BoltServer]) -> Option<BoltServer>;
    fn select_writer(&self, servers: &[BoltServer]) -> Option<BoltServer>;
}

#[derive(Default)]
pub struct RoundRobinStrategy {
    reader_index: AtomicUsize,
    writer_index: AtomicUsize,
}

impl RoundRobinStrategy {
    #[cfg(not(fixed))]
    fn next_server(servers: &[BoltServer], index: &AtomicUsize) -> Option<BoltServer> {
        if servers.is_empty() {
            return None;
        }
        let _ = index.compare_exchange(0, servers.len(), Ordering::Relaxed, Ordering::Relaxed);
        let i = index.fetch_sub(1, Ordering::Relaxed);
        servers.get(i - 1).cloned()
    }

    #[cfg(fixed)]
    fn next_server(servers: &[BoltServer], index: &AtomicUsize) -> Option<BoltServer> {
        if servers.is_empty() {
            return None;
        }
        let step = |i: usize| Some(if i == 0 { servers.len() - 1 } else { i - 1 });
        let i = index.fetch_update(Ordering::Relaxed, Ordering::Relaxed, step);
        servers.get(i.unwrap_or(0) % servers.len()).cloned()
    }
}

impl LoadBalancing for RoundRobinStrategy {
    fn select_reader(&self, servers: &[BoltServer]) -> Option<BoltServer> {
        Self::next_server(servers, &self.reader_index)
    }
    fn select_writer(&self, servers: &[BoltServer]) -> Option<BoltServer> {
        Self::next_server(servers, &self.writer_index)
    }
}

pub struct RoutedPool {
    servers: RwLock<Vec<BoltServer>>,
    balancing: Arc<RoundRobinStrategy>,
}

impl RoutedPool {
    pub fn reader(&self) -> Option<BoltServer> {
        let servers = self.servers.read().unwrap();
        self.balancing.select_reader(&servers)
    }
    pub fn refresh(&self, servers: Vec<BoltServer>) {
        *self.servers.write().unwrap() = servers;
    }
}
