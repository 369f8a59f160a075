//! Garbage collection and compaction of a storage engine both choose layers
//! under the read lock and remove them under the write lock. They may choose
//! the same ones, and the second does not find what it wants to remove. A
//! mutex that is held over both keeps them apart.
//@ finding: Timeline::compact
use std::collections::BTreeMap;
use std::sync::{Mutex, RwLock};

#[derive(Clone)]
pub struct Layer {
    pub size: u64,
    pub level: u8,
}

#[derive(Default)]
pub struct Timeline {
    layers: RwLock<BTreeMap<u64, Layer>>,
    removal: Mutex<()>,
}

impl Timeline {
    fn candidates(&self, level: u8) -> Vec<(u64, Layer)> {
        let layers = self.layers.read().unwrap();
        let fitting = layers.iter().filter(|(_, layer)| layer.level == level);
        fitting.map(|(id, layer)| (*id, layer.clone())).collect()
    }

    pub fn compact(&self, new_id: u64) {
        #[cfg(fixed)]
        let _removal = self.removal.lock().unwrap();
        let chosen = self.candidates(0);
        let size = chosen.iter().map(|(_, layer)| layer.size).sum();
        let mut layers = self.layers.write().unwrap();
        for (id, _) in chosen {
            layers.remove(&id).expect("the layer is there");
        }
        layers.insert(new_id, Layer { size, level: 1 });
    }

    pub fn gc(&self, horizon: u64) {
        #[cfg(fixed)]
        let _removal = self.removal.lock().unwrap();
        let mut layers = self.layers.write().unwrap();
        layers.retain(|id, _| *id >= horizon);
    }

    pub fn flush(&self, id: u64, size: u64) {
        let mut layers = self.layers.write().unwrap();
        layers.insert(id, Layer { size, level: 0 });
    }
}
