//! Arc out of lock, as far as the cases use it.
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
pub struct Channel {
    sent: AtomicU64,
    log: Mutex<Vec<u64>>,
}
pub struct Hub {
    channels: Mutex<HashMap<String, Arc<Channel>>>,
}
impl Hub {
    fn channel(&self, name: &str) -> Option<Arc<Channel>> {
        self.channels.lock().unwrap().get(name).cloned()
    }
    pub fn send(&self, name: &str, value: u64) -> bool {
        let Some(channel) = self.channel(name) else {
            return false;
        };
        channel.sent.fetch_add(1, Ordering::Relaxed);
        channel.log.lock().unwrap().push(value);
        true
    }
    pub fn open(&self, name: &str) {
        self.channels
            .lock()
            .unwrap()
            .entry(name.to_owned())
            .or_insert_with(|| {
                Arc::new(Channel {
                    sent: 0.into(),
                    log: Mutex::default(),
                })
            });
    }
    pub fn close(&self, name: &str) {
        self.channels.lock().unwrap().remove(name);
    }
}
