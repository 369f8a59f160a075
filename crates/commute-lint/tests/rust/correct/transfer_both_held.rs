//! Both accounts are held while money moves, the one with the lower number first.
use std::sync::{Arc, Mutex};
use std::thread;

pub struct Account {
    number: u32,
    balance: Mutex<i64>,
}

impl Account {
    pub fn new(number: u32, balance: i64) -> Arc<Account> {
        Arc::new(Account {
            number,
            balance: Mutex::new(balance),
        })
    }
    pub fn balance(&self) -> i64 {
        *self.balance.lock().unwrap()
    }
}

pub fn transfer(from: &Account, to: &Account, amount: i64) -> Result<(), i64> {
    if from.number == to.number {
        return Ok(());
    }
    let (mut source, mut target);
    if from.number < to.number {
        source = from.balance.lock().unwrap();
        target = to.balance.lock().unwrap();
    } else {
        target = to.balance.lock().unwrap();
        source = from.balance.lock().unwrap();
    }
    if *source < amount {
        return Err(*source);
    }
    *source -= amount;
    *target += amount;
    Ok(())
}

pub fn shuffle(accounts: Vec<Arc<Account>>) {
    let workers: Vec<_> = accounts
        .windows(2)
        .map(|pair| {
            let (from, to) = (Arc::clone(&pair[0]), Arc::clone(&pair[1]));
            thread::spawn(move || transfer(&from, &to, 5))
        })
        .collect();
    for worker in workers {
        if let Ok(Err(balance)) = worker.join() {
            eprintln!("only {balance} left");
        }
    }
}
