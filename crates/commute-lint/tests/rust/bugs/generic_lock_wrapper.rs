//! A wrapper with `get` and `set` for any type, used by somebody else.
//@ finding: Playlist::skip
use std::sync::{Arc, RwLock};

pub struct Shared<T>(Arc<RwLock<T>>);

impl<T: Clone> Shared<T> {
    pub fn new(value: T) -> Shared<T> {
        Shared(Arc::new(RwLock::new(value)))
    }
    pub fn get(&self) -> T {
        self.0.read().unwrap().clone()
    }
    pub fn set(&self, value: T) {
        *self.0.write().unwrap() = value;
    }
    pub fn update<R>(&self, f: impl FnOnce(&mut T) -> R) -> R {
        f(&mut self.0.write().unwrap())
    }
}

pub struct Playlist {
    position: Shared<usize>,
    songs: Vec<String>,
}

impl Playlist {
    pub fn new(songs: Vec<String>) -> Playlist {
        Playlist { position: Shared::new(0), songs }
    }
    #[cfg(not(fixed))]
    pub fn skip(&self) -> Option<&str> {
        let next = (self.position.get() + 1) % self.songs.len().max(1);
        self.position.set(next);
        self.songs.get(next).map(String::as_str)
    }
    #[cfg(fixed)]
    pub fn skip(&self) -> Option<&str> {
        let count = self.songs.len().max(1);
        let next = self.position.update(|position| {
            *position = (*position + 1) % count;
            *position
        });
        self.songs.get(next).map(String::as_str)
    }
    pub fn rewind(&self) {
        self.position.set(0);
    }
}
