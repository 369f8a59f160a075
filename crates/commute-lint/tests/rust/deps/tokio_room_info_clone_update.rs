//! A chat client takes a copy of what it knows about a room, changes it, saves
//! it to its store and puts it back. The answer of the server and a message
//! that is sent do so at the same time: what one has changed is gone. A lock
//! is now held from the copy until it is put back.
//@ finding: Client::receive_sync
use std::sync::{Arc, RwLock};
use tokio::sync::Mutex;

#[derive(Clone, Default)]
pub struct RoomInfo {
    topic: Option<String>,
    unread: u64,
    joined: bool,
}

#[derive(Clone, Default)]
pub struct Room {
    info: Arc<RwLock<RoomInfo>>,
}

impl Room {
    fn clone_info(&self) -> RoomInfo {
        self.info.read().unwrap().clone()
    }

    fn set_info(&self, info: RoomInfo) {
        *self.info.write().unwrap() = info;
    }
}

async fn save(info: &RoomInfo) -> bool {
    tokio::task::yield_now().await;
    info.joined
}

#[derive(Default)]
pub struct Client {
    room: Room,
    sync_lock: Mutex<()>,
}

impl Client {
    pub async fn receive_sync(&self, unread: u64) {
        #[cfg(fixed)]
        let _sync = self.sync_lock.lock().await;
        let mut info = self.room.clone_info();
        info.unread += unread;
        save(&info).await;
        self.room.set_info(info);
    }

    pub async fn joined(&self, topic: &str) {
        #[cfg(fixed)]
        let _sync = self.sync_lock.lock().await;
        let mut info = self.room.clone_info();
        info.joined = true;
        info.topic = Some(topic.to_owned());
        save(&info).await;
        self.room.set_info(info);
    }
}
