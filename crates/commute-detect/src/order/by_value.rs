//! Rules with shared variables: `push(v) -> pop()/v`, with and without `counting`.
//!
//! An action comes after pending ones with equal values. A value that is opaque is looked
//! up by its look. If there is none, all that may be equal count.

use std::collections::VecDeque;

use commute_model::{ThreadId, Value};
use commute_spec::Key;
use rustc_hash::FxHashMap;

use super::Knowledge;

/// Pending actions, by the values of the shared variables.
#[derive(Clone, Debug)]
struct ByValue<E> {
    values: FxHashMap<Key, E>,
    /// How many of the values have an opaque part.
    opaque: usize,
}

impl<E> Default for ByValue<E> {
    fn default() -> ByValue<E> {
        ByValue {
            values: FxHashMap::default(),
            opaque: 0,
        }
    }
}

impl<E: Default> ByValue<E> {
    fn entry(&mut self, key: Key) -> &mut E {
        let opaque = &mut self.opaque;
        self.values.entry(key).or_insert_with_key(|key| {
            *opaque += usize::from(has_opaque(key));
            E::default()
        })
    }

    /// Whether only values that may be equal to these are pending.
    fn is_unclear(&self, key: &Key) -> bool {
        (self.opaque > 0 || has_opaque(key)) && !self.values.contains_key(key)
    }

    /// The pending actions with values that may be equal to these.
    fn that_may_be<'a>(&'a self, key: &'a Key) -> impl Iterator<Item = &'a E> {
        let may_be = move |other: &Key| {
            let mut pairs = other.iter().zip(key);
            pairs.all(|(one, other)| one.may_be(other))
        };
        // order: each is learned, and learning commutes.
        let found = self.values.iter().filter(move |(other, _)| may_be(other));
        found.map(|(_, entry)| entry)
    }

    fn remove(&mut self, key: &Key) {
        if self.values.remove(key).is_some() {
            self.opaque -= usize::from(has_opaque(key));
        }
    }
}

fn has_opaque(key: &Key) -> bool {
    key.iter().any(Value::has_opaque)
}

/// A rule by which an action comes after all that are pending.
#[derive(Clone, Debug)]
pub(super) struct Pending<K>(ByValue<(K, u64)>);

impl<K> Default for Pending<K> {
    fn default() -> Pending<K> {
        Pending(ByValue::default())
    }
}

impl<K: Clone + Default + std::fmt::Debug> Pending<K> {
    pub(super) fn before(&mut self, t: ThreadId, key: Key, hb: &mut impl Knowledge<Known = K>) {
        let (known, count) = self.0.entry(key);
        hb.publish(t, known);
        *count += 1;
    }

    /// `takes`: whether one of the pending actions is not pending any more.
    pub(super) fn after(
        &mut self,
        t: ThreadId,
        key: &Key,
        takes: bool,
        hb: &mut impl Knowledge<Known = K>,
    ) {
        if self.0.is_unclear(key) {
            { self.0.that_may_be(key) }.for_each(|(known, _)| hb.learn(t, known));
            return;
        }
        let Some((known, count)) = self.0.values.get_mut(key) else {
            return;
        };
        hb.learn(t, known);
        *count -= u64::from(takes);
        if *count == 0 {
            self.0.remove(key);
        }
    }
}

/// A rule that counts each value on its own: with k of a value at first, the j-th action
/// comes after the (j - k)-th pending one.
#[derive(Clone, Debug)]
pub(super) struct Counters<K> {
    pending: ByValue<VecDeque<K>>,
    /// How many there were at first, as far as the trace so far or `inferred` tells.
    initial: FxHashMap<Key, u64>,
    /// How many of these are left.
    left: FxHashMap<Key, u64>,
    /// Whether an action came after another.
    has_ordered: bool,
    is_late: bool,
}

impl<K: Clone + Default + std::fmt::Debug> Counters<K> {
    /// `inferred`: the initial number of each value, from the whole trace.
    pub(super) fn new(inferred: FxHashMap<Key, u64>) -> Counters<K> {
        Counters {
            pending: ByValue::default(),
            left: inferred.clone(),
            initial: inferred,
            has_ordered: false,
            is_late: false,
        }
    }

    pub(super) fn before(&mut self, t: ThreadId, key: Key, hb: &mut impl Knowledge<Known = K>) {
        let mut known = K::default();
        hb.publish(t, &mut known);
        self.pending.entry(key).push_back(known);
    }

    /// As [`Pending::after`].
    pub(super) fn after(
        &mut self,
        t: ThreadId,
        key: &Key,
        takes: bool,
        hb: &mut impl Knowledge<Known = K>,
    ) {
        if self.pending.is_unclear(key) {
            let all: Vec<_> = self.pending.that_may_be(key).flatten().collect();
            all.iter().for_each(|known| hb.learn(t, known));
            self.has_ordered |= !all.is_empty();
            if !all.is_empty() || has_opaque(key) {
                return;
            }
        }
        if let Some(left) = self.left.get_mut(key) {
            *left -= u64::from(takes);
            if *left == 0 {
                self.left.remove(key);
            }
            return;
        }
        let Some(pending) = self.pending.values.get_mut(key) else {
            // There was one more at first than was known.
            *self.initial.entry(key.clone()).or_default() += 1;
            self.is_late |= self.has_ordered;
            if !takes {
                self.left.insert(key.clone(), 1);
            }
            return;
        };
        self.has_ordered = true;
        if let Some(known) = pending.front() {
            hb.learn(t, known);
        }
        if takes {
            pending.pop_front();
        }
        if pending.is_empty() {
            self.pending.remove(key);
        }
    }
}

impl<K> Counters<K> {
    /// How many of each value there were at first.
    pub(super) fn initial(&self) -> &FxHashMap<Key, u64> {
        &self.initial
    }

    /// Whether an action may have come after another because there were more values at
    /// first than was known.
    pub(super) fn is_late(&self) -> bool {
        self.is_late
    }
}

impl<K> Pending<K> {
    pub(super) fn for_each(&mut self, show: &mut dyn FnMut(&mut K)) {
        // order: all are shown.
        self.0
            .values
            .values_mut()
            .for_each(|(known, _)| show(known));
    }
}

impl<K> Counters<K> {
    pub(super) fn for_each(&mut self, show: &mut dyn FnMut(&mut K)) {
        // order: all are shown.
        self.pending.values.values_mut().flatten().for_each(show);
    }
}
