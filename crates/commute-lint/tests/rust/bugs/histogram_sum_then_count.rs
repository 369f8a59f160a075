//! The sum and the count of a histogram are written in two sections.
//@ finding: Histogram::observe
use std::sync::{Arc, Mutex};
use std::thread;

#[derive(Default)]
struct Totals {
    sum: f64,
    count: u64,
    buckets: [u64; 8],
}

#[derive(Default)]
pub struct Histogram {
    totals: Mutex<Totals>,
}

fn bucket_of(value: f64) -> usize {
    (value.max(1.0).log2() as usize).min(7)
}

impl Histogram {
    #[cfg(not(fixed))]
    pub fn observe(&self, value: f64) {
        {
            let mut totals = self.totals.lock().unwrap();
            totals.sum += value;
        }
        let bucket = bucket_of(value);
        let mut totals = self.totals.lock().unwrap();
        totals.count += 1;
        totals.buckets[bucket] += 1;
    }
    #[cfg(fixed)]
    pub fn observe(&self, value: f64) {
        let bucket = bucket_of(value);
        let mut totals = self.totals.lock().unwrap();
        totals.sum += value;
        totals.count += 1;
        totals.buckets[bucket] += 1;
    }
    pub fn mean(&self) -> f64 {
        let totals = self.totals.lock().unwrap();
        if totals.count == 0 {
            return 0.0;
        }
        totals.sum / totals.count as f64
    }
}

pub fn watch(histogram: Arc<Histogram>) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        for value in 0..100 {
            histogram.observe(value as f64);
        }
    })
}
