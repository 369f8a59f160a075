//! A list is taken out, filtered without the lock, and put back over new ones.
//@ finding: Timers::fire
use std::sync::Mutex;

pub struct Timer {
    at: u64,
    name: String,
}

#[derive(Default)]
pub struct Timers {
    timers: Mutex<Vec<Timer>>,
}

impl Timers {
    pub fn set(&self, at: u64, name: &str) {
        self.timers.lock().unwrap().push(Timer { at, name: name.to_owned() });
    }
    pub fn fire(&self, now: u64) -> Vec<String> {
        let all = std::mem::take(&mut *self.timers.lock().unwrap());
        let (due, rest): (Vec<_>, Vec<_>) = all.into_iter().partition(|timer| timer.at <= now);
        let names = due.into_iter().map(|timer| timer.name).collect();
        #[cfg(not(fixed))]
        {
            *self.timers.lock().unwrap() = rest;
        }
        #[cfg(fixed)]
        {
            self.timers.lock().unwrap().extend(rest);
        }
        names
    }
}
