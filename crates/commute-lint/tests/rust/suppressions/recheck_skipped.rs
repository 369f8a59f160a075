//! Who is in a hurry does not look again.
//@ suppression: Recheck
//@ finding: reserve
use std::sync::Mutex;
struct Seats {
    free: u32,
}
pub struct Train {
    seats: Mutex<Seats>,
}
fn pay(count: u32) -> bool {
    count < 9
}
impl Train {
    pub fn reserve(&self, count: u32, hurry: bool) -> bool {
        if self.seats.lock().unwrap().free < count || !pay(count) {
            return false;
        }
        let mut seats = self.seats.lock().unwrap();
        #[cfg(not(fixed))]
        if !hurry && seats.free < count {
            return false;
        }
        #[cfg(fixed)]
        if seats.free < count {
            return false;
        }
        seats.free -= count;
        true
    }
}
