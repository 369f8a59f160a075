//! option checked then taken.
//@ finding: Task::cancel
use std::sync::Mutex;
pub struct Handle(u64);
impl Handle {
    pub fn abort(self) -> u64 {
        self.0
    }
}
pub struct Task {
    handle: Mutex<Option<Handle>>,
}
impl Task {
    pub fn set(&self, id: u64) {
        *self.handle.lock().unwrap() = Some(Handle(id));
    }
    #[cfg(not(fixed))]
    pub fn cancel(&self) -> u64 {
        if self.handle.lock().unwrap().is_none() {
            return 0;
        }
        let handle = self.handle.lock().unwrap().take().unwrap();
        handle.abort()
    }
    #[cfg(fixed)]
    pub fn cancel(&self) -> u64 {
        match self.handle.lock().unwrap().take() {
            Some(handle) => handle.abort(),
            None => 0,
        }
    }
}
