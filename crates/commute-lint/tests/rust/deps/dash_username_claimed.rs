//! A name is free, and two users get it.
//@ finding: Users::sign_up
use dashmap::DashMap;
use dashmap::mapref::entry::Entry;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Default)]
pub struct Users {
    by_name: DashMap<String, u64>,
    next: AtomicU64,
}

#[derive(Debug)]
pub enum SignUpError {
    Taken,
    Invalid,
}

impl Users {
    fn is_taken(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }
    fn validate(&self, name: &str) -> Result<(), SignUpError> {
        if name.len() < 3 {
            return Err(SignUpError::Invalid);
        }
        #[cfg(not(fixed))]
        if self.is_taken(name) {
            return Err(SignUpError::Taken);
        }
        Ok(())
    }
    #[cfg(not(fixed))]
    pub fn sign_up(&self, name: &str) -> Result<u64, SignUpError> {
        self.validate(name)?;
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        self.by_name.insert(name.to_owned(), id);
        Ok(id)
    }
    #[cfg(fixed)]
    pub fn sign_up(&self, name: &str) -> Result<u64, SignUpError> {
        self.validate(name)?;
        match self.by_name.entry(name.to_owned()) {
            Entry::Occupied(_) => Err(SignUpError::Taken),
            Entry::Vacant(vacant) => {
                let id = self.next.fetch_add(1, Ordering::Relaxed);
                vacant.insert(id);
                Ok(id)
            }
        }
    }
    pub fn delete(&self, name: &str) -> bool {
        self.by_name.remove(name).is_some()
    }
}
