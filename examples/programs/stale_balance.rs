//! A withdrawal looks at the balance under a lock, lets the lock go, and writes the
//! new balance under the lock again. What it saw may have changed in between.

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
    let balance = *account.lock().expect("no thread panics");
    // Asks somebody whether that is all right.
    thread::sleep(Duration::from_millis(300));
    *account.lock().expect("no thread panics") = balance - amount;
}
