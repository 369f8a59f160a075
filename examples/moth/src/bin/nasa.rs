//! The Remote Agent's table of properties. A task writes a value and that it is
//! achieved in two steps; the daemon, which reads both in one, may see one
//! without the other.

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

struct Shared {
    agent: Mutex<Agent>,
}

impl Shared {
    fn set_value(&self, value: i32, n: usize) {
        self.agent.lock().unwrap().table[n].value = value;
    }

    fn set_achieved(&self, n: usize) {
        self.agent.lock().unwrap().table[n].achieved = true;
    }

    fn try_issue_warning(&self, n: usize) -> bool {
        let agent = self.agent.lock().unwrap();
        agent.table[n].achieved && agent.system_state[n] != agent.table[n].value
    }

    fn run_task(&self, n: usize) {
        self.set_value(1, n);
        // Here the value is there and not achieved.
        self.set_achieved(n);
    }

    fn run_daemon(&self) {
        for n in 0..CELLS {
            if self.try_issue_warning(n) {
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
