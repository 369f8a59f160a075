//! The limit is read, and entries are added by it after it was lowered.
//@ finding: Table::add
use std::sync::Mutex;

struct Limits {
    rows: usize,
    bytes: usize,
}

struct Inner {
    limits: Mutex<Limits>,
    rows: Mutex<Vec<Vec<u8>>>,
}

pub struct Table {
    inner: Inner,
}

impl Table {
    pub fn new(rows: usize) -> Table {
        Table {
            inner: Inner {
                limits: Mutex::new(Limits { rows, bytes: 1 << 20 }),
                rows: Mutex::new(Vec::new()),
            },
        }
    }
    #[cfg(not(fixed))]
    pub fn add(&self, row: Vec<u8>) -> bool {
        let limit = {
            let limits = self.inner.limits.lock().unwrap();
            if row.len() > limits.bytes {
                return false;
            }
            limits.rows
        };
        let mut rows = self.inner.rows.lock().unwrap();
        if rows.len() >= limit {
            return false;
        }
        rows.push(row);
        true
    }
    #[cfg(fixed)]
    pub fn add(&self, row: Vec<u8>) -> bool {
        let limits = self.inner.limits.lock().unwrap();
        if row.len() > limits.bytes {
            return false;
        }
        let mut rows = self.inner.rows.lock().unwrap();
        if rows.len() >= limits.rows {
            return false;
        }
        rows.push(row);
        true
    }
    /// From here on there are no more rows than this.
    pub fn shrink(&self, to: usize) {
        let mut limits = self.inner.limits.lock().unwrap();
        limits.rows = to;
        self.inner.rows.lock().unwrap().truncate(to);
    }
}
