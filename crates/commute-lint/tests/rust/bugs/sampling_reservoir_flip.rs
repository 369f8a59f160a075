//! A reservoir with two buffers of a metrics library (metrics #606): the flag
//! that says which one is written is loaded and stored negated, so two that
//! consume at the same time drain the same buffer. `fetch_xor` flips it now.
//@ finding: AtomicSamplingReservoir::consume
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

struct Reservoir {
    values: Box<[AtomicU64]>,
    count: AtomicUsize,
}

impl Reservoir {
    fn with_capacity(capacity: usize) -> Self {
        let values = (0..capacity).map(|_| AtomicU64::new(0)).collect();
        Reservoir {
            values,
            count: AtomicUsize::new(0),
        }
    }
    fn push(&self, value: f64) {
        let at = self.count.fetch_add(1, Ordering::AcqRel);
        if let Some(slot) = self.values.get(at) {
            slot.store(value.to_bits(), Ordering::Relaxed);
        }
    }
    fn drain(&self) -> Drain<'_> {
        let len = self.count.swap(0, Ordering::AcqRel).min(self.values.len());
        Drain {
            reservoir: self,
            len,
            next: 0,
        }
    }
}

pub struct Drain<'a> {
    reservoir: &'a Reservoir,
    len: usize,
    next: usize,
}

impl Iterator for Drain<'_> {
    type Item = f64;
    fn next(&mut self) -> Option<f64> {
        if self.next == self.len {
            return None;
        }
        let bits = self.reservoir.values[self.next].load(Ordering::Relaxed);
        self.next += 1;
        Some(f64::from_bits(bits))
    }
}

pub struct AtomicSamplingReservoir {
    primary: Reservoir,
    secondary: Reservoir,
    use_primary: AtomicBool,
}

impl AtomicSamplingReservoir {
    pub fn new(size: usize) -> Self {
        AtomicSamplingReservoir {
            primary: Reservoir::with_capacity(size),
            secondary: Reservoir::with_capacity(size),
            use_primary: AtomicBool::new(true),
        }
    }
    pub fn push(&self, value: f64) {
        if self.use_primary.load(Ordering::Relaxed) {
            self.primary.push(value);
        } else {
            self.secondary.push(value);
        }
    }
    pub fn consume<F: FnMut(Drain<'_>)>(&self, mut f: F) {
        #[cfg(not(fixed))]
        let use_primary = {
            let use_primary = self.use_primary.load(Ordering::Acquire);
            self.use_primary.store(!use_primary, Ordering::Release);
            use_primary
        };
        #[cfg(fixed)]
        let use_primary = self.use_primary.fetch_xor(true, Ordering::AcqRel);
        let drained = if use_primary {
            self.primary.drain()
        } else {
            self.secondary.drain()
        };
        f(drained);
    }
}
