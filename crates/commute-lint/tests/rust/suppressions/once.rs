//! One thread that counts by itself has nobody to fear, four of them have.
//@ suppression: Once
//@ finding: step
use std::sync::Mutex;
use std::thread;
static PROGRESS: Mutex<u64> = Mutex::new(0);
fn work(done: u64) -> u64 {
    done.trailing_zeros().into()
}
fn step() {
    let done = *PROGRESS.lock().unwrap();
    let more = work(done);
    *PROGRESS.lock().unwrap() = done + more;
}
fn main() {
    #[cfg(fixed)]
    let threads = [thread::spawn(|| step())];
    #[cfg(not(fixed))]
    let mut threads = Vec::new();
    #[cfg(not(fixed))]
    for _ in 0..4 {
        threads.push(thread::spawn(|| step()));
    }
    for thread in threads {
        thread.join().unwrap();
    }
    println!("{}", PROGRESS.lock().unwrap());
}
