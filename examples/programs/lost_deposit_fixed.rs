//! A withdrawal looks at the balance and writes the new one under one lock. A deposit
//! comes before or after it.

use commute::sync::{Arc, Mutex};
use commute::thread;

struct Account {
    balance: Mutex<i64>,
}

impl Account {
    fn deposit(&self, amount: i64) {
        *self.balance.lock().expect("no thread panics") += amount;
    }

    fn withdraw(&self, amount: i64) -> bool {
        let mut balance = self.balance.lock().expect("no thread panics");
        if *balance < amount {
            return false;
        }
        *balance -= amount;
        true
    }
}

fn main() {
    let account = Arc::new(Account {
        balance: Mutex::new(100),
    });
    let other = Arc::clone(&account);
    let thread = thread::spawn(move || other.deposit(50));
    let done = account.withdraw(30);
    thread.join().expect("no thread panics");
    let left = account.balance.lock().expect("no thread panics");
    println!("withdrawn: {done}, {left} left");
}
