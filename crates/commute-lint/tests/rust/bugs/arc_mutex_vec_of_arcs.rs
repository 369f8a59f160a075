//! A free connection is found in one region and marked in another.
//@ finding: Pool::checkout
use std::sync::{Arc, Mutex};
pub struct Slot {
    busy: Mutex<bool>,
    pub id: usize,
}
pub struct Pool {
    slots: Mutex<Vec<Arc<Slot>>>,
}
impl Pool {
    #[cfg(not(fixed))]
    pub fn checkout(&self) -> Option<Arc<Slot>> {
        let slots = self.slots.lock().unwrap().clone();
        for slot in slots {
            if !*slot.busy.lock().unwrap() {
                *slot.busy.lock().unwrap() = true;
                return Some(slot);
            }
        }
        None
    }
    #[cfg(fixed)]
    pub fn checkout(&self) -> Option<Arc<Slot>> {
        let slots = self.slots.lock().unwrap().clone();
        for slot in slots {
            let mut busy = slot.busy.lock().unwrap();
            if !*busy {
                *busy = true;
                drop(busy);
                return Some(slot);
            }
        }
        None
    }
    pub fn give_back(&self, slot: &Slot) {
        *slot.busy.lock().unwrap() = false;
    }
}
