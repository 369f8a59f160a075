//! The programs.

pub(crate) mod endings;
pub(crate) mod interrupted;
pub(crate) mod rows;

use std::io::Write;
use std::sync::{Arc, Mutex};

use commute_record::{
    Block, Child, Kind, LockOp, Method, Order, Raw, Tag, action, begin, end, is_on, lock, notify,
    wait, wake,
};

use crate::here;

pub(crate) const THREADS: usize = 4;
pub(crate) const ROUNDS: usize = 20_000;

static MUTEX: Kind = Kind::lock("mutex");
static CONDVAR: Kind = Kind::condvar("condvar");
static COUNTER: Kind = Kind::object("counter", "counter");
static MAP: Kind = Kind::object("dashmap", "map");
static FETCH_ADD: Method = Method::new("fetch_add");
static INSERT: Method = Method::new("insert");
static GET: Method = Method::new("get");
static TRANSFER: Block = Block::new("transfer");

pub(crate) fn run(program: &str) {
    match program {
        "counter" => counter(),
        "names" => names(),
        "endless" => endless(),
        "abort" => {
            Counter::new().add(100);
            wait_until_written(100);
            std::process::abort();
        }
        "exit" => {
            Counter::new().add(100);
            std::process::exit(7);
        }
        "panic" => {
            Counter::new().add(100);
            panic!("on purpose");
        }
        "exit_busy" => endings::exit_busy(),
        "exit_at_once" => endings::exit_at_once(),
        "limited" => endings::limited(),
        "late_together" => endings::late_together(),
        "leave_a_child" => endings::leave_a_child(),
        "signalled" => endings::signalled(),
        "interrupted" => interrupted::interrupted(),
        "fork" => fork(),
        "exit_well" => Counter::new().add(endings::BEFORE),
        "end_by_broken_pipes" => endings::end_by_broken_pipes(),
        "fork_and_go_on" => endings::fork_and(|counter| counter.add(3)),
        "fork_and_exit" => endings::fork_and(|_| std::process::exit(0)),
        "rows" => rows::rows(),
        "same_file" => same_file(),
        "come_and_go" => come_and_go(),
        "thread_local" => thread_local(),
        _ => panic!("no program {program}"),
    }
}

/// A counter under a lock, both recorded.
struct Counter {
    lock: Tag,
    object: Tag,
    value: Mutex<i64>,
}

impl Counter {
    fn new() -> Arc<Counter> {
        Arc::new(Counter {
            lock: Tag::new(&MUTEX),
            object: Tag::new(&COUNTER),
            value: Mutex::new(0),
        })
    }

    fn add(&self, times: usize) {
        for _ in 0..times {
            let mut value = self.value.lock().unwrap();
            if is_on() {
                lock(&self.lock, LockOp::Acquire, here());
                let result = [Raw::Int((*value).into())];
                let args = [Raw::Int(1)];
                action(
                    &self.object,
                    &FETCH_ADD,
                    Order::Alone,
                    here(),
                    &args,
                    &result,
                );
                lock(&self.lock, LockOp::Release, here());
            }
            *value += 1;
        }
    }
}

/// Waits until the trace of this process has so many operations of the counter: the
/// collector writes them while the process goes on.
fn wait_until_written(operations: i128) {
    let trace = std::env::var_os("COMMUTE_TRACE").unwrap();
    crate::wait_until_written(trace.as_ref(), operations);
}

fn spawn(work: impl FnOnce() + Send + 'static) -> (std::thread::JoinHandle<()>, Child) {
    let child = Child::fork(None, here());
    let inside = child.clone();
    let handle = std::thread::spawn(move || {
        inside.start();
        work();
    });
    (handle, child)
}

fn counter() {
    let counter = Counter::new();
    let threads: Vec<_> = (0..THREADS)
        .map(|_| {
            let counter = Arc::clone(&counter);
            spawn(move || counter.add(ROUNDS))
        })
        .collect();
    for (handle, child) in threads {
        handle.join().unwrap();
        child.join(here());
    }
}

fn names() {
    assert!(is_on());
    let map = Tag::new(&MAP);
    let order = Order::AmongOthers;
    let args = [Raw::Str("a"), Raw::Int(1)];
    action(&map, &INSERT, order, here(), &args, &[Raw::Nil]);
    let key = [Raw::Int(1), Raw::Str("b")];
    let args = [Raw::Tuple(&key), Raw::Opaque];
    let results = [Raw::Int(2), Raw::Bool(true)];
    action(&map, &INSERT, order, here(), &args, &results);
    let conns = Tag::new(&MAP);
    conns.name("conns");
    let args = [Raw::Int(u64::MAX.into())];
    action(&conns, &GET, order, here(), &args, &[]);
    let (mutex, condvar) = (Tag::new(&MUTEX), Tag::new(&CONDVAR));
    mutex.name("m|1");
    condvar.name("ready");
    begin(&TRANSFER, here());
    lock(&mutex, LockOp::Acquire, here());
    wait(&condvar, &mutex, here());
    notify(&condvar, false, here());
    notify(&condvar, true, here());
    wake(&condvar, &mutex, here());
    lock(&mutex, LockOp::Release, here());
    end(&TRANSFER, here());
    lock(&mutex, LockOp::ReadAcquire, here());
    lock(&mutex, LockOp::ReadRelease, here());
    let worker = Child::fork(Some("worker"), here());
    let inside = worker.clone();
    std::thread::spawn(move || inside.start()).join().unwrap();
    worker.join(here());
}

fn endless() {
    let counter = Counter::new();
    for _ in 0..2 {
        let counter = Arc::clone(&counter);
        spawn(move || {
            loop {
                counter.add(100);
                std::thread::yield_now();
            }
        });
    }
    let recorded = loop {
        std::thread::sleep(std::time::Duration::from_millis(10));
        let so_far = *counter.value.lock().unwrap();
        if so_far > 1000 {
            break so_far;
        }
    };
    println!("{recorded}");
    std::io::stdout().flush().unwrap();
    loop {
        std::thread::park();
    }
}

/// The child of a fork goes on with what it has, unrecorded.
fn fork() {
    let counter = Counter::new();
    counter.add(100);
    // SAFETY: the child only uses what this thread uses, and ends.
    #[expect(unsafe_code, reason = "a fork is what is tested")]
    unsafe {
        match libc::fork() {
            0 => {
                counter.add(50);
                assert!(!is_on());
                libc::exit(0);
            }
            child => {
                let mut status = 0;
                libc::waitpid(child, &mut status, 0);
                assert_eq!(status, 0);
            }
        }
    }
    counter.add(100);
}

/// Starts a program with the same environment.
fn same_file() {
    Counter::new().add(100);
    let mut again = std::process::Command::new(std::env::current_exe().unwrap());
    let status = again.env("RECORDED_PROGRAM", "exit").status().unwrap();
    assert_eq!(status.code(), Some(7));
}

fn come_and_go() {
    for _ in 0..100_000 {
        let map = Tag::new(&MAP);
        action(&map, &GET, Order::Alone, here(), &[Raw::Int(1)], &[]);
    }
}

/// Thread-local values that use recorded objects when they are dropped.
fn thread_local() {
    struct Last(Arc<Counter>);
    impl Drop for Last {
        fn drop(&mut self) {
            self.0.add(1);
        }
    }
    thread_local! {
        static LAST: std::cell::RefCell<Option<Last>> = const { std::cell::RefCell::new(None) };
    }
    let counter = Counter::new();
    let inside = Arc::clone(&counter);
    let (handle, child) = spawn(move || {
        inside.add(1);
        LAST.set(Some(Last(inside)));
    });
    handle.join().unwrap();
    child.join(here());
    counter.add(1);
    LAST.set(Some(Last(counter)));
}
