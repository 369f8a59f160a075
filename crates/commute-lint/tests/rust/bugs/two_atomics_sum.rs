//! Two counters that one function resets together.
//@ finding: Throughput::rate
use std::sync::Mutex;
struct Sample {
    bytes: u64,
    nanos: u64,
}
pub struct Throughput {
    sample: Mutex<Sample>,
}
impl Throughput {
    pub fn record(&self, bytes: u64, nanos: u64) {
        let mut sample = self.sample.lock().unwrap();
        sample.bytes += bytes;
        sample.nanos += nanos;
    }
    #[cfg(not(fixed))]
    pub fn rate(&self) -> Option<u64> {
        let bytes = self.sample.lock().unwrap().bytes;
        let nanos = self.sample.lock().unwrap().nanos;
        bytes.checked_div(nanos)
    }
    #[cfg(fixed)]
    pub fn rate(&self) -> Option<u64> {
        let sample = self.sample.lock().unwrap();
        let (bytes, nanos) = (sample.bytes, sample.nanos);
        drop(sample);
        bytes.checked_div(nanos)
    }
}
