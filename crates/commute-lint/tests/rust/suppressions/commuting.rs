//! One thread bills what was used, a hundred at a time, while others use more.
//! If somebody else may set it to nothing, a hundred may not be there.
//@ suppression: Commuting
//@ finding: main
use std::sync::atomic::{AtomicI64, Ordering};
use std::thread;
static USED: AtomicI64 = AtomicI64::new(0);
pub fn record(amount: i64) {
    USED.fetch_add(amount, Ordering::Relaxed);
}
#[cfg(not(fixed))]
pub fn forgive() -> i64 {
    USED.swap(0, Ordering::Relaxed)
}
fn bill(amount: i64) {
    std::hint::black_box(amount);
}
fn main() {
    let biller = thread::spawn(|| {
        while USED.load(Ordering::Relaxed) >= 100 {
            USED.fetch_sub(100, Ordering::Relaxed);
            bill(100);
        }
    });
    biller.join().unwrap();
}
