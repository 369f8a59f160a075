//! `philo` with the table locked while a philosopher eats. The forks are always there,
//! so nobody waits.

use std::sync::{Arc, Mutex};
use std::thread;

const SEATS: usize = 5;
const ROUNDS: u32 = 12;

struct Forks {
    forks: [bool; SEATS],
    eatctr: u32,
}

impl Forks {
    fn get_forks(&mut self, id: usize) -> u32 {
        self.forks[id] = true;
        self.forks[(id + 1) % SEATS] = true;
        let eaten = self.eatctr;
        self.eatctr += 1;
        eaten
    }

    fn put_forks(&mut self, id: usize) {
        self.forks[id] = false;
        self.forks[(id + 1) % SEATS] = false;
    }
}

struct Table {
    forks: Mutex<Forks>,
}

impl Table {
    fn run(&self, id: usize) {
        let mut table = self.forks.lock().unwrap();
        let mut n = 0;
        while n < ROUNDS {
            n = table.get_forks(id);
            table.put_forks(id);
        }
    }
}

fn main() {
    let forks = Mutex::new(Forks {
        forks: [false; SEATS],
        eatctr: 0,
    });
    let table = Arc::new(Table { forks });
    let mut philosophers = Vec::new();
    for id in 0..SEATS {
        let table = Arc::clone(&table);
        philosophers.push(thread::spawn(move || table.run(id)));
    }
    for philosopher in philosophers {
        philosopher.join().unwrap();
    }
}
