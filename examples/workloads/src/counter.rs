//! A counter.

use commute::sync::Mutex;

/// A number that is increased without looking at it.
#[derive(Debug, Default)]
pub struct Counter {
    value: Mutex<i64>,
}

#[commute::object(spec = "counter")]
impl Counter {
    /// One more.
    pub fn inc(&self) {
        *self.value.lock().unwrap() += 1;
    }

    /// How many.
    pub fn read(&self) -> i64 {
        *self.value.lock().unwrap()
    }
}
