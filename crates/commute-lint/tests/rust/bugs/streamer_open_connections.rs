//! Connections of a QUIC server are limited (agave #3031, in review): the count
//! is loaded and compared, and raised when the tracker of a connection is made.
//! The tracker now raises it first and gives it back if that was too much.
//@ finding: run_server
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Receiver;
use std::thread;

#[derive(Default)]
pub struct StreamerStats {
    open_connections: AtomicUsize,
    refused: AtomicUsize,
    total: AtomicUsize,
}

pub struct Incoming {
    pub address: [u8; 4],
}

struct ClientConnectionTracker {
    stats: Arc<StreamerStats>,
}

impl ClientConnectionTracker {
    #[cfg(not(fixed))]
    fn new(stats: Arc<StreamerStats>) -> Self {
        stats.open_connections.fetch_add(1, Ordering::Relaxed);
        ClientConnectionTracker { stats }
    }

    #[cfg(fixed)]
    fn new(stats: Arc<StreamerStats>, max: usize) -> Result<Self, ()> {
        let open = stats.open_connections.fetch_add(1, Ordering::Relaxed);
        let tracker = ClientConnectionTracker { stats };
        if open >= max {
            return Err(());
        }
        Ok(tracker)
    }
}

impl Drop for ClientConnectionTracker {
    fn drop(&mut self) {
        self.stats.open_connections.fetch_sub(1, Ordering::Relaxed);
    }
}

fn setup_connection(incoming: Incoming, tracker: ClientConnectionTracker) {
    thread::spawn(move || {
        let _tracker = tracker;
        incoming
            .address
            .iter()
            .map(|part| u32::from(*part))
            .sum::<u32>()
    });
}

fn run_server(endpoint: Receiver<Incoming>, stats: Arc<StreamerStats>, max: usize) {
    while let Ok(incoming) = endpoint.recv() {
        stats.total.fetch_add(1, Ordering::Relaxed);
        #[cfg(not(fixed))]
        let tracker = {
            let open = stats.open_connections.load(Ordering::Relaxed);
            if open >= max {
                stats.refused.fetch_add(1, Ordering::Relaxed);
                continue;
            }
            ClientConnectionTracker::new(stats.clone())
        };
        #[cfg(fixed)]
        let Ok(tracker) = ClientConnectionTracker::new(stats.clone(), max) else {
            stats.refused.fetch_add(1, Ordering::Relaxed);
            continue;
        };
        setup_connection(incoming, tracker);
    }
}

pub fn spawn_servers(
    endpoints: Vec<Receiver<Incoming>>,
    max: usize,
) -> (Arc<StreamerStats>, Vec<thread::JoinHandle<()>>) {
    let stats = Arc::new(StreamerStats::default());
    let threads = endpoints
        .into_iter()
        .map(|endpoint| {
            let stats = stats.clone();
            thread::spawn(move || run_server(endpoint, stats, max))
        })
        .collect();
    (stats, threads)
}
