//! A proxy for video shares one stream among all who watch it. When somebody
//! leaves and nobody is left, the stream is unregistered, after the entry was
//! given back: who joined in between watches nothing.
//@ finding: StreamManager::release
use dashmap::DashMap;

#[derive(Default)]
pub struct SharedStream {
    subscribers: DashMap<u64, String>,
}

#[derive(Default)]
pub struct StreamManager {
    streams: DashMap<String, SharedStream>,
}

impl StreamManager {
    pub fn join(&self, url: &str, viewer: u64, address: String) {
        let stream = self.streams.entry(url.to_owned()).or_default();
        stream.subscribers.insert(viewer, address);
    }

    #[cfg(not(fixed))]
    fn unregister(&self, url: &str) {
        self.streams.remove(url);
    }

    #[cfg(not(fixed))]
    pub fn release(&self, url: &str, viewer: u64) {
        let mut drop_stream = false;
        if let Some(stream) = self.streams.get(url) {
            stream.subscribers.remove(&viewer);
            if stream.subscribers.is_empty() {
                drop_stream = true;
            }
        }
        if drop_stream {
            self.unregister(url);
        }
    }

    #[cfg(fixed)]
    pub fn release(&self, url: &str, viewer: u64) {
        if let Some(stream) = self.streams.get(url) {
            stream.subscribers.remove(&viewer);
        }
        self.streams
            .remove_if(url, |_, stream| stream.subscribers.is_empty());
    }
}
