//! A downloader allows so many transfers at once and has a list of those that
//! run. It starts one if the list is short enough, in a thread that enters
//! itself: many threads start before the first has entered. The entry is now
//! made by who decides.
//@ finding: Downloader::request
use std::sync::{Arc, Mutex};
use std::thread;

#[derive(Default)]
struct State {
    running: Mutex<Vec<String>>,
    waiting: Mutex<Vec<String>>,
}

#[derive(Clone, Default)]
pub struct Downloader {
    state: Arc<State>,
    max: usize,
}

fn transfer(url: &str) -> usize {
    url.len()
}

impl Downloader {
    #[cfg(not(fixed))]
    pub fn request(&self, url: String) {
        let running = self.state.running.lock().unwrap().len();
        if running >= self.max {
            self.state.waiting.lock().unwrap().push(url);
            return;
        }
        let state = self.state.clone();
        thread::spawn(move || {
            state.running.lock().unwrap().push(url.clone());
            transfer(&url);
            state.running.lock().unwrap().retain(|other| *other != url);
        });
    }

    #[cfg(fixed)]
    pub fn request(&self, url: String) {
        {
            let mut running = self.state.running.lock().unwrap();
            if running.len() >= self.max {
                drop(running);
                self.state.waiting.lock().unwrap().push(url);
                return;
            }
            running.push(url.clone());
        }
        let state = self.state.clone();
        thread::spawn(move || {
            transfer(&url);
            state.running.lock().unwrap().retain(|other| *other != url);
        });
    }
}
