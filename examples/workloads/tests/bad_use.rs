//! Tests that nobody should write, and what is hard to explore: what is said of each is
//! in the tests of the command. Nothing here runs but when it is explored.

use std::collections::HashMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use commute::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use commute::sync::{Arc, Barrier, LazyLock, Mutex, RwLock, mpsc};
use commute::thread;

/// Two threads that share two numbers; `choose` decides again and again which of them is
/// loaded. Decisions at random are never twice the same; their number is odd, so that
/// alternate decisions are not, either.
fn meet(mut choose: impl FnMut() -> bool) {
    let (a, b) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0)));
    let (a2, b2) = (Arc::clone(&a), Arc::clone(&b));
    let thread = thread::spawn(move || {
        a2.fetch_add(1, SeqCst);
        b2.fetch_add(1, SeqCst);
    });
    for _ in 0..25 {
        let chosen = if choose() { &a } else { &b };
        chosen.load(SeqCst);
    }
    thread.join().unwrap();
}

#[commute::test(explored_only)]
fn a_stranger_touches_what_is_used() {
    let number = Arc::new(AtomicU32::new(0));
    number.load(SeqCst);
    let other = Arc::clone(&number);
    let stranger = std::thread::Builder::new().name("stranger".to_owned());
    let stranger = stranger.spawn(move || other.fetch_add(1, SeqCst)).unwrap();
    stranger.join().unwrap();
}

#[commute::test(explored_only)]
fn a_stranger_touches_what_is_new() {
    let number = Arc::new(Mutex::new(0));
    let other = Arc::clone(&number);
    let stranger = std::thread::spawn(move || *other.lock().unwrap() += 1);
    stranger.join().unwrap();
    assert_eq!(*number.lock().unwrap(), 1);
}

#[commute::test(explored_only)]
fn waits_for_a_channel_of_std() {
    let (_sender, receiver) = std::sync::mpsc::channel::<()>();
    AtomicU32::new(0).fetch_add(1, SeqCst);
    let _ = receiver.recv();
}

#[commute::test(explored_only)]
fn waits_for_a_mutex_of_std() {
    let lock = std::sync::Arc::new(std::sync::Mutex::new(()));
    let number = Arc::new(AtomicU32::new(0));
    let (lock2, number2) = (std::sync::Arc::clone(&lock), Arc::clone(&number));
    let thread = thread::spawn(move || {
        let _guard = lock2.lock().unwrap();
        number2.fetch_add(1, SeqCst);
    });
    {
        let _guard = lock.lock().unwrap();
        number.fetch_add(1, SeqCst);
    }
    thread.join().unwrap();
}

#[commute::test(explored_only)]
fn computes_for_ever() {
    let mut number = 1_u64;
    while number != 0 {
        number = std::hint::black_box(number | 1);
    }
}

#[commute::test(explored_only)]
fn allocates_for_ever() {
    let mut all = Vec::new();
    loop {
        all.push(vec![1_u8; 1 << 20]);
    }
}

#[commute::test(explored_only)]
fn allocates_at_every_step() {
    let number = AtomicU32::new(0);
    let mut all = Vec::new();
    loop {
        number.fetch_add(1, SeqCst);
        all.push(vec![1_u8; 1 << 16]);
    }
}

#[expect(unconditional_recursion, reason = "that is the point")]
fn deeper(n: u64) -> u64 {
    std::hint::black_box(n) + deeper(n + 1)
}

#[commute::test(explored_only)]
fn overflows_its_stack() {
    thread::spawn(|| deeper(0)).join().unwrap();
}

#[commute::test(explored_only)]
fn has_as_much_stack_as_threads_have() {
    let thread = thread::spawn(|| {
        let large = [1_u8; 1 << 20];
        std::hint::black_box(&large);
    });
    thread.join().unwrap();
}

#[commute::test(explored_only)]
fn exits() {
    println!("it goes");
    std::process::exit(7);
}

struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("the second");
    }
}

#[commute::test(explored_only)]
fn panics_twice() {
    let _bomb = Bomb;
    panic!("the first");
}

#[commute::test(explored_only)]
fn panics_in_a_destructor() {
    let _bomb = Bomb;
}

#[commute::test(explored_only)]
#[should_panic(expected = "as it should")]
fn panics_as_it_should() {
    panic!("as it should be");
}

#[commute::test(explored_only)]
#[should_panic(expected = "as it should")]
fn panics_but_says_something_else() {
    panic!("something else");
}

#[commute::test(explored_only)]
#[should_panic]
fn panics_in_one_outcome_only() {
    let number = Arc::new(AtomicU32::new(0));
    let other = Arc::clone(&number);
    let thread = thread::spawn(move || other.store(1, SeqCst));
    let seen = number.load(SeqCst);
    thread.join().unwrap();
    assert_eq!(seen, 1);
}

#[commute::test(explored_only)]
fn returns_an_error() -> Result<(), String> {
    Err("no luck".to_owned())
}

#[commute::test(explored_only)]
#[ignore = "it is an example of one"]
fn is_ignored() {
    panic!("it was not to run");
}

#[commute::test(explored_only)]
fn prints_and_fails() {
    let number = Arc::new(AtomicU32::new(0));
    let other = Arc::clone(&number);
    let thread = thread::spawn(move || other.store(1, SeqCst));
    let seen = number.load(SeqCst);
    println!("it was {seen}");
    thread.join().unwrap();
    assert_eq!(seen, 0);
}

#[commute::test(explored_only)]
fn is_decided_by_the_order_of_a_map() {
    let map: HashMap<u32, u32> = (0..64).map(|i| (i, i)).collect();
    let mut keys = map.into_keys();
    meet(|| keys.next().is_some_and(|key| key % 2 == 0));
}

#[commute::test(explored_only)]
fn is_decided_by_the_order_of_a_map_and_runs_once() {
    let (a, b) = (AtomicU32::new(0), AtomicU32::new(0));
    let map: HashMap<u32, u32> = (0..64).map(|i| (i, i)).collect();
    for key in map.keys() {
        if key % 2 == 0 { &a } else { &b }.load(SeqCst);
    }
}

#[commute::test(explored_only)]
fn is_decided_by_the_clock() {
    let (a, b) = (AtomicU32::new(0), AtomicU32::new(0));
    for _ in 0..64 {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        if (now.subsec_nanos() / 10).is_multiple_of(2) {
            &a
        } else {
            &b
        }
        .load(SeqCst);
    }
}

#[commute::test(explored_only)]
fn is_decided_by_a_static_of_std() {
    static RUNS: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    meet(|| RUNS.fetch_add(1, SeqCst).is_multiple_of(2));
}

#[commute::test(explored_only)]
fn asks_who_it_is() {
    let mine = thread::current().id();
    let thread = thread::spawn(|| thread::current().id());
    let theirs = thread.thread().id();
    assert_ne!(mine, theirs);
    assert_eq!(thread.join().unwrap(), theirs);
}

#[commute::test(explored_only)]
fn finds_statics_as_they_were() {
    commute::thread_local! {
        static MINE: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
    }
    static LIST: Mutex<Vec<u32>> = Mutex::new(Vec::new());
    let add = || {
        MINE.set(MINE.get() + 1);
        LIST.lock().unwrap().push(MINE.get());
    };
    let thread = thread::spawn(add);
    add();
    thread.join().unwrap();
    assert_eq!(*LIST.lock().unwrap(), [1, 1]);
}

#[commute::test(explored_only)]
fn looks_again_and_again_without_a_hint() {
    let flag = Arc::new(AtomicBool::new(false));
    let other = Arc::clone(&flag);
    let thread = thread::spawn(move || other.store(true, SeqCst));
    while !flag.load(SeqCst) {}
    thread.join().unwrap();
}

#[commute::test(explored_only)]
fn looks_again_and_again_under_a_lock() {
    let flag = Arc::new(Mutex::new(false));
    let other = Arc::clone(&flag);
    let thread = thread::spawn(move || *other.lock().unwrap() = true);
    while !*flag.lock().unwrap() {
        thread::yield_now();
    }
    thread.join().unwrap();
}

#[commute::test(explored_only)]
fn writes_for_ever() {
    let number = AtomicU32::new(0);
    loop {
        number.fetch_add(1, SeqCst);
    }
}

#[commute::test(explored_only)]
fn waits_for_too_many_at_a_barrier() {
    let barrier = Arc::new(Barrier::new(3));
    let other = Arc::clone(&barrier);
    thread::spawn(move || other.wait().is_leader());
    barrier.wait();
}

#[commute::test(explored_only)]
fn needs_itself_to_begin() {
    static LAZY: LazyLock<u32> = LazyLock::new(|| *LAZY + 1);
    assert_eq!(*LAZY, 1);
}

#[commute::test(explored_only)]
fn writes_what_it_reads() {
    let lock = RwLock::new(0);
    let read = lock.read().unwrap();
    *lock.write().unwrap() += 1;
    drop(read);
}

#[commute::test(explored_only)]
fn believes_in_a_timeout() {
    let (sender, receiver) = mpsc::channel();
    let thread = thread::spawn(move || sender.send(1));
    assert_eq!(receiver.recv_timeout(Duration::from_secs(10)), Ok(1));
    let _ = thread.join();
}

#[commute::test(explored_only)]
fn takes_two_of_a_kind() {
    let locks: Arc<Vec<Mutex<u32>>> = Arc::new((0..2).map(Mutex::new).collect());
    let other = Arc::clone(&locks);
    let thread = thread::spawn(move || {
        let _second = other[1].lock().unwrap();
        let _first = other[0].lock().unwrap();
    });
    {
        let _first = locks[0].lock().unwrap();
        let _second = locks[1].lock().unwrap();
    }
    thread.join().unwrap();
}

#[commute::test(explored_only)]
fn finds_what_another_has_poisoned() {
    let lock = Arc::new(Mutex::new(0));
    let other = Arc::clone(&lock);
    let thread = thread::spawn(move || {
        let _guard = other.lock().unwrap();
        panic!("it poisons");
    });
    *lock.lock().unwrap() += 1;
    assert!(thread.join().is_err());
}

#[commute::test(explored_only)]
async fn awaits_a_task_that_panics() {
    let task = commute::future::spawn(async { panic!("in a task") });
    let () = task.await;
}

#[commute::test(explored_only)]
async fn awaits_for_ever() {
    std::future::pending::<()>().await;
}

#[commute::test(explored_only)]
async fn tasks_lose_an_update() {
    let number = Arc::new(AtomicU32::new(0));
    let other = Arc::clone(&number);
    let task = commute::future::spawn(async move {
        let seen = other.load(SeqCst);
        other.store(seen + 1, SeqCst);
    });
    let seen = number.load(SeqCst);
    number.store(seen + 1, SeqCst);
    task.await;
    assert_eq!(number.load(SeqCst), 2);
}
