//! Threads that first use an object in different places, depending on what they got: it
//! has a name for each of them until an execution shows that it is one object.

use commute::sync::Arc;
use commute::sync::atomic::{AtomicU32, Ordering::SeqCst};
use commute::thread;

/// The first thread goes on to the second number if it was not the first to count.
#[commute::test]
fn two_numbers_of_three_threads() {
    let numbers = Arc::new([AtomicU32::new(0), AtomicU32::new(0)]);
    let (of_first, of_second) = (Arc::clone(&numbers), Arc::clone(&numbers));
    thread::spawn(move || {
        let before = of_first[0].fetch_add(1, SeqCst);
        of_first[usize::from(before % 2 == 1)].fetch_add(1, SeqCst);
    });
    thread::spawn(move || {
        of_second[0].fetch_add(1, SeqCst);
        of_second[0].fetch_add(1, SeqCst);
    });
    thread::spawn(move || {
        numbers[0].load(SeqCst);
        numbers[1].fetch_add(1, SeqCst);
    });
}
