//! Batch drain, as far as the cases use it.
use std::sync::Mutex;
pub struct Batch {
    pending: Mutex<Vec<String>>,
    size: usize,
}
fn write(lines: &[String]) -> usize {
    lines.len()
}
impl Batch {
    pub fn add(&self, line: String) {
        let full = {
            let mut pending = self.pending.lock().unwrap();
            pending.push(line);
            pending.len() >= self.size
        };
        if full {
            self.flush();
        }
    }
    pub fn flush(&self) -> usize {
        let lines: Vec<String> = self.pending.lock().unwrap().drain(..).collect();
        if lines.is_empty() {
            return 0;
        }
        write(&lines)
    }
}
