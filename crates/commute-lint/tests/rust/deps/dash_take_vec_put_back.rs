//! A system of actors notes who monitors whom. To add one, the list is taken
//! out of the map, changed and put back: another that is added meanwhile finds
//! no list and begins a new one, which is then replaced.
//@ finding: System::monitor
use dashmap::DashMap;

#[derive(Default)]
pub struct System {
    monitors: DashMap<u64, Vec<u64>>,
}

impl System {
    #[cfg(not(fixed))]
    pub fn monitor(&self, monitoring: u64, monitored: u64) {
        let mut list = match self.monitors.remove(&monitored) {
            Some((_, list)) => list,
            None => Vec::new(),
        };
        list.push(monitoring);
        self.monitors.insert(monitored, list);
    }

    #[cfg(fixed)]
    pub fn monitor(&self, monitoring: u64, monitored: u64) {
        self.monitors.entry(monitored).or_default().push(monitoring);
    }

    pub fn stopped(&self, actor: u64) -> Vec<u64> {
        match self.monitors.remove(&actor) {
            Some((_, list)) => list,
            None => Vec::new(),
        }
    }
}
