//! Entries that come when they are asked for, and go when nobody needs them.

use std::collections::HashMap;

use commute::compose::{Check, check};
use commute::dashmap::{DashMap, Entry};
use commute::sync::atomic::{AtomicU32, Ordering::SeqCst};
use commute::sync::{Arc, RwLock};

use crate::expect::{BothWays, holds_only_without};

type Name = char;

/// Counters by name.
#[derive(Default)]
struct Metrics(RwLock<HashMap<Name, Arc<AtomicU32>>>);

impl Metrics {
    fn find(&self, name: Name) -> Option<Arc<AtomicU32>> {
        self.0.read().unwrap().get(&name).cloned()
    }

    /// The map is locked while a counter is changed.
    fn count(&self, name: Name) -> u32 {
        if let Some(counter) = self.0.read().unwrap().get(&name) {
            return counter.fetch_add(1, SeqCst);
        }
        let mut counters = self.0.write().unwrap();
        counters.entry(name).or_default().fetch_add(1, SeqCst)
    }

    /// What is counted by a handle after it was flushed is lost.
    fn count_by_handle(&self, name: Name) -> u32 {
        let found = self.find(name);
        let counter = found.unwrap_or_else(|| {
            let mut counters = self.0.write().unwrap();
            Arc::clone(counters.entry(name).or_default())
        });
        counter.fetch_add(1, SeqCst)
    }

    /// Two that come first both begin to count.
    fn count_from_one(&self, name: Name) -> u32 {
        if let Some(counter) = self.find(name) {
            return counter.fetch_add(1, SeqCst);
        }
        let counter = Arc::new(AtomicU32::new(1));
        self.0.write().unwrap().insert(name, counter);
        0
    }

    fn flush(&self, name: Name) -> u32 {
        let counter = self.0.write().unwrap().remove(&name);
        counter.map_or(0, |counter| counter.load(SeqCst))
    }
}

/// A counter that is not there has counted nothing.
fn metrics(method: fn(&Metrics, Name) -> u32) -> Check<Metrics> {
    check(Metrics::default)
        .method(method)
        .observe("counted", |metrics: &Metrics, name: Name| {
            metrics.find(name).map_or(0, |counter| counter.load(SeqCst))
        })
        .also_from(|metrics: &Metrics, name: Name| {
            metrics.count(name);
        })
}

#[test]
fn everything_is_counted_if_there_is_one_counter() {
    metrics(Metrics::count).assert_atomic_both_ways();
    metrics(Metrics::count_by_handle).assert_atomic_both_ways();
    holds_only_without(metrics(Metrics::count_from_one), [&["itself"]]);
}

#[test]
fn what_was_flushed_has_everything_if_the_map_is_locked() {
    let flushed = |method| metrics(method).peer("flush", Metrics::flush);
    flushed(Metrics::count).assert_atomic_both_ways();
    holds_only_without(flushed(Metrics::count_by_handle), [&["flush"]]);
}

/// How many use each file.
#[derive(Default)]
struct Files(DashMap<Name, u32>);

impl Files {
    fn open(&self, name: Name) -> u32 {
        let mut users = self.0.entry(name).or_default();
        *users += 1;
        *users
    }

    /// One user less; false if there was none.
    fn leave(&self, name: Name) -> bool {
        match self.0.get_mut(&name) {
            Some(mut users) if *users > 0 => {
                *users -= 1;
                true
            }
            _ => false,
        }
    }

    fn close(&self, name: Name) -> bool {
        let is_open = self.leave(name);
        self.0.remove_if(&name, |_, users| *users == 0);
        is_open
    }

    fn close_entry(&self, name: Name) -> bool {
        let Entry::Occupied(mut users) = self.0.entry(name) else {
            return false;
        };
        *users.get_mut() -= 1;
        if *users.get() == 0 {
            users.remove();
        }
        true
    }

    /// Who opens it in between has it removed.
    fn leave_then_remove(&self, name: Name) -> bool {
        let is_open = self.leave(name);
        if self.users(name) == 0 {
            self.0.remove(&name);
        }
        is_open
    }

    fn users(&self, name: Name) -> u32 {
        self.0.get(&name).map_or(0, |users| *users)
    }
}

fn files(method: fn(&Files, Name) -> bool) -> Check<Files> {
    check(Files::default)
        .method(method)
        .peer("open", Files::open)
        .observe("users", Files::users)
        .also_from(|files: &Files, name: Name| {
            files.open(name);
        })
}

#[test]
fn the_last_one_removes_the_entry_only_if_it_still_is() {
    files(Files::close).assert_atomic_both_ways();
    files(Files::close_entry).assert_atomic_both_ways();
    holds_only_without(files(Files::leave_then_remove), [&["open"]]);
}

/// Handlers, of which each is there once.
#[derive(Default)]
struct Handlers(DashMap<Name, u8>);

impl Handlers {
    fn register(&self, (name, handler): (Name, u8)) {
        match self.0.entry(name) {
            Entry::Occupied(_) => panic!("{name} has a handler"),
            Entry::Vacant(place) => place.insert(handler),
        };
    }

    fn look_then_register(&self, (name, handler): (Name, u8)) {
        assert!(!self.0.contains_key(&name), "{name} has a handler");
        self.0.insert(name, handler);
    }
}

fn handlers(method: fn(&Handlers, (Name, u8))) -> Check<Handlers> {
    check(Handlers::default)
        .method(method)
        .peer("unregister", |handlers: &Handlers, name: Name| {
            handlers.0.remove(&name).map(|(_, handler)| handler)
        })
        .observe("handler", |handlers: &Handlers, name: Name| {
            handlers.0.get(&name).map(|handler| *handler)
        })
}

#[test]
fn nobody_is_replaced_if_who_is_there_is_found_in_the_same_step() {
    handlers(Handlers::register).assert_atomic_both_ways();
    holds_only_without(handlers(Handlers::look_then_register), [&["itself"]]);
}
