//! Ways through a whole map: from key to key.

use std::hash::Hash;
use std::sync::Arc;

use commute_record::Value;

use super::{Alone, Explored, agrees, guard};
use crate::compose::offered;
use crate::explored::keyed::{Found, Hold, name_of};
use crate::scc::places::Places;

impl<'a, K: Eq + Hash, V> Explored<'a, K, V> {
    /// The next key, and its guard if this is a step.
    fn next(
        self,
        method: &'static str,
        after: Option<&Value>,
    ) -> Option<(Value, Option<Hold<'a>>)> {
        match self.with(|steps| steps.next(method, after)) {
            Some(hold) => hold.map(|hold| {
                let place = self.places.of(hold.key());
                place.try_look(|key, _| offered::key::<K, K>(self.tag, key));
                (hold.key().clone(), Some(hold))
            }),
            None => {
                let there = self.places.iter().filter(|place| {
                    let is_later = after.is_none_or(|after| place.name > *after);
                    is_later && place.look(|_, _| ()).is_some()
                });
                let name = there.map(|place| &place.name).min()?;
                Some((name.clone(), None))
            }
        }
    }

    /// Calls `f` with one entry after the other, in the order of keys, as long as it says
    /// so. Whether it did to the end.
    pub(in crate::scc) fn iter(self, mut f: impl FnMut(&K, &V) -> bool) -> bool {
        let mut after = None;
        while let Some((name, hold)) = self.next("next", after.as_ref()) {
            let found = hold.map_or(Found::Through, Found::Entry);
            if self.look("next", &name, found, &mut f) == Some(false) {
                return false;
            }
            after = Some(name);
        }
        true
    }

    /// The same, with entries that one has alone: also if they go, nobody else gets at
    /// the key before `f` is over.
    pub(in crate::scc) fn iter_mut(self, mut f: impl FnMut(Alone<'a, K, V>) -> bool) -> bool {
        let mut after = None;
        while let Some((name, hold)) = self.next("next_mut", after.as_ref()) {
            let hold = hold.map(Arc::new);
            let taken = self.places.of(&name).take();
            agrees("next_mut", Some(&true.into()), taken.entry.is_some());
            let held = { hold.as_ref() }.map(|hold| self.held(&taken, Arc::clone(hold)));
            let goes_on = f((taken, held));
            drop(hold);
            if !goes_on {
                return false;
            }
            after = Some(name);
        }
        true
    }

    /// The first entry after a key of which `pred` says that it is the one, to have it
    /// alone.
    pub(in crate::scc) fn any(
        self,
        mut after: Option<Value>,
        mut pred: impl FnMut(&K, &V) -> bool,
    ) -> Option<Alone<'a, K, V>> {
        while let Some((name, hold)) = self.next("next_mut", after.as_ref()) {
            let found = hold.map_or(Found::Through, Found::Entry);
            let alone = guard(self.alone("next_mut", &name, found));
            let entry = alone.get().entry.as_deref();
            if entry.is_some_and(|(k, v)| pred(k, v)) {
                return Some(alone.into_parts());
            }
            after = Some(name);
        }
        None
    }

    pub(in crate::scc) fn len(self) -> usize {
        match self.with(|steps| steps.ask("len_at_once", &[])) {
            Some(said) => said.as_int().and_then(|n| n.try_into().ok()).unwrap_or(0),
            None => self.content().len(),
        }
    }

    pub(in crate::scc) fn is_empty(self) -> bool {
        match self.with(|steps| steps.ask("is_empty_at_once", &[])) {
            Some(said) => said == Value::Bool(true),
            None => self.content().is_empty(),
        }
    }

    /// Copies all entries, to a map that nobody else knows yet.
    pub(in crate::scc) fn copy_to(self, other: &Places<K, V>)
    where
        K: Clone,
        V: Clone,
    {
        self.iter(|k, v| {
            let copy = Box::new((k.clone(), v.clone()));
            other.of(&name_of::<K, K>(k)).take().entry = Some(copy);
            true
        });
    }
}
