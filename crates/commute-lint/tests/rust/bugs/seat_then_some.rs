//! A permit is given if there is room, by `then`, and counted afterwards.
//@ finding: Room::enter
use std::sync::Mutex;

pub struct Room {
    inside: Mutex<u32>,
    capacity: u32,
}

pub struct Full;

impl Room {
    pub fn new(capacity: u32) -> Room {
        Room { inside: Mutex::new(0), capacity }
    }
    #[cfg(not(fixed))]
    fn has_room(&self) -> bool {
        *self.inside.lock().unwrap() < self.capacity
    }
    #[cfg(not(fixed))]
    pub fn enter(&self, who: &str) -> Result<u32, Full> {
        self.has_room().then_some(()).ok_or(Full)?;
        println!("{who} comes in");
        let mut inside = self.inside.lock().unwrap();
        *inside += 1;
        Ok(*inside)
    }
    #[cfg(fixed)]
    pub fn enter(&self, who: &str) -> Result<u32, Full> {
        let mut inside = self.inside.lock().unwrap();
        (*inside < self.capacity).then_some(()).ok_or(Full)?;
        println!("{who} comes in");
        *inside += 1;
        Ok(*inside)
    }
    pub fn leave(&self) {
        *self.inside.lock().unwrap() -= 1;
    }
}
