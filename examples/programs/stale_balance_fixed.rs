//! A withdrawal keeps the lock from looking at the balance to changing it.

use std::time::Duration;

use commute::sync::{Arc, Mutex};
use commute::thread;

fn main() {
    let account = Arc::new(Mutex::new(100));
    commute::name(&account, "account");
    let threads: Vec<_> = [30, 50]
        .into_iter()
        .map(|amount| {
            let account = Arc::clone(&account);
            thread::spawn(move || withdraw(&account, amount))
        })
        .collect();
    for thread in threads {
        thread.join().expect("no thread panics");
    }
    println!("{} left", account.lock().expect("no thread panics"));
}

#[commute::atomic]
fn withdraw(account: &Mutex<i32>, amount: i32) {
    let mut balance = account.lock().expect("no thread panics");
    thread::sleep(Duration::from_millis(300));
    *balance -= amount;
}
