//! An optimistic update: `update_shared_field` looks whether the old value is
//! still there, and if not all is done again. Correct; an analysis that does not
//! see the second look reports `get_shared_field` and `update_shared_field`.

use std::sync::{Arc, Mutex};
use std::thread;

struct Cell {
    field: i32,
}

struct Shared {
    cell: Mutex<Cell>,
}

impl Shared {
    fn get_shared_field(&self) -> i32 {
        self.cell.lock().unwrap().field
    }

    fn update_shared_field(&self, old: i32, new: i32) -> bool {
        let mut cell = self.cell.lock().unwrap();
        if old == cell.field {
            cell.field = new;
            true
        } else {
            false
        }
    }

    fn run(&self) {
        let mut done = false;
        while !done {
            let value = self.get_shared_field();
            let new = compute(value);
            done = self.update_shared_field(value, new);
        }
    }
}

fn compute(value: i32) -> i32 {
    2 * value + 1
}

fn main() {
    let cell = Mutex::new(Cell { field: 0 });
    let shared = Arc::new(Shared { cell });
    let mut threads = Vec::new();
    for _ in 0..2 {
        let shared = Arc::clone(&shared);
        threads.push(thread::spawn(move || shared.run()));
    }
    for thread in threads {
        thread.join().unwrap();
    }
    println!("{}", shared.get_shared_field());
}
