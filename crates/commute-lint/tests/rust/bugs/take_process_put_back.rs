//! What others push while it is processed is overwritten.
//@ finding: Buffer::flush
use std::sync::Mutex;
pub struct Buffer {
    lines: Mutex<Vec<String>>,
}
fn send(line: &str) -> bool {
    !line.is_empty()
}
impl Buffer {
    pub fn push(&self, line: String) {
        self.lines.lock().unwrap().push(line);
    }
    #[cfg(not(fixed))]
    pub fn flush(&self) {
        let mut lines = std::mem::take(&mut *self.lines.lock().unwrap());
        lines.retain(|line| !send(line));
        *self.lines.lock().unwrap() = lines;
    }
    #[cfg(fixed)]
    pub fn flush(&self) {
        let mut lines = std::mem::take(&mut *self.lines.lock().unwrap());
        lines.retain(|line| !send(line));
        let mut guard = self.lines.lock().unwrap();
        lines.append(&mut guard);
        guard.extend(lines);
    }
}
