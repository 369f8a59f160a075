//! Programs with types of their own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex};

use commute::{AsValue, Identity, Value, thread};

/// Known by its identity.
#[derive(Default)]
struct Hits {
    hits: Mutex<i64>,
    identity: Identity,
}

#[commute::object(spec = "specs/counter.ecl", identity = identity)]
impl Hits {
    pub fn inc(&self) {
        *self.hits.lock().unwrap() += 1;
    }

    pub fn add(&mut self, amount: i64) {
        assert!(amount < 100, "on purpose");
        *self.hits.get_mut().unwrap() += amount;
    }

    pub fn read(&self) -> i64 {
        self.peek()
    }

    fn peek(&self) -> i64 {
        *self.hits.lock().unwrap()
    }
}

/// Known by its address.
struct Plain(Mutex<i64>);

#[commute::object(spec = "counter")]
impl Plain {
    pub fn inc(&self) {
        *self.0.lock().unwrap() += 1;
    }

    pub fn read(&self) -> i64 {
        *self.0.lock().unwrap()
    }
}

/// Its calls wait for each other, and do something to another object.
#[derive(Default)]
struct Mailbox {
    letters: Mutex<Vec<i64>>,
    came: Condvar,
    sent: Hits,
    identity: Identity,
}

#[commute::object(spec = "queue", identity = identity)]
impl Mailbox {
    pub fn enqueue(&self, letter: i64) {
        self.sent.inc();
        self.letters.lock().unwrap().push(letter);
        self.came.notify_one();
    }

    pub fn dequeue(&self) -> i64 {
        let letters = self.letters.lock().unwrap();
        let letters = self.came.wait_while(letters, |letters| letters.is_empty());
        letters.unwrap().remove(0)
    }
}

/// Calls itself.
#[derive(Default)]
struct Twice {
    hits: Hits,
    identity: Identity,
}

#[commute::object(spec = "counter", identity = identity)]
impl Twice {
    pub fn add(&self, amount: i64) {
        for _ in 0..amount {
            self.inc();
        }
    }

    pub fn inc(&self) {
        self.hits.inc();
    }

    // A type without a name.
    pub fn all(&self) -> impl Iterator<Item = i64> + use<> {
        std::iter::once(self.hits.read())
    }
}

#[test]
fn moved_and_dropped() {
    let hits = Hits::default();
    commute::name(&hits.identity, "first");
    hits.inc();
    let mut moved = Box::new(hits);
    moved.add(2);
    {
        let moved = *moved;
        assert_eq!(moved.read(), 3);
    }
    // As good as certainly where the first was.
    let hits = Hits::default();
    commute::name(&hits.identity, "second");
    assert_eq!(hits.read(), 0);
}

#[test]
fn by_address() {
    let mut plain = Plain(Mutex::new(0));
    plain.inc();
    // Another object, but nobody can know.
    plain = Plain(Mutex::new(7));
    assert_eq!(plain.read(), 7);
    // The same object, but nobody can know.
    let moved = Box::new(plain);
    moved.inc();
    assert_eq!(moved.read(), 8);
}

#[test]
fn races() {
    let (hits, plain) = (Hits::default(), Plain(Mutex::new(0)));
    commute::name(&hits.identity, "racy");
    thread::scope(|scope| {
        scope.spawn(|| (hits.inc(), plain.inc()));
        scope.spawn(|| (hits.read(), plain.read()));
    });
}

/// Has a picture.
struct Pictured(i32, &'static str);

impl AsValue for Pictured {
    fn as_value(&self) -> Value {
        Value::tuple([self.0.into(), Value::symbol(self.1)])
    }
}

/// Has none but for programmers.
#[derive(Debug)]
#[allow(dead_code, reason = "to be shown")]
struct Debug {
    at: u8,
}

struct Opaque;

/// Takes and gives all sorts of things.
#[derive(Default)]
struct Sink {
    identity: Identity,
}

#[commute::object(spec = "sink", identity = identity)]
impl Sink {
    pub fn debug(&self, _value: Debug) -> Option<u8> {
        None
    }

    pub fn pictured(&self, _value: Pictured) -> Option<u8> {
        Some(4)
    }

    pub fn opaque(&self, _value: Opaque) -> Option<Debug> {
        Some(Debug { at: 4 })
    }

    pub fn maybe(&self, _value: Option<Pictured>) -> Option<Pictured> {
        Some(Pictured(5, "w"))
    }

    pub fn large(&self, _value: u128) -> Pictured {
        Pictured(6, "two words")
    }
}

#[test]
fn values() {
    let sink = Sink::default();
    commute::name(&sink.identity, "shown");
    sink.debug(Debug { at: 3 });
    sink.pictured(Pictured(3, "w"));
    sink.opaque(Opaque);
    sink.maybe(None);
    sink.large(u128::MAX);
}

#[test]
fn waiting() {
    let mailbox = Mailbox::default();
    commute::name(&mailbox.identity, "mailbox");
    commute::name(&mailbox.sent.identity, "sent");
    thread::scope(|scope| {
        scope.spawn(|| assert_eq!(mailbox.dequeue() + mailbox.dequeue(), 7));
        std::thread::sleep(std::time::Duration::from_millis(20));
        mailbox.enqueue(3);
        mailbox.enqueue(4);
    });
}

#[test]
fn inside() {
    let twice = Twice::default();
    commute::name(&twice.identity, "outer");
    commute::name(&twice.hits.identity, "inner");
    twice.add(2);
    assert_eq!(twice.all().sum::<i64>(), 2);
}

#[test]
fn panics() {
    let mut hits = Hits::default();
    commute::name(&hits.identity, "hits");
    let result = catch_unwind(AssertUnwindSafe(|| hits.add(100)));
    assert!(result.is_err());
    hits.inc();
    thread::scope(|scope| {
        scope.spawn(|| assert_eq!(hits.read(), 1));
    });
}
