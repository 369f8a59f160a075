//! What is only printed may be torn, a text that somebody is given may not.
//@ suppression: Log
//@ finding: describe
use std::sync::RwLock;
struct Progress {
    done: u64,
    all: u64,
}
pub struct Download {
    progress: RwLock<Progress>,
}
impl Download {
    pub fn restart(&self, all: u64) {
        let mut progress = self.progress.write().unwrap();
        progress.done = 0;
        progress.all = all;
    }
    fn done(&self) -> u64 {
        self.progress.read().unwrap().done
    }
    fn all(&self) -> u64 {
        self.progress.read().unwrap().all
    }
    #[cfg(not(fixed))]
    pub fn describe(&self) -> String {
        format!("{} of {}", self.done(), self.all())
    }
    #[cfg(fixed)]
    pub fn describe(&self) {
        eprintln!("{} of {}", self.done(), self.all());
    }
}
