//! A client of a message broker opens channels in a connection. It asks for a
//! number that is free, makes the channel and registers it: two threads get the
//! same number, and the messages of both go to one. The number is now chosen
//! and used under one lock.
//@ finding: Channels::create
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;

#[derive(Clone)]
pub struct Channel {
    pub id: u16,
}

#[derive(Default)]
struct Inner {
    channels: HashMap<u16, Channel>,
    last: u16,
}

impl Inner {
    fn next_free(&mut self) -> Option<u16> {
        (1..=u16::MAX).find(|id| *id != self.last && !self.channels.contains_key(id))
    }
}

#[derive(Clone)]
pub struct Channels {
    inner: Arc<Mutex<Inner>>,
}

impl Channels {
    #[cfg(not(fixed))]
    fn next_id(&self) -> Option<u16> {
        self.inner.lock().next_free()
    }

    #[cfg(not(fixed))]
    fn register(&self, channel: Channel) {
        self.inner.lock().channels.insert(channel.id, channel);
    }

    #[cfg(not(fixed))]
    pub fn create(&self) -> Option<Channel> {
        let id = self.next_id()?;
        let channel = Channel { id };
        self.register(channel.clone());
        Some(channel)
    }

    #[cfg(fixed)]
    pub fn create(&self) -> Option<Channel> {
        let mut inner = self.inner.lock();
        let id = inner.next_free()?;
        let channel = Channel { id };
        inner.channels.insert(id, channel.clone());
        Some(channel)
    }

    pub fn close(&self, id: u16) {
        self.inner.lock().channels.remove(&id);
    }
}
