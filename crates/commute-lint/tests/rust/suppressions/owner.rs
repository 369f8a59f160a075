//! `&mut self` keeps others from the field, but not from what an `Arc` in it
//! points to.
//@ suppression: Owner
//@ finding: compact
#[cfg(not(fixed))]
use std::sync::Arc;
use std::sync::Mutex;
pub struct Index {
    #[cfg(fixed)]
    rows: Mutex<Vec<u32>>,
    #[cfg(not(fixed))]
    rows: Arc<Mutex<Vec<u32>>>,
}
impl Index {
    #[cfg(not(fixed))]
    pub fn reader(&self) -> Index {
        Index {
            rows: Arc::clone(&self.rows),
        }
    }
    pub fn add(&self, row: u32) {
        self.rows.lock().unwrap().push(row);
    }
    pub fn compact(&mut self) {
        let mut rows = self.rows.lock().unwrap().clone();
        rows.sort_unstable();
        rows.dedup();
        *self.rows.lock().unwrap() = rows;
    }
}
