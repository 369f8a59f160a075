//! A peer is found silent in one branch of `select!`, and removed later.
//@ finding: Monitor::run
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::{Mutex, mpsc};
use tokio::time::{Duration, sleep};

#[derive(Default)]
pub struct Monitor {
    last_seen: Mutex<HashMap<u32, u64>>,
}

async fn say_goodbye(peer: u32) {
    eprintln!("peer {peer} is gone");
    tokio::task::yield_now().await;
}

impl Monitor {
    pub async fn heard(&self, peer: u32, at: u64) {
        self.last_seen.lock().await.insert(peer, at);
    }
    pub async fn run(self: Arc<Self>, mut clock: mpsc::Receiver<u64>, patience: u64) {
        let mut now = 0;
        loop {
            tokio::select! {
                tick = clock.recv() => {
                    match tick {
                        Some(at) => now = at,
                        None => return,
                    }
                }
                _ = Box::pin(sleep(Duration::from_secs(1))) => {
                    let limit = now - patience;
                    #[cfg(not(fixed))]
                    {
                        let silent = {
                            let seen = self.last_seen.lock().await;
                            seen.iter().find(|(_, at)| **at < limit).map(|(peer, _)| *peer)
                        };
                        if let Some(peer) = silent {
                            say_goodbye(peer).await;
                            self.last_seen.lock().await.remove(&peer);
                        }
                    }
                    #[cfg(fixed)]
                    {
                        let silent = {
                            let mut seen = self.last_seen.lock().await;
                            let peer = seen.iter().find(|(_, at)| **at < limit).map(|(peer, _)| *peer);
                            if let Some(peer) = peer {
                                seen.remove(&peer);
                            }
                            peer
                        };
                        if let Some(peer) = silent {
                            say_goodbye(peer).await;
                        }
                    }
                }
            }
        }
    }
}
