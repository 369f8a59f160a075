//! A first test for `cargo commute test`.
//!
//! `cargo test` runs it once, as any other test. `cargo commute test` runs its threads in every
//! order that matters, once for each outcome, and shows the schedule if one of them fails.

// In a normal build these are the types of std. Code of yours takes part in tests, and can be
// watched by `cargo commute run`, if it imports them from here, too.
use commute::sync::{Arc, Mutex};
use commute::thread;

/// Takes from an account what is there, and says whether it was enough.
fn withdraw(account: &Mutex<u32>, amount: u32) -> bool {
    // One lock for looking and taking. To see what `cargo commute test` is for, let go of it
    // in between: look with `*account.lock().unwrap() >= amount`, and take with another `lock`.
    let mut balance = account.lock().unwrap();
    let is_enough = *balance >= amount;
    if is_enough {
        *balance -= amount;
    }
    is_enough
}

#[commute::test]
fn money_is_spent_once() {
    let account = Arc::new(Mutex::new(100));
    let other = Arc::clone(&account);
    let thread = thread::spawn(move || withdraw(&other, 100));
    let here = withdraw(&account, 100);
    let there = thread.join().unwrap();
    // Either may be first, but only one of them.
    assert_ne!(here, there);
    assert_eq!(*account.lock().unwrap(), 0);
}
