//! Counters per peer (hoprnet #8129): what has been counted is taken, and those
//! with nothing are removed in a second pass, when one may have been counted up
//! again. It is looked at again by the removal.
//@ finding: PeerCounters::drain
use dashmap::DashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Default)]
pub struct Counter {
    messages_sent: AtomicU64,
    acks_received: AtomicU64,
}

impl Counter {
    pub fn record_sent(&self) {
        self.messages_sent.fetch_add(1, Ordering::Relaxed);
    }
    pub fn record_ack(&self) {
        self.acks_received.fetch_add(1, Ordering::Relaxed);
    }
    fn take(&self) -> (u64, u64) {
        let sent = self.messages_sent.swap(0, Ordering::Relaxed);
        (sent, self.acks_received.swap(0, Ordering::Relaxed))
    }
    fn is_zero(&self) -> bool {
        self.messages_sent.load(Ordering::Relaxed) == 0
            && self.acks_received.load(Ordering::Relaxed) == 0
    }
}

#[derive(Clone, Default)]
pub struct PeerCounters {
    inner: Arc<DashMap<u64, Counter>>,
}

impl PeerCounters {
    pub fn sent(&self, peer: u64) {
        self.inner.entry(peer).or_default().record_sent();
    }

    pub fn acknowledged(&self, peer: u64) {
        if let Some(counter) = self.inner.get(&peer) {
            counter.record_ack();
        }
    }

    pub fn drain(&self, peers: &[u64]) -> Vec<(u64, u64, u64)> {
        let mut taken = Vec::new();
        let mut to_evict = Vec::new();
        for peer in peers {
            let Some(counter) = self.inner.get(peer) else {
                continue;
            };
            let (sent, acks) = counter.take();
            if sent > 0 || acks > 0 {
                taken.push((*peer, sent, acks));
            } else {
                to_evict.push(*peer);
            }
        }
        for peer in to_evict {
            #[cfg(not(fixed))]
            self.inner.remove(&peer);
            #[cfg(fixed)]
            self.inner.remove_if(&peer, |_, counter| counter.is_zero());
        }
        taken
    }
}
