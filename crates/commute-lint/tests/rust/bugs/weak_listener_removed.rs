//! Dead listeners are counted, and as many removed from the front.
//@ finding: Bus::sweep
use std::sync::{Arc, Mutex, Weak};

pub trait Listener: Send + Sync {
    fn hear(&self, text: &str);
}

#[derive(Default)]
pub struct Bus {
    listeners: Mutex<Vec<Weak<dyn Listener>>>,
}

impl Bus {
    pub fn listen(&self, listener: &Arc<dyn Listener>) {
        self.listeners.lock().unwrap().push(Arc::downgrade(listener));
    }
    #[cfg(not(fixed))]
    pub fn sweep(&self) -> usize {
        let dead: Vec<usize> = {
            let listeners = self.listeners.lock().unwrap();
            let dead = listeners.iter().enumerate().filter(|(_, weak)| weak.upgrade().is_none());
            dead.map(|(index, _)| index).collect()
        };
        for index in dead.iter().rev() {
            self.listeners.lock().unwrap().swap_remove(*index);
        }
        dead.len()
    }
    #[cfg(fixed)]
    pub fn sweep(&self) -> usize {
        let mut listeners = self.listeners.lock().unwrap();
        let before = listeners.len();
        listeners.retain(|weak| weak.upgrade().is_some());
        before - listeners.len()
    }
    pub fn tell(&self, text: &str) {
        let listeners = self.listeners.lock().unwrap().clone();
        for listener in listeners.iter().filter_map(Weak::upgrade) {
            listener.hear(text);
        }
    }
}
