//! `MutexGuard::unlocked` opens the region in the middle.
//@ finding: Session::send
use parking_lot::{Mutex, MutexGuard};
pub struct Session {
    sequence: Mutex<u32>,
}
fn io() {}
impl Session {
    #[cfg(not(fixed))]
    pub fn send(&self) -> u32 {
        let mut guard = self.sequence.lock();
        let old = *guard;
        MutexGuard::unlocked(&mut guard, io);
        *guard = old + 1;
        old
    }
    #[cfg(fixed)]
    pub fn send(&self) -> u32 {
        let mut guard = self.sequence.lock();
        let old = *guard;
        *guard = old + 1;
        MutexGuard::unlocked(&mut guard, io);
        old
    }
}
