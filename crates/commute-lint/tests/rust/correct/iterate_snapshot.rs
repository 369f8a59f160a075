//! Iterate snapshot, as far as the cases use it.
use std::sync::{Arc, Mutex};
pub trait Listener: Send + Sync {
    fn notify(&self, event: u32);
}
pub struct Bus {
    listeners: Mutex<Vec<Arc<dyn Listener>>>,
}
impl Bus {
    pub fn add(&self, listener: Arc<dyn Listener>) {
        self.listeners.lock().unwrap().push(listener);
    }
    pub fn emit(&self, event: u32) {
        let listeners = self.listeners.lock().unwrap().clone();
        for listener in &listeners {
            listener.notify(event);
        }
    }
}
