//! Caches: what is kept has to be what it is a copy of.

use std::collections::HashMap;

use commute::compose::{Check, check};
use commute::dashmap::DashMap;
use commute::sync::Mutex;
use commute::sync::atomic::{AtomicU8, AtomicU32, Ordering::SeqCst};

use crate::expect::{BothWays, holds_only_without};

/// A value, and a copy of it that is quicker to read.
#[derive(Default)]
struct ReadThrough {
    value: AtomicU8,
    /// How often it was written.
    version: AtomicU32,
    copy: Mutex<Option<u8>>,
}

impl ReadThrough {
    /// Tries again if somebody wrote meanwhile.
    fn read(&self) -> u8 {
        loop {
            if let Some(copy) = *self.copy.lock().unwrap() {
                return copy;
            }
            let version = self.version.load(SeqCst);
            let value = self.value.load(SeqCst);
            let mut copy = self.copy.lock().unwrap();
            if self.version.load(SeqCst) == version {
                *copy = Some(value);
                return value;
            }
        }
    }

    /// The copy may be made of what was there before it was thrown away.
    fn read_and_keep(&self) -> u8 {
        if let Some(copy) = *self.copy.lock().unwrap() {
            return copy;
        }
        let value = self.value.load(SeqCst);
        *self.copy.lock().unwrap() = Some(value);
        value
    }

    fn write(&self, value: u8) {
        let mut copy = self.copy.lock().unwrap();
        self.value.store(value, SeqCst);
        self.version.fetch_add(1, SeqCst);
        *copy = None;
    }

    /// What the next one reads.
    fn reads(&self) -> u8 {
        let copy = *self.copy.lock().unwrap();
        copy.unwrap_or_else(|| self.value.load(SeqCst))
    }
}

fn read_through(method: fn(&ReadThrough) -> u8) -> Check<ReadThrough> {
    check(ReadThrough::default)
        .method(move |cache: &ReadThrough, ()| method(cache))
        .peer("write", ReadThrough::write)
        .observe("reads", |cache: &ReadThrough, ()| cache.reads())
}

#[test]
fn a_copy_is_not_kept_if_it_is_old_already() {
    read_through(ReadThrough::read)
        .steps(3)
        .assert_atomic_both_ways();
    holds_only_without(read_through(ReadThrough::read_and_keep), [&["write"]]);
}

const ROOM: usize = 1;

/// So many entries at most.
#[derive(Default)]
struct Bounded {
    entries: DashMap<u8, u8>,
    locked: Mutex<HashMap<u8, u8>>,
}

#[test]
fn a_cache_is_full_if_its_size_is_looked_at_when_it_grows() {
    check(Bounded::default)
        .method(|cache: &Bounded, key: u8| {
            let mut entries = cache.locked.lock().unwrap();
            let has_room = entries.len() < ROOM;
            if has_room {
                entries.insert(key, 7);
            }
            has_room
        })
        .peer("evict", |cache: &Bounded, key: u8| {
            cache.locked.lock().unwrap().remove(&key)
        })
        .observe("size", |cache: &Bounded, ()| {
            cache.locked.lock().unwrap().len()
        })
        .assert_atomic_both_ways();
    let in_two_steps = check(Bounded::default)
        .method(|cache: &Bounded, key: u8| {
            let has_room = cache.entries.len() < ROOM;
            if has_room {
                cache.entries.insert(key, 7);
            }
            has_room
        })
        .peer("evict", |cache: &Bounded, key: u8| {
            cache.entries.remove(&key)
        })
        .observe("size", |cache: &Bounded, ()| cache.entries.len());
    holds_only_without(in_two_steps, [&["itself"]]);
}

/// What was asked for, by whom it is remembered how often.
#[derive(Default)]
struct Popular {
    asked: DashMap<u8, u8>,
}

impl Popular {
    /// Looks, and tries to replace what it saw.
    fn ask(&self, key: u8) -> u8 {
        loop {
            let seen = self.asked.get(&key).map(|times| *times);
            let Some(seen) = seen else {
                use commute::dashmap::Entry;
                match self.asked.entry(key) {
                    Entry::Vacant(place) => return *place.insert(1),
                    Entry::Occupied(_) => continue,
                }
            };
            if let Some(mut times) = self.asked.get_mut(&key)
                && *times == seen
            {
                *times += 1;
                return *times;
            }
        }
    }

    /// Both parts are right, and the second one does not know of the first.
    fn ask_by_parts(&self, key: u8) -> u8 {
        self.asked.entry(key).or_default();
        self.asked.alter(&key, |_, times| times + 1);
        *self.asked.get(&key).expect("it was put there")
    }
}

fn popular(method: fn(&Popular, u8) -> u8) -> Check<Popular> {
    check(Popular::default)
        .method(method)
        .peer("forget", |popular: &Popular, key: u8| {
            popular.asked.remove(&key).is_some()
        })
        .observe("asked", |popular: &Popular, key: u8| {
            popular.asked.get(&key).map_or(0, |times| *times)
        })
}

#[test]
fn who_is_disturbed_tries_again() {
    popular(Popular::ask).steps(3).assert_atomic_both_ways();
    let by_parts = popular(Popular::ask_by_parts);
    holds_only_without(by_parts, [&["forget", "itself"]]);
}
