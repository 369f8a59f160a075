//! The methods are the inner type's, reached through `Deref`.
//@ finding: Handle::claim
use std::ops::Deref;
use std::sync::{Arc, Mutex};
pub struct Inner {
    owner: Mutex<Option<u32>>,
}
impl Inner {
    pub fn owner(&self) -> Option<u32> {
        *self.owner.lock().unwrap()
    }
    fn set_owner(&self, owner: Option<u32>) {
        *self.owner.lock().unwrap() = owner;
    }
}
#[derive(Clone)]
pub struct Handle(Arc<Inner>);
impl Deref for Handle {
    type Target = Inner;
    fn deref(&self) -> &Inner {
        &self.0
    }
}
impl Handle {
    #[cfg(not(fixed))]
    pub fn claim(&self, me: u32) -> bool {
        if self.owner().is_some() {
            return false;
        }
        self.set_owner(Some(me));
        true
    }
    #[cfg(fixed)]
    pub fn claim(&self, me: u32) -> bool {
        let mut owner = self.owner.lock().unwrap();
        if owner.is_some() {
            return false;
        }
        *owner = Some(me);
        true
    }
    pub fn free(&self) {
        self.set_owner(None);
    }
}
