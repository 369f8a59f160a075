//! An account that two threads pay into. Between `get_balance` and `set_balance`
//! the other may do the same: one update is lost.

use std::sync::{Arc, Mutex};
use std::thread;

struct Savings {
    balance: i64,
}

struct Account {
    name: String,
    savings: Mutex<Savings>,
}

impl Account {
    fn get_balance(&self) -> i64 {
        self.savings.lock().unwrap().balance
    }

    fn set_balance(&self, balance: i64) {
        self.savings.lock().unwrap().balance = balance;
    }

    fn update(&self, amount: i64) {
        let mut total = self.get_balance();
        total += amount;
        // Here `total` may be old.
        self.set_balance(total);
    }

    fn run(&self, thread: i64) {
        for step in 0..5 {
            self.update((7 * step + thread) % 10);
        }
    }
}

fn main() {
    let account = Arc::new(Account {
        name: "savings".to_owned(),
        savings: Mutex::new(Savings { balance: 0 }),
    });
    let mut threads = Vec::new();
    for thread in 0..2 {
        let account = Arc::clone(&account);
        threads.push(thread::spawn(move || account.run(thread)));
    }
    for thread in threads {
        thread.join().unwrap();
    }
    println!("{}: {}", account.name, account.get_balance());
}
