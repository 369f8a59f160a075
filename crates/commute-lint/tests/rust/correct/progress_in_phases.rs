//! Two fields that are written in two phases on purpose; readers show both.
use std::sync::{Arc, Mutex};
use std::thread;

#[derive(Clone, Default)]
pub struct Progress {
    pub read: u64,
    pub written: u64,
    pub errors: u64,
}

#[derive(Clone, Default)]
pub struct Copy {
    progress: Arc<Mutex<Progress>>,
}

fn block(number: u64) -> Vec<u8> {
    vec![0; (number % 512) as usize]
}

impl Copy {
    pub fn start(&self, blocks: u64) -> thread::JoinHandle<()> {
        let progress = Arc::clone(&self.progress);
        thread::spawn(move || {
            for number in 0..blocks {
                let block = block(number);
                progress.lock().unwrap().read += block.len() as u64;
                let written = block.iter().filter(|byte| **byte == 0).count();
                let mut progress = progress.lock().unwrap();
                progress.written += written as u64;
                if written < block.len() {
                    progress.errors += 1;
                }
            }
        })
    }
    pub fn progress(&self) -> Progress {
        self.progress.lock().unwrap().clone()
    }
}
