//! What a recorder says about the sample it was given does not go back to the
//! sample; what the sample itself says does.
//@ suppression: Log
//@ finding: sample
use std::sync::Mutex;
#[derive(Clone)]
pub struct Load {
    pub waiting: u64,
    pub samples: u64,
}
pub struct Pool {
    load: Mutex<Load>,
}
impl Pool {
    pub fn wait(&self) {
        self.load.lock().unwrap().waiting += 1;
    }
    pub fn sample(&self) {
        let load = self.load.lock().unwrap().clone();
        let kept = metrics::gauge("samples", load.samples);
        #[cfg(not(fixed))]
        let kept = kept || load.samples == 0;
        if kept {
            self.load.lock().unwrap().samples += 1;
        }
    }
}
