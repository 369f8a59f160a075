//! Two numbers that belong together, read one after the other: in a log that is
//! good enough, in a quotient it is not.
//@ suppression: Log
//@ finding: report
use std::sync::Mutex;
struct Usage {
    used: u64,
    total: u64,
}
pub struct Disk {
    usage: Mutex<Usage>,
}
impl Disk {
    pub fn replace(&self, used: u64, total: u64) {
        let mut usage = self.usage.lock().unwrap();
        usage.used = used;
        usage.total = total;
    }
    pub fn report(&self) -> u64 {
        let used = self.usage.lock().unwrap().used;
        let total = self.usage.lock().unwrap().total;
        println!("{used} of {total}");
        #[cfg(not(fixed))]
        {
            100 * used / total
        }
        #[cfg(fixed)]
        {
            0
        }
    }
}
