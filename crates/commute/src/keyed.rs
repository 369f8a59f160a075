//! What maps and sets record whose entries have guards: nobody else gets at a key
//! while its guard lives.

use std::panic::Location;
use std::sync::Arc;

use commute_record::{Method, Order, Raw, Tag, Value, action, is_on, value_of};

use crate::explored::keyed::Hold;

pub(crate) static GET: Method = Method::new("get");
pub(crate) static INSERT: Method = Method::new("insert");
pub(crate) static REMOVE: Method = Method::new("remove");
pub(crate) static CONTAINS_KEY: Method = Method::new("contains_key");
pub(crate) static CONTAINS: Method = Method::new("contains");
pub(crate) static LEN: Method = Method::new("len");
pub(crate) static IS_EMPTY: Method = Method::new("is_empty");

pub(crate) type At = &'static Location<'static>;

/// Other keys are as free as this one.
pub(crate) fn record(tag: &Tag, method: &Method, at: At, args: &[Raw<'_>], results: &[Raw<'_>]) {
    action(tag, method, Order::AmongOthers, at, args, results);
}

/// A key whose entry nobody else can get at, until the guard goes: then what
/// happened in between is recorded as one action or, in a test that is explored, the
/// model is told of it.
pub(crate) struct Held<'a> {
    tag: &'a Tag,
    at: At,
    /// The value when the guard came; nil if there was none.
    before: Value,
    /// Whether somebody could have changed it.
    touched: bool,
    /// In a test that is explored; it may be that somebody else has it, too.
    hold: Option<Arc<Hold<'a>>>,
}

impl<'a> Held<'a> {
    /// Nothing if nothing is recorded.
    pub(crate) fn new(tag: &'a Tag, at: At, before: Option<Raw<'_>>) -> Option<Held<'a>> {
        is_on().then(|| Held {
            tag,
            at,
            before: before.map_or(Value::Nil, |before| before.to_value()),
            touched: false,
            hold: None,
        })
    }

    /// In a test that is explored.
    pub(crate) fn explored(tag: &'a Tag, at: At, before: Value, hold: Arc<Hold<'a>>) -> Held<'a> {
        Held {
            tag,
            at,
            before,
            touched: false,
            hold: Some(hold),
        }
    }

    /// Something was inserted, and the guard stays.
    #[cfg(feature = "scc")]
    pub(crate) fn inserted<V>(&self, value: &V) {
        if let Some(hold) = &self.hold {
            hold.set(value);
        }
    }

    /// The entry goes, and the key is nobody else's yet.
    #[cfg(feature = "scc")]
    pub(crate) fn consume<K: ?Sized>(self, key: &K) {
        match &self.hold {
            Some(hold) => hold.unset(),
            None => self.remove(key),
        }
    }

    /// Nobody changes it from now on: this is what it is. What the model knows of it.
    #[cfg(feature = "dashmap")]
    pub(crate) fn downgrade<K: ?Sized, V>(self, key: &K, value: &V) -> Option<Arc<Hold<'a>>> {
        let hold = self.hold.clone();
        self.leave(key, value);
        if let Some(hold) = &hold {
            hold.downgrade();
        }
        hold
    }

    pub(crate) fn touch(&mut self) {
        self.touched = true;
    }

    /// The guard goes, and leaves this value.
    pub(crate) fn leave<K: ?Sized, V>(self, key: &K, value: &V) {
        let after = value_of(value);
        let is_same = match self.before {
            Value::Nil => false,
            // What cannot be compared has changed if it could.
            _ if matches!(after, Raw::Opaque) => !self.touched,
            _ => after.to_value() == self.before,
        };
        if let Some(hold) = &self.hold {
            if !is_same {
                hold.leave(value);
            }
            return;
        }
        let before = [Raw::Value(&self.before)];
        match is_same {
            true => record(self.tag, &GET, self.at, &[value_of(key)], &before),
            false => record(self.tag, &INSERT, self.at, &[value_of(key), after], &before),
        }
    }

    /// The guard goes, and the entry with it.
    pub(crate) fn remove<K: ?Sized>(self, key: &K) {
        if let Some(hold) = &self.hold {
            return hold.remove();
        }
        let before = [Raw::Value(&self.before)];
        record(self.tag, &REMOVE, self.at, &[value_of(key)], &before);
    }

    /// The guard goes, and there is no entry, as before.
    pub(crate) fn leave_absent<K: ?Sized>(self, key: &K) {
        if self.hold.is_some() {
            return;
        }
        record(self.tag, &GET, self.at, &[value_of(key)], &[Raw::Nil]);
    }
}

/// Calls `f` with a value that nobody else gets at meanwhile, and records what became of
/// it.
pub(crate) fn change<K: ?Sized, V, R>(
    tag: &Tag,
    at: At,
    key: &K,
    value: &mut V,
    f: impl FnOnce(&mut V) -> R,
    removes: impl FnOnce(&R) -> bool,
) -> R {
    let before = is_on().then(|| value_of(value));
    let held = Held::new(tag, at, before);
    let mut left = Left { held, key, value };
    let result = f(left.value);
    match left.held.take() {
        Some(held) if removes(&result) => held.remove(key),
        held => left.held = held,
    }
    result
}

/// A value that stays, also if a panic leaves it half changed.
struct Left<'a, 'v, K: ?Sized, V> {
    held: Option<Held<'a>>,
    key: &'v K,
    value: &'v mut V,
}

impl<K: ?Sized, V> Drop for Left<'_, '_, K, V> {
    fn drop(&mut self) {
        if let Some(mut held) = self.held.take() {
            held.touch();
            held.leave(self.key, &*self.value);
        }
    }
}

/// A guard of the original, and what to record when it goes. Without bounds on the
/// types inside, as the originals have none.
pub(crate) struct Guard<'a, G> {
    /// Taken by what consumes the guard.
    inner: Option<G>,
    held: Option<Held<'a>>,
    leave: fn(Held<'a>, &G),
}

const WHOLE: &str = "taken only by what consumes the guard";

impl<'a, G> Guard<'a, G> {
    pub(crate) fn new(inner: G, held: Option<Held<'a>>, leave: fn(Held<'a>, &G)) -> Guard<'a, G> {
        let inner = Some(inner);
        Guard { inner, held, leave }
    }

    pub(crate) fn get(&self) -> &G {
        self.inner.as_ref().expect(WHOLE)
    }

    /// To change something.
    pub(crate) fn get_mut(&mut self) -> &mut G {
        if let Some(held) = &mut self.held {
            held.touch();
        }
        self.inner.as_mut().expect(WHOLE)
    }

    /// The original, with what is still to be recorded.
    pub(crate) fn into_parts(mut self) -> (G, Option<Held<'a>>) {
        let held = self.held.take();
        (self.inner.take().expect(WHOLE), held)
    }

    /// The original, with everything recorded.
    pub(crate) fn into_inner(mut self) -> G {
        self.settle();
        self.inner.take().expect(WHOLE)
    }

    fn settle(&mut self) {
        if let (Some(held), Some(inner)) = (self.held.take(), &self.inner) {
            (self.leave)(held, inner);
        }
    }
}

/// While the lock is still held.
impl<G> Drop for Guard<'_, G> {
    fn drop(&mut self) {
        self.settle();
    }
}
