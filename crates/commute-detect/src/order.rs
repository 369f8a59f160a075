//! The order that actions on atomics, channels and barriers imply.

use std::collections::VecDeque;

use commute_clock::VectorClock;
use commute_model::{ThreadId, Value};
use commute_spec::{Invocation, Orders, Specification};

/// What order is made of: clocks, or the events that are ordered.
pub(crate) trait Knowledge {
    /// What some events published.
    type Known: Clone + Default + std::fmt::Debug;

    /// The event of `t` comes after what is `known`.
    fn learn(&mut self, t: ThreadId, known: &Self::Known);

    /// Whoever learns what is `known` comes after the event of `t`, too.
    fn publish(&mut self, t: ThreadId, known: &mut Self::Known);

    /// Whoever learns what is `known` comes after the event of `t`, which has
    /// learned what was known before.
    fn replace(&mut self, t: ThreadId, known: &mut Self::Known);
}

/// What was published at an object whose actions order threads.
#[derive(Clone, Debug)]
pub(crate) enum Order<K = VectorClock> {
    Nothing,
    Atomic(K),
    Channel {
        sent: VecDeque<K>,
        /// Receives whose send has not been seen: the next sends are theirs.
        early: usize,
        closed: K,
        ends: Ends<K>,
    },
    Barrier {
        generation: u64,
        arriving: K,
        released: K,
        /// The generation each waiting thread belongs to.
        waiting: Vec<(ThreadId, u64)>,
    },
}

/// What was done with the ends of a channel: whoever ends one comes after all who
/// used it, or they could not have.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ends<K> {
    /// Whether they are owned. If not, anybody may end them at any time.
    owned: bool,
    sending: K,
    receiving: K,
}

impl<K: Clone + Default + std::fmt::Debug> Order<K> {
    pub(crate) fn new(orders: Option<Orders>) -> Order<K> {
        match orders {
            None => Order::Nothing,
            Some(Orders::Atomic) => Order::Atomic(K::default()),
            Some(Orders::Channel | Orders::Mpsc) => Order::Channel {
                sent: VecDeque::new(),
                early: 0,
                closed: K::default(),
                ends: Ends {
                    owned: orders == Some(Orders::Mpsc),
                    ..Ends::default()
                },
            },
            Some(Orders::Barrier) => Order::Barrier {
                generation: 0,
                arriving: K::default(),
                released: K::default(),
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
        hb: &mut impl Knowledge<Known = K>,
    ) {
        match self {
            Order::Nothing => {}
            Order::Atomic(cell) => hb.learn(t, cell),
            Order::Channel {
                sent,
                early,
                closed,
                ends,
            } => match received(method, results) {
                Received::Message => match sent.pop_front() {
                    Some(message) => hb.learn(t, &message),
                    None => *early += 1,
                },
                Received::Closed => hb.learn(t, closed),
                Received::Nothing => {}
                Received::NoReceive => match method {
                    "close" if ends.owned => hb.learn(t, &ends.receiving),
                    "disconnect" if ends.owned => hb.learn(t, &ends.sending),
                    _ => {}
                },
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
        hb: &mut impl Knowledge<Known = K>,
    ) {
        match self {
            Order::Nothing => {}
            Order::Atomic(cell) => hb.replace(t, cell),
            Order::Channel {
                sent,
                early,
                closed,
                ends,
            } => {
                match method {
                    "send" if ends.owned => hb.publish(t, &mut ends.sending),
                    // A look begins an epoch also where nobody learns of it: of the
                    // looks in one epoch only the first would be remembered.
                    "recv" | "try_recv" => hb.publish(t, &mut ends.receiving),
                    _ => {}
                }
                match method {
                    // A send or close that failed did nothing.
                    _ if results.first() == Some(&Value::Bool(false)) => {}
                    "send" if *early > 0 => *early -= 1,
                    "send" => {
                        let mut message = K::default();
                        hb.publish(t, &mut message);
                        sent.push_back(message);
                    }
                    "close" | "disconnect" => hb.publish(t, closed),
                    _ => {}
                }
            }
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

/// What an action of a channel received.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Received {
    Message,
    Closed,
    /// It looked, and there was nothing.
    Nothing,
    /// It did not look.
    NoReceive,
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
        _ => Received::NoReceive,
    }
}

/// What two actions that do not commute are to each other, if their object is there
/// to order threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    /// They are how threads wait for each other, or ownership puts them in order:
    /// that they can meet is what they are for.
    Meant,
    /// The earlier or the later one is a look that found nothing: see
    /// [`looks`](crate::looks).
    Look {
        earlier: bool,
    },
    Other,
}

/// What two actions are to each other. Of the earlier one it is known whether it
/// changed the object.
pub(crate) fn relation(
    specification: &Specification,
    (earlier, changed): (usize, bool),
    later: Invocation<'_>,
) -> Relation {
    let name = |method: usize| &specification.methods[method].name[..];
    let received = received(name(later.method), later.results());
    match (specification.orders, name(earlier), name(later.method)) {
        (None, ..) => Relation::Other,
        (Some(Orders::Atomic | Orders::Barrier), ..) => Relation::Meant,
        // A receive comes after the send of its message. Which of several equal
        // messages that was, nobody can tell.
        (_, "send", _) if received == Received::Message => Relation::Meant,
        (_, "recv" | "try_recv", "send") if changed => Relation::Meant,
        (_, "close" | "disconnect", _) if received == Received::Closed => Relation::Meant,
        (Some(Orders::Mpsc), "recv" | "try_recv", "close") => Relation::Meant,
        (Some(Orders::Mpsc), "send", "disconnect") => Relation::Meant,
        (_, "send" | "disconnect", _) if received == Received::Nothing => {
            Relation::Look { earlier: false }
        }
        (_, "try_recv", "send" | "disconnect") => Relation::Look { earlier: true },
        _ => Relation::Other,
    }
}
