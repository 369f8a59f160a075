//! peek then pop.
//@ finding: Mailbox::drain
use std::collections::VecDeque;
use std::sync::Mutex;
pub struct Mailbox {
    queue: Mutex<VecDeque<String>>,
}
impl Mailbox {
    pub fn push(&self, message: String) {
        self.queue.lock().unwrap().push_back(message);
    }
    #[cfg(not(fixed))]
    pub fn drain(&self, handle: &dyn Fn(&str) -> bool) {
        loop {
            let front = self.queue.lock().unwrap().front().cloned();
            let Some(message) = front else { break };
            if !handle(&message) {
                break;
            }
            self.queue.lock().unwrap().pop_front();
        }
    }
    #[cfg(fixed)]
    pub fn drain(&self, handle: &dyn Fn(&str) -> bool) {
        loop {
            let front = self.queue.lock().unwrap().pop_front();
            let Some(message) = front else { break };
            if !handle(&message) {
                break;
            }
        }
    }
}
