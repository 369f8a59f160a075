//! Whether the old file can be moved depends on its name, but not what the new
//! name is. A number that comes through `?` is a number nevertheless.
//@ suppression: Question
//@ finding: rotate
use std::fs;
use std::io;
use std::sync::Mutex;
struct Log {
    path: String,
    number: u32,
}
pub struct Journal {
    log: Mutex<Log>,
}
impl Journal {
    #[cfg(fixed)]
    pub fn rotate(&self, next: &str) -> io::Result<()> {
        let old = self.log.lock().unwrap().path.clone();
        fs::copy(&old, next)?;
        self.log.lock().unwrap().path = next.to_owned();
        Ok(())
    }
    #[cfg(not(fixed))]
    pub fn rotate(&self, next: &str) -> Result<(), std::num::ParseIntError> {
        let old = self.log.lock().unwrap().path.clone();
        let number = old.parse::<u32>()?;
        self.log.lock().unwrap().path = format!("{next}.{}", number + 1);
        Ok(())
    }
}
