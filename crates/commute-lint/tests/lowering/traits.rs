//! Methods of traits: of a type that is known, and of any that has them.

use std::sync::Mutex;

pub trait Store {
    fn put(&self, value: u32);

    fn put_twice(&self, value: u32) {
        self.put(value);
        self.put(value);
    }
}

pub struct Cell(Mutex<u32>);

impl Store for Cell {
    fn put(&self, value: u32) {
        *self.0.lock().unwrap() = value;
    }
}

pub fn known(cell: &Cell) {
    cell.put_twice(1);
}

pub fn given(store: &impl Store) {
    store.put(1);
}

pub fn generic<S: Store>(store: &S) {
    store.put(1);
}

pub fn dynamic(store: &dyn Store) {
    store.put(1);
}
