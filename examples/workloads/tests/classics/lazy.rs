//! A value that is made when it is first needed.

use commute::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use commute::sync::{Arc, Mutex, OnceLock};
use commute::thread;

/// How often the value was made.
static MADE: AtomicUsize = AtomicUsize::new(0);

fn make() -> usize {
    MADE.fetch_add(1, SeqCst);
    7
}

/// The mistake: two may see that it is not there.
#[derive(Default)]
struct Lazy {
    is_there: AtomicBool,
    value: Mutex<usize>,
}

impl Lazy {
    fn get(&self) -> usize {
        if !self.is_there.load(SeqCst) {
            *self.value.lock().unwrap() = make();
            self.is_there.store(true, SeqCst);
        }
        *self.value.lock().unwrap()
    }
}

fn two_ask(get: impl Fn() -> usize + Send + Sync + 'static) {
    let get = Arc::new(get);
    let other = Arc::clone(&get);
    let thread = thread::spawn(move || other());
    assert_eq!(get(), 7);
    assert_eq!(thread.join().unwrap(), 7);
    assert_eq!(MADE.load(SeqCst), 1, "made more than once");
}

#[commute::test]
fn lazy_is_made_once() {
    let lazy = OnceLock::new();
    two_ask(move || *lazy.get_or_init(make));
}

#[commute::test(explored_only)]
fn lazy_is_made_twice() {
    let lazy = Lazy::default();
    two_ask(move || lazy.get());
}
