// The program behind `withdraw.std`, in outline.

struct Account(Mutex<i64>);

fn withdraw(account: &Account, amount: i64) {
    let balance = *account.0.lock().unwrap();
    if balance >= amount {
        *account.0.lock().unwrap() = balance - amount;
    }
}

fn main() {
    let account = Arc::new(Account(Mutex::new(100)));
    let other = {
        let account = account.clone();
        // Both see 100, both leave 40 behind.
        move || withdraw(&account, 60)
    };

    let thread = thread::spawn(other);
    withdraw(&account, 60);
    thread.join().unwrap();
}
