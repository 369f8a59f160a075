//! What is set once, and what is replaced as a whole.

use commute::compose::{Check, check};
use commute::sync::atomic::{AtomicU32, Ordering::SeqCst};
use commute::sync::{Arc, OnceLock, PoisonError, RwLock};

use crate::expect::{BothWays, holds_only_without};

/// Settings, from whoever comes first.
#[derive(Default)]
struct Settings(OnceLock<u8>);

impl Settings {
    fn init(&self, value: u8) -> u8 {
        *self.0.get_or_init(|| value)
    }

    /// Uses its own although another's were set.
    fn init_or_not(&self, value: u8) -> u8 {
        if let Some(set) = self.0.get() {
            return *set;
        }
        let _ = self.0.set(value);
        value
    }

    fn init_or_panic(&self, value: u8) -> u8 {
        if self.0.get().is_none() {
            self.0.set(value).expect("nobody has set it");
        }
        *self.0.get().expect("it is set")
    }
}

fn settings(method: fn(&Settings, u8) -> u8) -> Check<Settings> {
    check(Settings::default)
        .method(method)
        .observe("get", |settings: &Settings, ()| settings.0.get().copied())
}

#[test]
fn what_is_set_once_is_what_everybody_gets() {
    settings(Settings::init).assert_atomic_both_ways();
    holds_only_without(settings(Settings::init_or_not), [&["itself"]]);
    holds_only_without(settings(Settings::init_or_panic), [&["itself"]]);
}

/// Routes that are replaced by changed copies, as with `ArcSwap`.
#[derive(Default)]
struct Routes(RwLock<Arc<Vec<u8>>>);

impl Routes {
    fn load(&self) -> Arc<Vec<u8>> {
        let routes = self.0.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&routes)
    }

    fn store(&self, routes: Vec<u8>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(routes);
    }

    /// Whether the old ones were still there, and are replaced.
    fn compare_and_swap(&self, old: &Arc<Vec<u8>>, new: Vec<u8>) -> bool {
        let mut routes = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let is_same = Arc::ptr_eq(&routes, old);
        if is_same {
            *routes = Arc::new(new);
        }
        is_same
    }

    fn add(&self, route: u8) -> usize {
        loop {
            let old = self.load();
            let mut new = old.to_vec();
            new.push(route);
            let length = new.len();
            if self.compare_and_swap(&old, new) {
                return length;
            }
        }
    }

    fn add_to_copy(&self, route: u8) -> usize {
        let mut routes = self.load().to_vec();
        routes.push(route);
        let length = routes.len();
        self.store(routes);
        length
    }
}

fn routes(method: fn(&Routes, u8) -> usize) -> Check<Routes> {
    check(Routes::default)
        .method(method)
        .peer("clear", |routes: &Routes, ()| routes.store(Vec::new()))
        .observe("routes", |routes: &Routes, ()| routes.load())
        .also_from(|routes: &Routes, ()| routes.store(vec![9]))
}

#[test]
fn a_copy_is_stored_only_if_it_is_of_what_is_there() {
    routes(Routes::add).steps(3).assert_atomic_both_ways();
    let copies = routes(Routes::add_to_copy);
    holds_only_without(copies, [&["clear", "itself"]]);
}

/// Two numbers that are written together. The version is odd meanwhile.
#[derive(Default)]
struct Position {
    version: AtomicU32,
    x: AtomicU32,
    y: AtomicU32,
}

impl Position {
    fn both(&self) -> (u32, u32) {
        (self.x.load(SeqCst), self.y.load(SeqCst))
    }

    fn read(&self) -> (u32, u32) {
        loop {
            let version = self.version.load(SeqCst);
            let both = self.both();
            if version.is_multiple_of(2) && self.version.load(SeqCst) == version {
                return both;
            }
        }
    }

    fn write(&self, (x, y): (u32, u32)) {
        self.version.fetch_add(1, SeqCst);
        self.x.store(x, SeqCst);
        self.y.store(y, SeqCst);
        self.version.fetch_add(1, SeqCst);
    }
}

fn position(method: fn(&Position) -> (u32, u32)) -> Check<Position> {
    check(Position::default)
        .method(move |position: &Position, ()| method(position))
        .peer("write", Position::write)
}

#[test]
fn what_was_read_is_of_one_version() {
    position(Position::read).assert_atomic_both_ways();
    holds_only_without(position(Position::both), [&["write"]]);
}
