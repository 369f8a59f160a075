//! `nasa` repaired: a task holds the lock while it writes both.

use std::sync::{Arc, Mutex};
use std::thread;

const CELLS: usize = 100;
const TASKS: usize = 3;

#[derive(Clone, Copy)]
struct Cell {
    value: i32,
    achieved: bool,
}

struct Agent {
    table: [Cell; CELLS],
    system_state: [i32; CELLS],
}

impl Agent {
    fn set_value(&mut self, value: i32, n: usize) {
        self.table[n].value = value;
    }

    fn set_achieved(&mut self, n: usize) {
        self.table[n].achieved = true;
    }

    fn try_issue_warning(&self, n: usize) -> bool {
        self.table[n].achieved && self.system_state[n] != self.table[n].value
    }
}

struct Shared {
    agent: Mutex<Agent>,
}

impl Shared {
    fn run_task(&self, n: usize) {
        let mut agent = self.agent.lock().unwrap();
        agent.set_value(1, n);
        agent.set_achieved(n);
    }

    fn run_daemon(&self) {
        for n in 0..CELLS {
            if self.agent.lock().unwrap().try_issue_warning(n) {
                println!("property {n} does not hold");
            }
        }
    }
}

fn main() {
    let cell = Cell {
        value: 0,
        achieved: false,
    };
    let agent = Mutex::new(Agent {
        table: [cell; CELLS],
        system_state: [0; CELLS],
    });
    let shared = Arc::new(Shared { agent });
    let mut threads = Vec::new();
    for n in 0..TASKS {
        let shared = Arc::clone(&shared);
        threads.push(thread::spawn(move || shared.run_task(n)));
    }
    let daemon = Arc::clone(&shared);
    threads.push(thread::spawn(move || daemon.run_daemon()));
    for thread in threads {
        thread.join().unwrap();
    }
}
