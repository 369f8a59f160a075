//! contains then remove unwrap.
//@ finding: Leases::revoke
use std::collections::BTreeMap;
use std::sync::Mutex;
pub struct Lease {
    pub owner: String,
}
pub struct Leases {
    leases: Mutex<BTreeMap<u64, Lease>>,
}
impl Leases {
    pub fn grant(&self, id: u64, owner: &str) {
        self.leases.lock().unwrap().insert(
            id,
            Lease {
                owner: owner.into(),
            },
        );
    }
    #[cfg(not(fixed))]
    pub fn revoke(&self, id: u64) -> Option<String> {
        if !self.leases.lock().unwrap().contains_key(&id) {
            return None;
        }
        let lease = self
            .leases
            .lock()
            .unwrap()
            .remove(&id)
            .expect("lease is there");
        Some(lease.owner)
    }
    #[cfg(fixed)]
    pub fn revoke(&self, id: u64) -> Option<String> {
        let lease = self.leases.lock().unwrap().remove(&id)?;
        Some(lease.owner)
    }
}
