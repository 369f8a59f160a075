//! dyn callback reentry.
//@ finding: Events::once
use std::sync::{Arc, Mutex};
type Callback = Arc<dyn Fn(u32) + Send + Sync>;
pub struct Events {
    handler: Mutex<Option<Callback>>,
}
impl Events {
    pub fn set(&self, handler: Callback) {
        *self.handler.lock().unwrap() = Some(handler);
    }
    #[cfg(not(fixed))]
    pub fn once(&self, event: u32) {
        let handler = self.handler.lock().unwrap().clone();
        if let Some(handler) = handler {
            handler(event);
            *self.handler.lock().unwrap() = None;
        }
    }
    #[cfg(fixed)]
    pub fn once(&self, event: u32) {
        let handler = self.handler.lock().unwrap().take();
        if let Some(handler) = handler {
            handler(event);
        }
    }
}
