//! What is prepared before anything was started. (The bug: a thread that runs
//! already, started by a function.)
//@ suppression: Ended
//@ finding: main

use std::collections::HashMap;
use std::sync::{Arc, RwLock};
use std::thread;

type Settings = RwLock<HashMap<String, u32>>;

fn watch(settings: &Arc<Settings>) {
    let settings = Arc::clone(settings);
    thread::spawn(move || {
        settings.write().unwrap().insert("level".to_owned(), 3);
    });
}

fn main() {
    let settings = Arc::new(Settings::default());
    #[cfg(not(fixed))]
    watch(&settings);
    if !settings.read().unwrap().contains_key("level") {
        settings.write().unwrap().insert("level".to_owned(), 1);
    }
    #[cfg(fixed)]
    watch(&settings);
    let level = settings.read().unwrap().get("level").copied();
    println!("{level:?}");
}
