//! The guard in a `match` lives to its end: all arms hold the lock.
use std::collections::HashMap;
use std::sync::Mutex;

pub enum Slot {
    Free,
    Taken(u64),
    Broken,
}

#[derive(Default)]
pub struct Slots {
    slots: Mutex<HashMap<u32, Slot>>,
}

impl Slots {
    pub fn add(&self, id: u32) {
        self.slots.lock().unwrap().entry(id).or_insert(Slot::Free);
    }
    pub fn take(&self, id: u32, by: u64) -> Result<(), u64> {
        match self.slots.lock().unwrap().get_mut(&id) {
            Some(slot) => match slot {
                Slot::Free => {
                    *slot = Slot::Taken(by);
                    Ok(())
                }
                Slot::Taken(other) => Err(*other),
                Slot::Broken => Err(0),
            },
            None => Err(0),
        }
    }
    pub fn free(&self, id: u32, by: u64) -> bool {
        if let Some(slot) = self.slots.lock().unwrap().get_mut(&id)
            && let Slot::Taken(owner) = slot
            && *owner == by
        {
            *slot = Slot::Free;
            return true;
        }
        false
    }
    pub fn break_down(&self, id: u32) {
        self.slots.lock().unwrap().insert(id, Slot::Broken);
    }
}
