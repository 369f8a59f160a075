//! Who removes looks at what was there, or is sure of it.
//@ suppression: Noticed
//@ finding: finish
use std::collections::BTreeMap;
use std::sync::Mutex;
pub struct Sessions {
    open: Mutex<BTreeMap<u64, String>>,
}
fn audit(id: u64) {
    std::hint::black_box(id);
}
impl Sessions {
    pub fn open(&self, id: u64, user: &str) {
        self.open.lock().unwrap().insert(id, user.to_owned());
    }
    pub fn finish(&self, id: u64) -> usize {
        if !self.open.lock().unwrap().contains_key(&id) {
            return 0;
        }
        audit(id);
        #[cfg(not(fixed))]
        {
            let user = self.open.lock().unwrap().remove(&id).unwrap();
            user.len()
        }
        #[cfg(fixed)]
        {
            match self.open.lock().unwrap().remove(&id) {
                Some(user) => user.len(),
                None => 0,
            }
        }
    }
}
