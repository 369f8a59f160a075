//! An older reload overwrites a newer one.
//@ finding: Reloader::reload
use std::sync::{Arc, RwLock};
pub struct Config {
    pub generation: u64,
    pub text: String,
}
pub struct Reloader {
    current: RwLock<Arc<Config>>,
}
fn read_file() -> String {
    std::env::args().collect()
}
impl Reloader {
    #[cfg(not(fixed))]
    pub fn reload(&self) {
        let generation = self.current.read().unwrap().generation;
        let text = read_file();
        *self.current.write().unwrap() = Arc::new(Config {
            generation: generation + 1,
            text,
        });
    }
    #[cfg(fixed)]
    pub fn reload(&self) {
        let generation = self.current.read().unwrap().generation;
        let text = read_file();
        let mut current = self.current.write().unwrap();
        if current.generation == generation {
            *current = Arc::new(Config {
                generation: generation + 1,
                text,
            });
        }
    }
}
