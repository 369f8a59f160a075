//! A chat client has an object for each room, by identifier. Two answers of the
//! server that mention a new room both make one: the tasks that got the first
//! go on with an object that nobody else updates.
//@ finding: BaseClient::get_or_create_room
use std::collections::HashMap;
use std::sync::{Arc, Mutex, RwLock};

#[derive(Default)]
struct Info {
    name: Option<String>,
    members: u64,
}

#[derive(Clone)]
pub struct Room {
    id: Arc<str>,
    info: Arc<Mutex<Info>>,
}

impl Room {
    fn new(id: &str) -> Room {
        Room {
            id: id.into(),
            info: Arc::default(),
        }
    }

    pub fn joined(&self) {
        self.info.lock().unwrap().members += 1;
    }
}

#[derive(Clone, Default)]
pub struct BaseClient {
    rooms: Arc<RwLock<HashMap<String, Room>>>,
}

impl BaseClient {
    pub fn get_room(&self, id: &str) -> Option<Room> {
        self.rooms.read().unwrap().get(id).cloned()
    }

    #[cfg(not(fixed))]
    pub fn get_or_create_room(&self, id: &str) -> Room {
        self.get_room(id).unwrap_or_else(|| {
            let room = Room::new(id);
            self.rooms
                .write()
                .unwrap()
                .insert(id.to_owned(), room.clone());
            room
        })
    }

    #[cfg(fixed)]
    pub fn get_or_create_room(&self, id: &str) -> Room {
        self.rooms
            .write()
            .unwrap()
            .entry(id.to_owned())
            .or_insert_with(|| Room::new(id))
            .clone()
    }

    pub fn receive(&self, id: &str) {
        self.get_or_create_room(id).joined();
    }
}
