//! A thread that is started by a function which is called twice.
//@ suppression: Once
//@ finding: tick
use std::sync::RwLock;
use std::thread;
static CLOCK: RwLock<u64> = RwLock::new(0);
fn tick() {
    let now = *CLOCK.read().unwrap();
    let next = now.wrapping_mul(31) + 7;
    *CLOCK.write().unwrap() = next;
}
fn start() -> thread::JoinHandle<()> {
    thread::spawn(|| tick())
}
fn main() {
    let one = start();
    #[cfg(not(fixed))]
    let two = start();
    one.join().unwrap();
    #[cfg(not(fixed))]
    two.join().unwrap();
}
