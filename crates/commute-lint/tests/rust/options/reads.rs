//! The last index of a list that others shorten.
//@ depends: last
//@ remains: double
use std::collections::VecDeque;
use std::sync::Mutex;
pub struct History {
    lines: Mutex<VecDeque<u64>>,
}
impl History {
    pub fn add(&self, line: u64) {
        let mut lines = self.lines.lock().unwrap();
        lines.push_back(line);
        if lines.len() > 100 {
            lines.clear();
        }
    }
    pub fn last(&self) -> u64 {
        let length = self.lines.lock().unwrap().len();
        if length == 0 {
            return 0;
        }
        self.lines.lock().unwrap()[length - 1]
    }
    pub fn double(&self) {
        let lines = self.lines.lock().unwrap().clone();
        let doubled = lines.iter().map(|line| 2 * line).collect();
        *self.lines.lock().unwrap() = doubled;
    }
}
