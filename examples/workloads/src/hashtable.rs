//! A table from numbers to numbers.

use commute::sync::Mutex;

/// A table: lists of entries, each of the keys that have the same remainder.
#[derive(Debug, Default)]
pub struct Hashtable {
    rows: Mutex<[Vec<(i64, i64)>; 4]>,
}

fn row(key: i64) -> usize {
    key.rem_euclid(4) as usize
}

#[commute::object(spec = "dictionary")]
impl Hashtable {
    /// Puts a value; what was there before.
    pub fn put(&self, key: i64, value: i64) -> Option<i64> {
        let mut rows = self.rows.lock().unwrap();
        let row = &mut rows[row(key)];
        match row.iter_mut().find(|entry| entry.0 == key) {
            Some(entry) => Some(std::mem::replace(&mut entry.1, value)),
            None => {
                row.push((key, value));
                None
            }
        }
    }

    /// What is there.
    pub fn get(&self, key: i64) -> Option<i64> {
        let rows = self.rows.lock().unwrap();
        let entry = rows[row(key)].iter().find(|entry| entry.0 == key);
        entry.map(|entry| entry.1)
    }
}
