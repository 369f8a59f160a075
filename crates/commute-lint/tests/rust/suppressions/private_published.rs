//! A room that has been entered into the list is no longer only ours.
//@ suppression: Private
//@ finding: open
use std::sync::{Arc, Mutex};
pub struct Room {
    guests: Mutex<u32>,
}
pub struct Hotel {
    rooms: Mutex<Vec<Arc<Room>>>,
}
impl Hotel {
    pub fn open(&self, first: u32) {
        let room = Arc::new(Room {
            guests: Mutex::new(0),
        });
        #[cfg(not(fixed))]
        self.rooms.lock().unwrap().push(Arc::clone(&room));
        let guests = *room.guests.lock().unwrap();
        *room.guests.lock().unwrap() = guests + first;
        #[cfg(fixed)]
        self.rooms.lock().unwrap().push(room);
    }
    pub fn enter(&self, number: usize) {
        if let Some(room) = self.rooms.lock().unwrap().get(number) {
            *room.guests.lock().unwrap() += 1;
        }
    }
}
