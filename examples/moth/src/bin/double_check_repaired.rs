//! `double_check` with the lock held from the read to the update.

use std::sync::{Arc, Mutex};
use std::thread;

struct Cell {
    field: i32,
}

impl Cell {
    fn get_shared_field(&self) -> i32 {
        self.field
    }

    fn update_shared_field(&mut self, old: i32, new: i32) -> bool {
        if old == self.field {
            self.field = new;
            true
        } else {
            false
        }
    }
}

struct Shared {
    cell: Mutex<Cell>,
}

impl Shared {
    fn run(&self) {
        let mut cell = self.cell.lock().unwrap();
        let mut done = false;
        while !done {
            let value = cell.get_shared_field();
            let new = compute(value);
            done = cell.update_shared_field(value, new);
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
    println!("{}", shared.cell.lock().unwrap().get_shared_field());
}
