//! Two accounts, each with a lock.

use commute::sync::{Arc, Mutex};
use commute::thread;

type Account = Arc<Mutex<i64>>;

fn transfer(from: &Account, to: &Account) {
    let mut from = from.lock().unwrap();
    let mut to = to.lock().unwrap();
    *from -= 1;
    *to += 1;
}

fn both_transfer(
    first: impl Fn(&Account, &Account),
    second: impl Fn(&Account, &Account) + Send + 'static,
) {
    let (a, b) = (Account::default(), Account::default());
    let (other_a, other_b) = (Arc::clone(&a), Arc::clone(&b));
    let thread = thread::spawn(move || second(&other_a, &other_b));
    first(&a, &b);
    thread.join().unwrap();
    assert_eq!(*a.lock().unwrap() + *b.lock().unwrap(), 0);
}

#[commute::test]
fn locks_in_one_order() {
    both_transfer(transfer, transfer);
}

#[commute::test(explored_only)]
fn locks_in_two_orders() {
    both_transfer(transfer, |a, b| transfer(b, a));
}
