//! Objects whose models are in the test.

use std::collections::BTreeSet;

use commute::sync::{Arc, Condvar, Mutex};
use commute::{Called, Model, Value, thread};

use crate::seen::{outcomes, seen, seen_by_outcomes};

/// Notes, each at most once.
#[derive(Default)]
struct Board {
    notes: Mutex<BTreeSet<u32>>,
    identity: commute::Identity,
}

#[commute::object(model = Notes, identity = identity)]
impl Board {
    pub fn pin(&self, note: u32) {
        self.notes.lock().unwrap().insert(note);
    }

    pub fn has(&self, note: u32) -> bool {
        self.notes.lock().unwrap().contains(&note)
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct Notes(BTreeSet<i128>);

impl Model for Notes {
    fn step(&mut self, method: &str, args: &[Value]) -> Option<Value> {
        let note = args[0].as_int().expect("a number");
        match method {
            "pin" => {
                self.0.insert(note);
                Some(().into())
            }
            "has" => Some(self.0.contains(&note).into()),
            _ => panic!("what does `{method}` do?"),
        }
    }
}

/// The same, of which nothing is known.
#[derive(Default)]
struct Plain(Board);

#[commute::object(spec = "nothing_known")]
impl Plain {
    pub fn pin(&self, note: u32) {
        self.0.pin(note);
    }
}

/// Three threads that do this.
fn three(body: impl Fn(u32) + Send + Sync + 'static) {
    let body = Arc::new(body);
    let threads: Vec<_> = (0..3)
        .map(|n| {
            let body = Arc::clone(&body);
            thread::spawn(move || body(n))
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}

#[test]
fn with_a_model_only_what_can_be_noticed_counts() {
    let modelled = outcomes(|| {
        let board = Arc::new(Board::default());
        three(move |n| board.pin(n));
    });
    assert_eq!(modelled, 1);
    let versioned = outcomes(|| {
        let board = Arc::new(Plain::default());
        three(move |n| board.pin(n));
    });
    assert_eq!(versioned, 6);
    let read = outcomes(|| {
        let board = Arc::new(Board::default());
        let other = Arc::clone(&board);
        let reader = thread::spawn(move || (other.has(0), other.has(1)));
        board.pin(0);
        board.pin(1);
        reader.join().unwrap();
    });
    // What is seen the first time, and the second.
    assert_eq!(read, 4);
}

/// Whoever takes waits for something to take.
#[derive(Default)]
struct Tray {
    cups: Mutex<u32>,
    came: Condvar,
}

#[commute::object(model = Cups)]
impl Tray {
    pub fn put(&self) {
        *self.cups.lock().unwrap() += 1;
        self.came.notify_one();
    }

    pub fn take(&self) -> u32 {
        let cups = self.cups.lock().unwrap();
        let mut cups = self.came.wait_while(cups, |cups| *cups == 0).unwrap();
        *cups -= 1;
        *cups
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct Cups(u32);

impl Model for Cups {
    fn step(&mut self, method: &str, _args: &[Value]) -> Option<Value> {
        match method {
            "put" => {
                self.0 += 1;
                Some(().into())
            }
            "take" => {
                // What is changed by a call that waits is not changed.
                let left = self.0.checked_sub(1);
                self.0 = left.unwrap_or(77);
                left.map(Value::from)
            }
            _ => panic!("what does `{method}` do?"),
        }
    }
}

#[test]
fn a_call_waits_if_the_model_says_so() {
    let count = outcomes(|| {
        let tray = Arc::new(Tray::default());
        let other = Arc::clone(&tray);
        let thread = thread::spawn(move || [other.take(), other.take()]);
        tray.put();
        tray.put();
        thread.join().unwrap();
    });
    assert_eq!(count, 2);
    let hungry = seen(|| {
        let tray = Tray::default();
        tray.put();
        tray.take();
        tray.take();
    });
    assert_eq!((hungry.outcomes, hungry.deadlocks), (1, 1));
}

/// Its model is of another opinion.
struct Lamp(Mutex<bool>);

#[commute::object(model = Light)]
impl Lamp {
    pub fn press(&self) -> bool {
        let mut on = self.0.lock().unwrap();
        *on = !*on;
        *on
    }

    pub fn repair(&self) {}

    pub fn switch(&self) -> Switch {
        Switch
    }

    pub fn weigh(&self, _switch: &Switch) {}
}

struct Switch;

#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct Light;

impl Model for Light {
    fn step(&mut self, method: &str, _args: &[Value]) -> Option<Value> {
        match method {
            "press" => Some(true.into()),
            "switch" | "weigh" => Some(().into()),
            _ => panic!("what does `{method}` do?"),
        }
    }
}

#[test]
fn a_model_that_is_wrong_is_noticed() {
    let because = |body: fn(&Lamp)| {
        let seen = seen(move || body(&Lamp(Mutex::new(false))));
        seen.because.expect("it is noticed")
    };
    let wrong = because(|lamp| {
        lamp.press();
        lamp.press();
    });
    assert!(wrong.contains("press = false"), "{wrong}");
    let unknown = because(|lamp| lamp.repair());
    assert!(unknown.contains("what does `repair` do?"), "{unknown}");
    let result = because(|lamp| {
        lamp.switch();
    });
    assert!(
        result.contains("what `switch` returns cannot be"),
        "{result}"
    );
    let argument = because(|lamp| lamp.weigh(&Switch));
    assert!(argument.contains("an argument of `weigh`"), "{argument}");
}

/// Many threads, of which none can tell who was there before.
struct Tally(Mutex<u32>);

#[commute::object(model = Marks)]
impl Tally {
    pub fn mark(&self) {
        *self.0.lock().unwrap() += 1;
    }

    pub fn read(&self) -> u32 {
        *self.0.lock().unwrap()
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct Marks(u32);

impl Model for Marks {
    fn step(&mut self, method: &str, _args: &[Value]) -> Option<Value> {
        match method {
            "mark" => {
                self.0 += 1;
                Some(().into())
            }
            "read" => Some(self.0.into()),
            _ => panic!("what does `{method}` do?"),
        }
    }

    fn waits(_method: &str) -> bool {
        false
    }

    fn only_reads(method: &str) -> bool {
        method == "read"
    }

    fn commute(first: &Called<'_>, second: &Called<'_>) -> bool {
        first.method == second.method
    }
}

#[test]
fn many_calls_that_commute_are_no_trouble() {
    let seen = seen_by_outcomes(|| {
        let tally = Arc::new(Tally(Mutex::new(0)));
        for _ in 0..30 {
            let tally = Arc::clone(&tally);
            thread::spawn(move || tally.mark());
        }
        tally.read();
    });
    assert_eq!(seen.because, None);
    assert_eq!((seen.outcomes, seen.executions), (31, 31));
}
