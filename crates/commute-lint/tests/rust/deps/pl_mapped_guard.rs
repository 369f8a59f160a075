//! pl mapped guard.
//@ finding: Table::bump
use parking_lot::{MappedMutexGuard, Mutex, MutexGuard};
struct Inner {
    a: u64,
    b: u64,
}
pub struct Table {
    inner: Mutex<Inner>,
}
impl Table {
    fn a(&self) -> MappedMutexGuard<'_, u64> {
        MutexGuard::map(self.inner.lock(), |inner| &mut inner.a)
    }
    pub fn b(&self) -> u64 {
        self.inner.lock().b
    }
    #[cfg(not(fixed))]
    pub fn bump(&self) -> u64 {
        let old = *self.a();
        *self.a() = old + 1;
        old
    }
    #[cfg(fixed)]
    pub fn bump(&self) -> u64 {
        let mut a = self.a();
        let old = *a;
        *a = old + 1;
        old
    }
}
