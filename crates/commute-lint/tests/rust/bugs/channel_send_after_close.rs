//! A channel refuses messages after its receiver has gone. The flag is looked
//! at before the lock of the queue is taken: a message arrives after the
//! receiver has emptied the queue for the last time, and its sender believes
//! that it was received. It is looked at under the lock now.
//@ finding: Channel::send
use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

pub struct Channel<T> {
    queue: Mutex<VecDeque<T>>,
    disconnected: AtomicBool,
}

impl<T> Channel<T> {
    #[cfg(not(fixed))]
    pub fn send(&self, message: T) -> Result<(), T> {
        if self.disconnected.load(Ordering::SeqCst) {
            return Err(message);
        }
        self.queue.lock().unwrap().push_back(message);
        Ok(())
    }

    #[cfg(fixed)]
    pub fn send(&self, message: T) -> Result<(), T> {
        let mut queue = self.queue.lock().unwrap();
        if self.disconnected.load(Ordering::SeqCst) {
            return Err(message);
        }
        queue.push_back(message);
        Ok(())
    }

    pub fn receive(&self) -> Option<T> {
        self.queue.lock().unwrap().pop_front()
    }

    pub fn disconnect(&self) -> Vec<T> {
        let mut queue = self.queue.lock().unwrap();
        self.disconnected.store(true, Ordering::SeqCst);
        queue.drain(..).collect()
    }
}
