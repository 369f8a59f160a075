//! Generation counter, as far as the cases use it.
use std::sync::Mutex;
struct Slot {
    generation: u32,
    value: Option<String>,
}
pub struct Arena {
    slots: Mutex<Vec<Slot>>,
}
#[derive(Clone, Copy)]
pub struct Key {
    index: usize,
    generation: u32,
}
impl Arena {
    pub fn insert(&self, value: String) -> Key {
        let mut slots = self.slots.lock().unwrap();
        slots.push(Slot {
            generation: 0,
            value: Some(value),
        });
        Key {
            index: slots.len() - 1,
            generation: 0,
        }
    }
    pub fn get(&self, key: Key) -> Option<String> {
        let slots = self.slots.lock().unwrap();
        let slot = slots.get(key.index)?;
        if slot.generation == key.generation {
            slot.value.clone()
        } else {
            None
        }
    }
    pub fn remove(&self, key: Key) -> Option<String> {
        let mut slots = self.slots.lock().unwrap();
        let slot = slots.get_mut(key.index)?;
        if slot.generation != key.generation {
            return None;
        }
        slot.generation += 1;
        slot.value.take()
    }
}
