//! The order that actions on atomics, channels and barriers imply.

use std::collections::VecDeque;

use commute_clock::VectorClock;
use commute_model::{ThreadId, Value};
use commute_spec::Orders;

use crate::hb::HappensBefore;

/// The clocks of an object whose actions order threads.
#[derive(Clone, Debug)]
pub(crate) enum Order {
    Nothing,
    Atomic(VectorClock),
    Channel {
        sent: VecDeque<VectorClock>,
        /// Receives whose send has not been seen: the next sends are theirs.
        early: usize,
        closed: VectorClock,
    },
    Barrier {
        generation: u64,
        arriving: VectorClock,
        released: VectorClock,
        /// The generation each waiting thread belongs to.
        waiting: Vec<(ThreadId, u64)>,
    },
}

impl Order {
    pub(crate) fn new(orders: Option<Orders>) -> Order {
        match orders {
            None => Order::Nothing,
            Some(Orders::Atomic) => Order::Atomic(VectorClock::default()),
            Some(Orders::Channel) => Order::Channel {
                sent: VecDeque::new(),
                early: 0,
                closed: VectorClock::default(),
            },
            Some(Orders::Barrier) => Order::Barrier {
                generation: 0,
                arriving: VectorClock::default(),
                released: VectorClock::default(),
                waiting: Vec::new(),
            },
        }
    }

    /// What a thread learns by an action.
    pub(crate) fn before(
        &mut self,
        t: ThreadId,
        method: &str,
        results: &[Value],
        hb: &mut HappensBefore,
    ) {
        match self {
            Order::Nothing => {}
            Order::Atomic(cell) => hb.learn(t, cell),
            Order::Channel {
                sent,
                early,
                closed,
            } => match received(method, results) {
                Received::Message => match sent.pop_front() {
                    Some(message) => hb.learn(t, &message),
                    None => *early += 1,
                },
                Received::Closed => hb.learn(t, closed),
                Received::Nothing => {}
            },
            Order::Barrier {
                generation,
                arriving,
                released,
                waiting,
            } => {
                if method == "leave" {
                    let place = waiting.iter().position(|&(u, _)| u == t);
                    let mine = place.map(|place| waiting.swap_remove(place).1);
                    if mine == Some(*generation) {
                        *generation += 1;
                        *released = std::mem::take(arriving);
                    }
                    hb.learn(t, released);
                }
            }
        }
    }

    /// What a thread publishes by an action.
    pub(crate) fn after(
        &mut self,
        t: ThreadId,
        method: &str,
        results: &[Value],
        hb: &mut HappensBefore,
    ) {
        match self {
            Order::Nothing => {}
            Order::Atomic(cell) => hb.atomic(t, cell),
            Order::Channel {
                sent,
                early,
                closed,
            } => match method {
                // A send or close that failed did nothing.
                _ if results.first() == Some(&Value::Bool(false)) => {}
                "send" if *early > 0 => *early -= 1,
                "send" => {
                    let mut message = VectorClock::default();
                    hb.publish(t, &mut message);
                    sent.push_back(message);
                }
                "close" | "disconnect" => hb.publish(t, closed),
                _ => {}
            },
            Order::Barrier {
                generation,
                arriving,
                waiting,
                ..
            } => {
                if method == "arrive" {
                    hb.publish(t, arriving);
                    waiting.retain(|&(u, _)| u != t);
                    waiting.push((t, *generation));
                }
            }
        }
    }
}

pub(crate) enum Received {
    Message,
    Closed,
    Nothing,
}

pub(crate) fn received(method: &str, results: &[Value]) -> Received {
    let is = |word: &str| match results.first() {
        Some(Value::Str(text) | Value::Symbol(text)) => text == word,
        _ => false,
    };
    match method {
        "recv" if results.first() == Some(&Value::Nil) => Received::Closed,
        "recv" => Received::Message,
        "try_recv" if is("closed") => Received::Closed,
        "try_recv" if is("empty") => Received::Nothing,
        "try_recv" => Received::Message,
        _ => Received::Nothing,
    }
}
