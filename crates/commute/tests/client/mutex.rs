//! Mutexes.

use std::fmt::{Debug, Display};
use std::panic::{RefUnwindSafe, UnwindSafe};

use super::sync::{Arc, LockResult, Mutex, MutexGuard, PoisonError, TryLockError, TryLockResult};
use super::thread;

static GLOBAL: Mutex<u32> = Mutex::new(7);
#[expect(
    clippy::declare_interior_mutable_const,
    reason = "every use is a new one"
)]
const EMPTY: Mutex<Vec<u32>> = Mutex::new(Vec::new());

const fn made_by_a_const_function() -> Mutex<&'static str> {
    Mutex::new("const")
}

static CONST: Mutex<&str> = made_by_a_const_function();

#[test]
fn it_excludes_others() {
    let total = Arc::new(Mutex::new((0u32, 0u32)));
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let total = Arc::clone(&total);
            thread::spawn(move || {
                for _ in 0..1000 {
                    let mut both = total.lock().unwrap();
                    both.0 += 1;
                    assert_eq!(both.0, both.1 + 1);
                    both.1 += 1;
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(*total.lock().unwrap(), (4000, 4000));
}

#[test]
fn statics_and_constants() {
    *GLOBAL.lock().unwrap() += 1;
    assert_eq!(*GLOBAL.lock().unwrap(), 8);
    assert_eq!(*CONST.lock().unwrap(), "const");
    let lists = [EMPTY; 2];
    lists[0].lock().unwrap().push(1);
    assert_eq!(
        lists.map(|list| list.into_inner().unwrap()),
        [vec![1], vec![]]
    );
}

#[test]
fn values_that_have_no_size() {
    trait Shape {
        fn area(&mut self) -> u32;
    }
    struct Square(u32);
    impl Shape for Square {
        fn area(&mut self) -> u32 {
            self.0 += 1;
            self.0 * self.0
        }
    }
    let shape: Arc<Mutex<dyn Shape + Send>> = Arc::new(Mutex::new(Square(1)));
    assert_eq!(shape.lock().unwrap().area(), 4);
    let slice: Box<Mutex<[i32]>> = Box::new(Mutex::new([1, 2, 3]));
    slice.lock().unwrap()[0] = 5;
    assert_eq!(
        format!("{slice:?}"),
        "Mutex { data: [5, 2, 3], poisoned: false, .. }"
    );
}

#[test]
fn trying() {
    let mutex = Mutex::new(1);
    let guard = mutex.lock().unwrap();
    let result: TryLockResult<MutexGuard<'_, i32>> = mutex.try_lock();
    assert!(matches!(result, Err(TryLockError::WouldBlock)));
    assert_eq!(
        format!("{mutex:?}"),
        "Mutex { data: \"<locked>\", poisoned: false, .. }"
    );
    drop(guard);
    *mutex.try_lock().unwrap() = 2;
    assert_eq!(*mutex.lock().unwrap(), 2);
}

#[test]
fn it_is_poisoned_by_a_panic() {
    let mutex = Arc::new(Mutex::new(1));
    let inside = Arc::clone(&mutex);
    let panicked = thread::spawn(move || {
        let mut guard = inside.lock().unwrap();
        *guard = 2;
        panic!("on purpose");
    });
    assert!(panicked.join().is_err());
    assert!(mutex.is_poisoned());
    let result: LockResult<MutexGuard<'_, i32>> = mutex.lock();
    assert_eq!(*result.unwrap_err().into_inner(), 2);
    assert!(matches!(mutex.try_lock(), Err(TryLockError::Poisoned(_))));
    assert_eq!(
        format!("{mutex:?}"),
        "Mutex { data: 2, poisoned: true, .. }"
    );
    mutex.clear_poison();
    assert!(!mutex.is_poisoned());
    assert_eq!(*mutex.lock().unwrap(), 2);
    let recovered = mutex.lock().unwrap_or_else(PoisonError::into_inner);
    drop(recovered);
    let mut mutex = Arc::into_inner(mutex).unwrap();
    *mutex.get_mut().unwrap() = 3;
    assert_eq!(mutex.into_inner().unwrap(), 3);
}

#[test]
fn a_poisoned_mutex_gives_its_value_away() {
    let mut mutex = Mutex::new(String::from("x"));
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _guard = mutex.lock().unwrap();
        panic!("on purpose");
    }));
    assert!(panicked.is_err());
    assert_eq!(mutex.get_mut().unwrap_err().into_inner(), "x");
    assert_eq!(mutex.into_inner().unwrap_err().into_inner(), "x");
}

#[test]
fn guards_while_unwinding() {
    struct InDrop<'a>(&'a Mutex<u32>);
    impl Drop for InDrop<'_> {
        fn drop(&mut self) {
            *self.0.lock().unwrap() += 1;
        }
    }
    let mutex = Mutex::new(0);
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _in_drop = InDrop(&mutex);
        panic!("on purpose");
    }));
    assert!(panicked.is_err());
    // Taken while the thread already panicked: not poisoned.
    assert_eq!(*mutex.lock().unwrap(), 1);
}

#[test]
fn traits() {
    fn has<T: Send + Sync + UnwindSafe + RefUnwindSafe + Debug + Default + From<u8>>() {}
    has::<Mutex<u8>>();
    fn guard<T: Debug + Display + Sync + std::ops::DerefMut<Target = u8>>(_: &T) {}
    let mutex = Mutex::from(5u8);
    let mut locked = mutex.lock().unwrap();
    guard(&locked);
    assert_eq!(format!("{locked:?} {locked}"), "5 5");
    *locked = 6;
    drop(locked);
    assert_eq!(Mutex::<u8>::default().into_inner().unwrap(), 0);
    assert_eq!(mutex.into_inner().unwrap(), 6);
    // A guard may be shared if the value may, even if the value may not be sent.
    fn share<T: Sync>() {}
    share::<MutexGuard<'_, MutexGuard<'_, u8>>>();
    // A guard keeps its mutex and not the other way round.
    fn shorter<'a, 'b: 'a>(guard: MutexGuard<'b, u8>) -> MutexGuard<'a, u8> {
        guard
    }
    drop(shorter(Mutex::new(1).lock().unwrap()));
}

#[test]
fn in_values_of_threads() {
    struct Last(Arc<Mutex<u32>>);
    impl Drop for Last {
        fn drop(&mut self) {
            *self.0.lock().unwrap() += 1;
        }
    }
    thread_local! {
        static LAST: std::cell::RefCell<Option<Last>> = const { std::cell::RefCell::new(None) };
    }
    let mutex = Arc::new(Mutex::new(0));
    let inside = Arc::clone(&mutex);
    thread::spawn(move || LAST.set(Some(Last(inside))))
        .join()
        .unwrap();
    assert_eq!(*mutex.lock().unwrap(), 1);
}

/// Nobody can say where these were made.
#[test]
fn made_by_std() {
    let shared: super::sync::Arc<Mutex<u8>> = Default::default();
    let (first, second) = <(Mutex<u8>, Mutex<u8>)>::default();
    let missing = std::iter::empty::<Mutex<u8>>().next();
    let make: fn() -> Mutex<u8> = Mutex::default;
    for mutex in [
        &*shared,
        &first,
        &second,
        &missing.unwrap_or_default(),
        &make(),
    ] {
        *mutex.lock().unwrap() += 1;
    }
    assert_eq!(shared.lock().unwrap().to_string(), "1");
}
