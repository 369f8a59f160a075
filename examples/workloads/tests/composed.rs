//! Methods that use other objects: whether they are atomic.

use std::collections::HashMap;

use commute::compose::{self, Environment};
use commute::dashmap::DashMap;
use commute::sync::atomic::{
    AtomicU32,
    Ordering::{Relaxed, SeqCst},
};
use commute::sync::{Condvar, Mutex, RwLock};

/// Who is logged in, and with which ticket.
#[derive(Default)]
struct Sessions(DashMap<String, u32>);

impl Sessions {
    /// Looks, and then acts: somebody else may have come between.
    fn open(&self, user: String) -> u32 {
        if let Some(ticket) = self.0.get(&user) {
            return *ticket;
        }
        let ticket = 7;
        self.0.insert(user, ticket);
        ticket
    }

    /// Looks and acts at once.
    fn open_at_once(&self, user: String) -> u32 {
        *self.0.entry(user).or_insert(7)
    }

    fn adopt(&self, user: String, ticket: u32) -> Option<u32> {
        self.0.insert(user, ticket)
    }

    fn close(&self, user: &str) -> Option<u32> {
        self.0.remove(user).map(|(_, ticket)| ticket)
    }

    fn ticket(&self, user: &str) -> Option<u32> {
        self.0.get(user).map(|ticket| *ticket)
    }
}

fn sessions() -> compose::Check<Sessions> {
    compose::check(Sessions::default)
        .peer("adopt", |sessions, (user, ticket): (String, u32)| {
            sessions.adopt(user, ticket)
        })
        .peer("close", |sessions, user: String| sessions.close(&user))
        .observe("ticket", |sessions, user: String| sessions.ticket(&user))
}

#[commute::test]
fn a_session_is_opened_in_two_steps() {
    sessions()
        .method(|sessions, user: String| sessions.open(user))
        .assert_atomic();
}

#[commute::test]
fn a_session_is_opened_at_once() {
    sessions()
        .method(|sessions, user: String| sessions.open_at_once(user))
        .assert_atomic();
}

/// The same as sugar: others open sessions, too, and nothing else.
#[commute::composed]
fn a_session_is_opened_by_several(sessions: &Sessions, user: String) -> u32 {
    sessions.open(user)
}

/// Whatever others do to the map that it uses.
#[commute::composed(environment = Environment::open(), steps = 3)]
fn a_session_is_opened_whatever_happens(sessions: &Sessions, user: String) -> u32 {
    sessions.open_at_once(user)
}

/// What is tried is sequentially consistent, and it is said that the program is not.
#[commute::composed]
fn numbers_are_drawn(next: &AtomicU32) -> u32 {
    next.fetch_add(1, Relaxed)
}

/// What is waited for until somebody opens it.
#[derive(Default)]
struct Gate {
    is_open: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    fn pass(&self) {
        let mut is_open = self.is_open.lock().unwrap();
        while !*is_open {
            is_open = self.opened.wait(is_open).unwrap();
        }
    }

    /// Forgets to say so: whoever waits already waits for ever.
    fn open_silently(&self) {
        *self.is_open.lock().unwrap() = true;
    }

    fn open(&self) {
        self.open_silently();
        self.opened.notify_all();
    }

    fn is_open(&self) -> bool {
        *self.is_open.lock().unwrap()
    }
}

/// Alone, as a plain test runs it, the method would wait for ever.
#[commute::test(explored_only)]
fn nobody_opens_the_gate() {
    compose::check(Gate::default)
        .method(|gate, ()| gate.pass())
        .observe("is_open", |gate, ()| gate.is_open())
        .environment(Environment::client().without("itself"))
        .assert_atomic();
}

#[commute::test(explored_only)]
fn somebody_opens_the_gate() {
    compose::check(Gate::default)
        .method(|gate, ()| gate.pass())
        .peer("open", |gate, ()| gate.open())
        .observe("is_open", |gate, ()| gate.is_open())
        .assert_atomic();
}

/// What things cost.
#[derive(Default)]
struct Prices(RwLock<HashMap<String, u32>>);

impl Prices {
    /// Looks under one guard, and acts under another.
    fn price(&self, thing: String) -> u32 {
        if let Some(price) = self.0.read().unwrap().get(&thing) {
            return *price;
        }
        self.0.write().unwrap().insert(thing, 7);
        7
    }

    fn set(&self, thing: String, price: u32) {
        self.0.write().unwrap().insert(thing, price);
    }

    fn known(&self, thing: &str) -> Option<u32> {
        self.0.read().unwrap().get(thing).copied()
    }
}

#[commute::test]
fn a_price_leaves_its_lock() {
    compose::check(Prices::default)
        .method(|prices, thing: String| prices.price(thing))
        .peer("set", |prices, (thing, price): (String, u32)| {
            prices.set(thing, price);
        })
        .observe("known", |prices, thing: String| prices.known(&thing))
        .assert_atomic();
}

/// Draws a number, which two may get.
#[commute::composed]
fn a_number_is_drawn_in_two_steps(drawn: &AtomicU32, (): ()) -> u32 {
    let number = drawn.load(SeqCst);
    drawn.store(number + 1, SeqCst);
    number
}

/// A key of one's own.
#[derive(commute::Domain, Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Desk(u8);

/// Others may take any desk, or leave it.
#[commute::test]
fn a_desk_is_taken_in_two_steps() {
    compose::check(DashMap::<Desk, u8>::new)
        .method(|desks: &DashMap<Desk, u8>, desk: Desk| {
            let is_free = !desks.contains_key(&desk);
            if is_free {
                desks.insert(desk, 7);
            }
            is_free
        })
        .environment(Environment::open())
        .assert_atomic();
}
