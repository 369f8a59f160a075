//! A setting decides what is done elsewhere: it may change any time anyway.
use std::sync::{Mutex, RwLock};
pub struct Options {
    pub verbose: bool,
    pub prefix: String,
}
pub struct Sink {
    options: RwLock<Options>,
    lines: Mutex<Vec<String>>,
}
impl Sink {
    pub fn set_verbose(&self, verbose: bool) {
        self.options.write().unwrap().verbose = verbose;
    }
    pub fn write(&self, line: &str) {
        let prefix = {
            let options = self.options.read().unwrap();
            if !options.verbose {
                return;
            }
            options.prefix.clone()
        };
        self.lines.lock().unwrap().push(format!("{prefix}{line}"));
    }
}
