//! Threads.

use std::fmt::Debug;
use std::time::Duration;

use super::sync::{Arc, Mutex};
use super::thread::{self, Builder, JoinHandle, Scope, ScopedJoinHandle, Thread, ThreadId};

#[test]
fn results_and_panics_come_back() {
    let handle: JoinHandle<u32> = thread::spawn(|| 7);
    let thread: Thread = handle.thread().clone();
    let id: ThreadId = thread.id();
    assert_ne!(id, thread::current().id());
    assert_eq!(handle.join().unwrap(), 7);
    let result: thread::Result<()> = thread::spawn(|| panic!("on purpose")).join();
    assert_eq!(result.unwrap_err().downcast_ref(), Some(&"on purpose"));
}

#[test]
fn builders() {
    let builder = Builder::new().name("named".into()).stack_size(1 << 20);
    assert!(format!("{builder:?}").starts_with("Builder { name: Some(\"named\")"));
    let handle = builder
        .spawn(|| thread::current().name().map(String::from))
        .unwrap();
    assert_eq!(handle.thread().name(), Some("named"));
    assert_eq!(handle.join().unwrap().as_deref(), Some("named"));
    let value = 5;
    #[expect(unsafe_code, reason = "std's is unsafe too")]
    // SAFETY: joined before `value` is gone.
    let handle = unsafe { Builder::new().spawn_unchecked(|| value + 1) }.unwrap();
    assert_eq!(handle.join().unwrap(), 6);
}

#[test]
fn a_thread_that_nobody_joins() {
    let (sender, receiver) = std::sync::mpsc::channel();
    drop(thread::spawn(move || sender.send(1).unwrap()));
    assert_eq!(receiver.recv(), Ok(1));
    let handle = thread::spawn(|| ());
    while !handle.is_finished() {
        thread::yield_now();
    }
    handle.join().unwrap();
}

#[test]
fn scopes_borrow_and_join() {
    let mut total = Mutex::new(0);
    let text = String::from("scope");
    let length = thread::scope(|scope| {
        let joined: ScopedJoinHandle<'_, usize> = scope.spawn(|| text.len());
        for i in 0..3 {
            let total = &total;
            scope.spawn(move || *total.lock().unwrap() += i);
        }
        let named = Builder::new().name("scoped".into());
        let named = named
            .spawn_scoped(scope, || {
                assert_eq!(thread::current().name(), Some("scoped"));
                *total.lock().unwrap() += 10;
            })
            .unwrap();
        assert_eq!(named.thread().name(), Some("scoped"));
        while !named.is_finished() {
            thread::yield_now();
        }
        joined.join().unwrap()
    });
    assert_eq!(length, 5);
    assert_eq!(*total.get_mut().unwrap(), 13);
}

#[test]
fn threads_of_a_scope_spawn_into_it() {
    fn spread<'scope, 'env>(scope: &'scope Scope<'scope, 'env>, n: u32, sum: &'env Mutex<u32>) {
        *sum.lock().unwrap() += 1;
        if n > 0 {
            scope.spawn(move || spread(scope, n - 1, sum));
            scope.spawn(move || spread(scope, n - 1, sum));
        }
    }
    let sum = Mutex::new(0);
    thread::scope(|scope| spread(scope, 3, &sum));
    assert_eq!(sum.into_inner().unwrap(), 15);
}

#[test]
fn panics_in_scopes() {
    let caught = std::panic::catch_unwind(|| {
        thread::scope(|scope| {
            scope.spawn(|| panic!("on purpose"));
        });
    });
    let message = caught.unwrap_err();
    assert_eq!(message.downcast_ref(), Some(&"a scoped thread panicked"));
    let seen = thread::scope(|scope| scope.spawn(|| panic!("on purpose")).join().is_err());
    assert!(seen);
    let done = Arc::new(Mutex::new(0));
    let inside = Arc::clone(&done);
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(2));
                *inside.lock().unwrap() += 1;
            });
            panic!("of the scope itself");
        })
    }));
    let _: () = match caught {
        Ok(()) => panic!("it did not panic"),
        Err(message) => assert_eq!(message.downcast_ref(), Some(&"of the scope itself")),
    };
    assert_eq!(*done.lock().unwrap(), 1);
}

#[test]
fn what_is_said_about_them() {
    fn has<T: Send + Sync + Debug>(_: &T) {}
    let handle = thread::spawn(|| ());
    has(&handle);
    has(handle.thread());
    assert_eq!(format!("{handle:?}"), "JoinHandle { .. }");
    let name = format!("{:?}", thread::current());
    assert!(name.starts_with("Thread { id: ThreadId("), "{name}");
    handle.join().unwrap();
    thread::scope(|scope| {
        has(scope);
        assert!(format!("{scope:?}").starts_with("Scope { num_running_threads: 0"));
        assert_eq!(
            format!("{:?}", scope.spawn(|| ())),
            "ScopedJoinHandle { .. }"
        );
    });
    assert!(!thread::panicking());
    assert!(thread::available_parallelism().is_ok());
}

#[test]
fn park_and_unpark() {
    let ready = Arc::new(Mutex::new(false));
    let inside = Arc::clone(&ready);
    let parked = thread::spawn(move || {
        while !*inside.lock().unwrap() {
            thread::park();
        }
    });
    thread::sleep(Duration::from_millis(2));
    *ready.lock().unwrap() = true;
    parked.thread().unpark();
    parked.join().unwrap();
    // An unpark before the park is remembered.
    thread::current().unpark();
    thread::park();
    thread::park_timeout(Duration::from_millis(1));
    #[expect(deprecated, reason = "still there")]
    thread::park_timeout_ms(1);
}

#[test]
fn parked_threads_take_turns() {
    let main = thread::current();
    let turn = Mutex::new(0u32);
    thread::scope(|scope| {
        let other = scope.spawn(|| {
            for i in 0..200 {
                while *turn.lock().unwrap() != 2 * i + 1 {
                    thread::park();
                }
                *turn.lock().unwrap() += 1;
                main.unpark();
            }
        });
        for i in 0..200 {
            *turn.lock().unwrap() += 1;
            other.thread().unpark();
            while *turn.lock().unwrap() != 2 * i + 2 {
                thread::park();
            }
        }
    });
    assert_eq!(turn.into_inner().unwrap(), 400);
}
