//! A lease is renewed for its holder after it may have gone to another one.
//@ finding: Leases::renew
use parking_lot::Mutex;
use std::collections::HashMap;

#[derive(Clone, Debug)]
pub struct Lease {
    owner: u32,
    until: u64,
}

#[derive(Default)]
pub struct Leases {
    held: Mutex<HashMap<String, Lease>>,
}

impl Leases {
    pub fn grab(&self, key: &str, owner: u32, now: u64) -> bool {
        let mut held = self.held.lock();
        if held.get(key).is_some_and(|lease| lease.until > now) {
            return false;
        }
        let until = now + 30;
        held.insert(key.to_owned(), Lease { owner, until });
        true
    }
    pub fn owner(&self, key: &str) -> Option<u32> {
        self.held.lock().get(key).map(|lease| lease.owner)
    }
    #[cfg(not(fixed))]
    pub fn renew(&self, key: &str, owner: u32, now: u64) -> Result<u64, Option<u32>> {
        let holder = self.owner(key);
        if holder != Some(owner) {
            return Err(holder);
        }
        let until = now + 30;
        self.held.lock().insert(key.to_owned(), Lease { owner, until });
        Ok(until)
    }
    #[cfg(fixed)]
    pub fn renew(&self, key: &str, owner: u32, now: u64) -> Result<u64, Option<u32>> {
        let mut held = self.held.lock();
        match held.get_mut(key) {
            Some(lease) if lease.owner == owner => {
                lease.until = now + 30;
                Ok(lease.until)
            }
            other => Err(other.map(|lease| lease.owner)),
        }
    }
}
