//! A leader renews its lease in a loop that also waits for messages. It looks
//! whether the lease is its own, and then writes it; another that has taken
//! it in between loses it. The check is now made by who writes.
//@ finding: Leader::run
use std::sync::Arc;
use tokio::sync::{Mutex, mpsc};

#[derive(Clone, Copy)]
pub struct Lease {
    owner: u32,
    until: u64,
}

pub struct Leader {
    id: u32,
    lease: Arc<Mutex<Lease>>,
}

async fn tick() -> u64 {
    tokio::task::yield_now().await;
    0
}

impl Leader {
    async fn current(&self) -> Lease {
        *self.lease.lock().await
    }

    async fn renew(&self, now: u64) {
        let mut lease = self.lease.lock().await;
        *lease = Lease {
            owner: self.id,
            until: now + 10,
        };
    }

    async fn renew_own(&self, now: u64) -> bool {
        let mut lease = self.lease.lock().await;
        if lease.owner != self.id && lease.until > now {
            return false;
        }
        lease.owner = self.id;
        lease.until = now + 10;
        true
    }

    #[cfg(not(fixed))]
    pub async fn run(&self, mut messages: mpsc::Receiver<u64>) {
        loop {
            tokio::select! {
                message = messages.recv() => {
                    if message.is_none() {
                        return;
                    }
                }
                now = tick() => {
                    let lease = self.current().await;
                    if lease.owner == self.id || lease.until <= now {
                        self.renew(now).await;
                    }
                }
            }
        }
    }

    #[cfg(fixed)]
    pub async fn run(&self, mut messages: mpsc::Receiver<u64>) {
        loop {
            tokio::select! {
                message = messages.recv() => {
                    if message.is_none() {
                        return;
                    }
                }
                now = tick() => {
                    self.renew_own(now).await;
                }
            }
        }
    }
}
