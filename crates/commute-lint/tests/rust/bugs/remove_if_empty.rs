//! The room is found empty, somebody joins, the room is removed.
//@ finding: Rooms::leave
use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
pub struct Rooms {
    rooms: Mutex<HashMap<String, HashSet<u64>>>,
}
impl Rooms {
    pub fn join(&self, room: &str, user: u64) {
        self.rooms
            .lock()
            .unwrap()
            .entry(room.to_owned())
            .or_default()
            .insert(user);
    }
    #[cfg(not(fixed))]
    pub fn leave(&self, room: &str, user: u64) {
        let empty = {
            let mut rooms = self.rooms.lock().unwrap();
            match rooms.get_mut(room) {
                Some(members) => {
                    members.remove(&user);
                    members.is_empty()
                }
                None => false,
            }
        };
        if empty {
            self.rooms.lock().unwrap().remove(room);
        }
    }
    #[cfg(fixed)]
    pub fn leave(&self, room: &str, user: u64) {
        let mut rooms = self.rooms.lock().unwrap();
        if let Some(members) = rooms.get_mut(room) {
            members.remove(&user);
            if members.is_empty() {
                rooms.remove(room);
            }
        }
    }
}
