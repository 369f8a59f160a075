//! Events are taken out of the buffer under the lock, and belong to who took them.
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

#[derive(Clone, Default)]
pub struct Events {
    buffer: Arc<Mutex<Vec<String>>>,
}

impl Events {
    pub fn emit(&self, text: &str) {
        self.buffer.lock().unwrap().push(text.to_owned());
    }
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.buffer.lock().unwrap())
    }
    pub fn flush(&self, to: &Sender<Vec<String>>) -> bool {
        let batch = self.take();
        if batch.is_empty() {
            return true;
        }
        match to.send(batch) {
            Ok(()) => true,
            Err(unsent) => {
                // Older ones come first.
                let mut buffer = self.buffer.lock().unwrap();
                buffer.splice(0..0, unsent.0);
                false
            }
        }
    }
    pub fn run(self, to: Sender<Vec<String>>) -> thread::JoinHandle<()> {
        thread::spawn(move || {
            while self.flush(&to) {
                thread::sleep(Duration::from_millis(10));
            }
        })
    }
}
