//! A program in which threads do the same again and again.

use std::sync::Arc;

use commute_model::Value;
use commute_record::{Kind, Order, Raw, Tag, action};

use super::{Counter, FETCH_ADD, GET, INSERT, spawn};
use crate::here;

pub(crate) const THREADS: usize = 3;
/// How many actions each does on an object of its own.
pub(crate) const OWN: usize = 3000;
/// How often each adds to a counter of all, and how many times in a row.
const SHARED: (usize, usize) = (100, 40);
pub(crate) const ADDED: usize = THREADS * SHARED.0 * SHARED.1;

static MAP: Kind = Kind::object("own", "map");

/// Action number `i` of a thread: what it does, with which arguments, and its result.
pub(crate) fn own(i: usize) -> (&'static str, Vec<Value>, Option<Value>) {
    // For a while the same, then different ones.
    let method = ["insert", "get"][i / 50 % 2];
    let text = || Value::str(&"long".repeat(i % 30));
    let args = match i / 100 % 4 {
        0 => vec![Value::from(i), Value::from(i % 7)],
        1 => vec![text(), text()],
        2 => vec![Value::tuple([text(), Value::Nil]); i % 5],
        _ => vec![Value::from(u64::MAX), Value::from(-1), Value::Bool(true)],
    };
    let result = [None, Some(Value::from(i)), Some(text())];
    (method, args, result[i / 10 % 3].clone())
}

/// Adds without a lock that is recorded.
fn add_quietly(counter: &Counter, times: usize) {
    let mut value = counter.value.lock().unwrap();
    for _ in 0..times {
        let result = [Raw::Int((*value).into())];
        let args = [Raw::Int(1)];
        let order = Order::Alone;
        action(&counter.object, &FETCH_ADD, order, here(), &args, &result);
        *value += 1;
    }
}

pub(super) fn rows() {
    let counter = Counter::new();
    let threads = Vec::from_iter((0..THREADS).map(|_| {
        let counter = Arc::clone(&counter);
        spawn(move || {
            let map = Tag::new(&MAP);
            for i in 0..OWN {
                let (method, args, result) = own(i);
                let args = Vec::from_iter(args.iter().map(Raw::Value));
                let result = Vec::from_iter(result.iter().map(Raw::Value));
                let method = match method {
                    "insert" => &INSERT,
                    _ => &GET,
                };
                action(&map, method, Order::Alone, here(), &args, &result);
            }
            for _ in 0..SHARED.0 {
                add_quietly(&counter, SHARED.1);
                std::thread::yield_now();
            }
        })
    }));
    for (handle, child) in threads {
        handle.join().unwrap();
        child.join(here());
    }
}
