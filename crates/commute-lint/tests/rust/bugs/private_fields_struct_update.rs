//! private fields struct update.
//@ finding: Timers::reschedule
use std::collections::BTreeMap;
use std::sync::Mutex;
pub struct Timers {
    timers: Mutex<BTreeMap<u64, (u32, bool)>>,
}
impl Timers {
    pub fn add(&self, at: u64, id: u32) {
        self.timers.lock().unwrap().insert(at, (id, false));
    }
    #[cfg(not(fixed))]
    pub fn reschedule(&self, now: u64) -> Option<u32> {
        let first = self
            .timers
            .lock()
            .unwrap()
            .iter()
            .next()
            .map(|(at, timer)| (*at, *timer));
        let (at, (id, _)) = first?;
        if at > now {
            return None;
        }
        let mut timers = self.timers.lock().unwrap();
        timers.remove(&at);
        timers.insert(at + 100, (id, true));
        Some(id)
    }
    #[cfg(fixed)]
    pub fn reschedule(&self, now: u64) -> Option<u32> {
        let mut timers = self.timers.lock().unwrap();
        let (&at, &(id, _)) = timers.iter().next()?;
        if at > now {
            return None;
        }
        timers.remove(&at);
        timers.insert(at + 100, (id, true));
        Some(id)
    }
    pub fn cancel(&self, at: u64) {
        self.timers.lock().unwrap().remove(&at);
    }
}
