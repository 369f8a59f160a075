//! Bits of a bitmap are claimed by `compare_exchange_weak` in a loop.
use std::sync::atomic::{AtomicU64, Ordering};

pub struct Bitmap {
    words: Vec<AtomicU64>,
}

impl Bitmap {
    pub fn new(slots: usize) -> Bitmap {
        let words = (0..slots.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        Bitmap { words }
    }
    pub fn claim(&self) -> Option<usize> {
        for (number, word) in self.words.iter().enumerate() {
            let mut bits = word.load(Ordering::Relaxed);
            while bits != u64::MAX {
                let free = bits.trailing_ones();
                let wanted = bits | 1 << free;
                match word.compare_exchange_weak(bits, wanted, Ordering::AcqRel, Ordering::Relaxed) {
                    Ok(_) => return Some(number * 64 + free as usize),
                    Err(now) => bits = now,
                }
            }
        }
        None
    }
    pub fn release(&self, slot: usize) {
        let bit = 1 << (slot % 64);
        let before = self.words[slot / 64].fetch_and(!bit, Ordering::AcqRel);
        debug_assert!(before & bit != 0, "slot {slot} was free");
    }
    pub fn in_use(&self) -> u32 {
        self.words.iter().map(|word| word.load(Ordering::Relaxed).count_ones()).sum()
    }
}
