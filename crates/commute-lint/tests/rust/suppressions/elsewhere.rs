//! A mode that lies three calls deep decides which counter counts; nobody minds
//! if it has just been changed. Whether there is room decides about the room.
//@ suppression: Elsewhere
//@ finding: admit
use std::sync::Mutex;
struct Hall {
    is_open: bool,
    guests: u32,
    visits: u64,
}
pub struct Museum {
    hall: Mutex<Hall>,
}
impl Museum {
    pub fn open(&self, is_open: bool) {
        self.hall.lock().unwrap().is_open = is_open;
    }
    pub fn leave(&self) {
        self.hall.lock().unwrap().guests -= 1;
    }
    fn mode(&self) -> bool {
        self.hall.lock().unwrap().is_open
    }
    fn counts_visits(&self) -> bool {
        self.mode()
    }
    #[cfg(fixed)]
    pub fn admit(&self) {
        if self.counts_visits() {
            self.hall.lock().unwrap().visits += 1;
        }
    }
    #[cfg(not(fixed))]
    pub fn admit(&self) {
        if self.hall.lock().unwrap().guests < 40 {
            let mut hall = self.hall.lock().unwrap();
            hall.visits += 1;
            hall.guests += 1;
        }
    }
}
