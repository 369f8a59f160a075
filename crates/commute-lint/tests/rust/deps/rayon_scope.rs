//! Tasks of a scope, and one that outlives its caller.
//@ finding: Table::grow
use std::sync::{Arc, Mutex};
pub struct Table {
    rows: Mutex<Vec<u32>>,
}
impl Table {
    #[cfg(not(fixed))]
    fn grow(&self, to: usize) {
        let missing = to - self.rows.lock().unwrap().len();
        self.rows.lock().unwrap().extend(vec![0; missing]);
    }
    #[cfg(fixed)]
    fn grow(&self, to: usize) {
        let mut rows = self.rows.lock().unwrap();
        let missing = to - rows.len();
        rows.extend(vec![0; missing]);
    }
}
pub fn fill() -> usize {
    let table = Table {
        rows: Mutex::new(Vec::new()),
    };
    rayon::scope(|scope| {
        scope.spawn(|_| table.grow(10));
        scope.spawn(|_| table.grow(20));
    });
    table.rows.into_inner().unwrap().len()
}
pub fn fill_later() -> Arc<Table> {
    let table = Arc::new(Table {
        rows: Mutex::new(Vec::new()),
    });
    for to in [10, 20] {
        let table = table.clone();
        rayon::spawn(move || table.grow(to));
    }
    table
}
