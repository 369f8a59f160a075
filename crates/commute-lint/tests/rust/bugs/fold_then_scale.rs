//! Weights are summed up, and each divided by the sum later.
//@ finding: Weights::normalise
use std::sync::Mutex;

#[derive(Default)]
pub struct Weights {
    values: Mutex<Vec<f64>>,
}

impl Weights {
    pub fn add(&self, value: f64) {
        self.values.lock().unwrap().push(value);
    }
    #[cfg(not(fixed))]
    pub fn normalise(&self) {
        let sum = self.values.lock().unwrap().iter().fold(0.0, |sum, value| sum + value);
        if sum <= 0.0 {
            return;
        }
        for value in self.values.lock().unwrap().iter_mut() {
            *value /= sum;
        }
    }
    #[cfg(fixed)]
    pub fn normalise(&self) {
        let mut values = self.values.lock().unwrap();
        let sum = values.iter().fold(0.0, |sum, value| sum + value);
        if sum <= 0.0 {
            return;
        }
        for value in values.iter_mut() {
            *value /= sum;
        }
    }
}
