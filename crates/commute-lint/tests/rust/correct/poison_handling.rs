//! Poison handling, as far as the cases use it.
use std::sync::{Mutex, MutexGuard, PoisonError};
pub struct Log {
    lines: Mutex<Vec<String>>,
}
impl Log {
    fn lines(&self) -> MutexGuard<'_, Vec<String>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
    pub fn add(&self, line: &str) -> Result<(), String> {
        match self.lines.lock() {
            Ok(mut lines) => lines.push(line.to_owned()),
            Err(_) => {
                self.lines.clear_poison();
                self.lines().push(line.to_owned());
            }
        }
        Ok(())
    }
    pub fn trim(&self) {
        let mut lines = self.lines();
        let keep = lines.len() / 2;
        lines.truncate(keep);
    }
}
