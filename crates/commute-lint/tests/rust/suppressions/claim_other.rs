//! The region that looks for room writes something else: the room is not taken.
//@ suppression: Claim
//@ finding: upload
use std::sync::Mutex;
struct Disk {
    used: u64,
    uploads: u64,
}
pub struct Store {
    disk: Mutex<Disk>,
    size: u64,
}
fn transfer(size: u64) -> u64 {
    size / 2
}
impl Store {
    pub fn upload(&self, size: u64) -> bool {
        let mut disk = self.disk.lock().unwrap();
        if disk.used + size > self.size {
            return false;
        }
        disk.uploads += 1;
        #[cfg(fixed)]
        {
            disk.used += size;
        }
        drop(disk);
        let sent = transfer(size);
        let mut disk = self.disk.lock().unwrap();
        #[cfg(not(fixed))]
        {
            disk.used += sent;
        }
        #[cfg(fixed)]
        {
            disk.used -= size - sent;
        }
        true
    }
}
