//! The lock of a room is given by an object, in a box. Who joins looks whether
//! there is place with one guard, and joins with another.
//@ finding: Lobby::join
use std::collections::HashSet;
use std::pin::Pin;
use std::sync::Arc;
use tokio::sync::{Mutex, MutexGuard};

pub trait Rooms: Send + Sync {
    fn members<'a>(
        &'a self,
    ) -> Pin<Box<dyn Future<Output = MutexGuard<'a, HashSet<u64>>> + Send + 'a>>;
}

#[derive(Default)]
pub struct OneRoom {
    members: Mutex<HashSet<u64>>,
}

impl Rooms for OneRoom {
    fn members<'a>(
        &'a self,
    ) -> Pin<Box<dyn Future<Output = MutexGuard<'a, HashSet<u64>>> + Send + 'a>> {
        Box::pin(async move { self.members.lock().await })
    }
}

pub struct Lobby {
    rooms: Arc<dyn Rooms>,
}

impl Lobby {
    #[cfg(not(fixed))]
    pub async fn join(&self, user: u64) -> bool {
        if self.rooms.members().await.len() >= 8 {
            return false;
        }
        self.rooms.members().await.insert(user);
        true
    }

    #[cfg(fixed)]
    pub async fn join(&self, user: u64) -> bool {
        let mut members = self.rooms.members().await;
        if members.len() >= 8 {
            return false;
        }
        members.insert(user);
        true
    }

    pub async fn leave(&self, user: u64) {
        self.rooms.members().await.remove(&user);
    }
}
