//! A watermark that should only rise is compared and set in two steps.
//@ finding: Watermark::advance
use parking_lot::RwLock;
use std::collections::BTreeMap;

#[derive(Default)]
pub struct Watermark {
    highest: RwLock<u64>,
    pending: RwLock<BTreeMap<u64, String>>,
}

impl Watermark {
    pub fn current(&self) -> u64 {
        *self.highest.read()
    }
    pub fn enqueue(&self, at: u64, what: &str) {
        self.pending.write().insert(at, what.to_owned());
    }
    #[cfg(not(fixed))]
    pub fn advance(&self, to: u64) -> bool {
        if to <= *self.highest.read() {
            return false;
        }
        *self.highest.write() = to;
        true
    }
    #[cfg(fixed)]
    pub fn advance(&self, to: u64) -> bool {
        let mut highest = self.highest.write();
        if to <= *highest {
            return false;
        }
        *highest = to;
        true
    }
    pub fn due(&self) -> Vec<String> {
        let highest = self.current();
        let pending = self.pending.read();
        pending.range(..=highest).map(|(_, what)| what.clone()).collect()
    }
}
