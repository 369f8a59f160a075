//! A reference count, as in `Arc`: whoever gives up the last reference cleans up.

use commute::sync::Arc;
use commute::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use commute::thread;

struct Counted {
    references: AtomicUsize,
    cleaned_up: AtomicUsize,
}

impl Counted {
    fn new(references: usize) -> Arc<Counted> {
        Arc::new(Counted {
            references: AtomicUsize::new(references),
            cleaned_up: AtomicUsize::new(0),
        })
    }

    fn give_up(&self) {
        if self.references.fetch_sub(1, SeqCst) == 1 {
            self.cleaned_up.fetch_add(1, SeqCst);
        }
    }

    /// The mistake: what is looked at may not be what was left.
    fn give_up_and_look(&self) {
        self.references.fetch_sub(1, SeqCst);
        if self.references.load(SeqCst) == 0 {
            self.cleaned_up.fetch_add(1, SeqCst);
        }
    }
}

fn two_give_up(give_up: fn(&Counted)) {
    let counted = Counted::new(2);
    let other = Arc::clone(&counted);
    let thread = thread::spawn(move || give_up(&other));
    give_up(&counted);
    thread.join().unwrap();
    assert_eq!(counted.cleaned_up.load(SeqCst), 1);
}

#[commute::test]
fn count_cleans_up_once() {
    two_give_up(Counted::give_up);
}

#[commute::test(explored_only)]
fn count_cleans_up_twice() {
    two_give_up(Counted::give_up_and_look);
}
