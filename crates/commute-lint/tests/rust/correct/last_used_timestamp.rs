//! A newer mark replaces an older one; nobody reads it back to write it.
use std::sync::Mutex;
use std::time::Instant;
pub struct Idle {
    last: Mutex<Instant>,
    closed: Mutex<bool>,
}
impl Idle {
    pub fn touch(&self) {
        *self.last.lock().unwrap() = Instant::now();
    }
    pub fn idle(&self) -> bool {
        self.last.lock().unwrap().elapsed().as_secs() > 60
    }
    pub fn tick(&self) {
        if self.idle() {
            self.close();
        }
    }
    fn close(&self) {
        *self.closed.lock().unwrap() = true;
    }
}
