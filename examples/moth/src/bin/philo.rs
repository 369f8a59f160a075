//! Philosophers at a table. How often all have eaten decides who goes on, and may be
//! old: no harm, they stop one round later. Correct; an analysis of dependences
//! reports `get_forks` and `put_forks`.

use std::sync::{Arc, Condvar, Mutex};
use std::thread;

const SEATS: usize = 5;
const ROUNDS: u32 = 12;

struct Forks {
    forks: [bool; SEATS],
    eatctr: u32,
}

struct Table {
    forks: Mutex<Forks>,
    put: Condvar,
}

impl Table {
    /// Waits for both forks. Returns how often all have eaten before.
    fn get_forks(&self, id: usize) -> u32 {
        let (left, right) = (id, (id + 1) % SEATS);
        let mut table = self.forks.lock().unwrap();
        while table.forks[left] || table.forks[right] {
            table = self.put.wait(table).unwrap();
        }
        table.forks[left] = true;
        table.forks[right] = true;
        let eaten = table.eatctr;
        table.eatctr += 1;
        eaten
    }

    fn put_forks(&self, id: usize) {
        let (left, right) = (id, (id + 1) % SEATS);
        let mut table = self.forks.lock().unwrap();
        table.forks[left] = false;
        table.forks[right] = false;
        self.put.notify_all();
    }

    fn run(&self, id: usize) {
        let mut n = 0;
        while n < ROUNDS {
            n = self.get_forks(id);
            thread::yield_now();
            self.put_forks(id);
        }
    }
}

fn main() {
    let forks = Mutex::new(Forks {
        forks: [false; SEATS],
        eatctr: 0,
    });
    let table = Arc::new(Table {
        forks,
        put: Condvar::new(),
    });
    let mut philosophers = Vec::new();
    for id in 0..SEATS {
        let table = Arc::clone(&table);
        philosophers.push(thread::spawn(move || table.run(id)));
    }
    for philosopher in philosophers {
        philosopher.join().unwrap();
    }
}
