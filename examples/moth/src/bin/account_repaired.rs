//! `account` repaired: `update` holds the lock from the read to the write.

use std::sync::{Arc, Mutex};
use std::thread;

struct Savings {
    balance: i64,
}

impl Savings {
    fn get_balance(&self) -> i64 {
        self.balance
    }

    fn set_balance(&mut self, balance: i64) {
        self.balance = balance;
    }
}

struct Account {
    name: String,
    savings: Mutex<Savings>,
}

impl Account {
    fn update(&self, amount: i64) {
        let mut savings = self.savings.lock().unwrap();
        let mut total = savings.get_balance();
        total += amount;
        savings.set_balance(total);
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
    let balance = account.savings.lock().unwrap().get_balance();
    println!("{}: {balance}", account.name);
}
