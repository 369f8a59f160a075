//! A number of permits.

use commute::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use commute::sync::{Arc, Condvar, Mutex};
use commute::thread;

struct Semaphore {
    permits: Mutex<usize>,
    freed: Condvar,
}

impl Semaphore {
    fn new(permits: usize) -> Semaphore {
        Semaphore {
            permits: Mutex::new(permits),
            freed: Condvar::new(),
        }
    }

    fn acquire(&self) {
        let permits = self.permits.lock().unwrap();
        let mut permits = self.freed.wait_while(permits, |n| *n == 0).unwrap();
        *permits -= 1;
    }

    /// The mistake: another may have come first when it wakes up.
    fn acquire_once(&self) {
        let mut permits = self.permits.lock().unwrap();
        if *permits == 0 {
            permits = self.freed.wait(permits).unwrap();
        }
        *permits = permits.saturating_sub(1);
    }

    fn release(&self) {
        *self.permits.lock().unwrap() += 1;
        self.freed.notify_one();
    }
}

fn two_enter(acquire: fn(&Semaphore)) {
    let semaphore = Arc::new(Semaphore::new(1));
    let inside = Arc::new(AtomicUsize::new(0));
    let work = move || {
        acquire(&semaphore);
        assert_eq!(inside.fetch_add(1, SeqCst), 0, "two are inside");
        inside.fetch_sub(1, SeqCst);
        semaphore.release();
    };
    let threads = [thread::spawn(work.clone()), thread::spawn(work.clone())];
    work();
    for thread in threads {
        thread.join().unwrap();
    }
}

#[commute::test]
fn semaphore_lets_one_in() {
    two_enter(Semaphore::acquire);
}

#[commute::test(explored_only)]
fn semaphore_lets_two_in() {
    two_enter(Semaphore::acquire_once);
}
