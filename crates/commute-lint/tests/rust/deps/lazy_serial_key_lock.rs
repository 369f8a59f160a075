//! Locks by name for tests that must not run together (serial_test #45): the
//! lock of a name is looked up under the read lock and made under the write
//! lock, where another thread may have made it; two tests then hold different
//! locks. The entry is used now.
//@ finding: check_new_key
use once_cell::sync::Lazy;
use parking_lot::{Mutex, RwLock};
use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

#[derive(Clone)]
pub struct UniqueReentrantMutex {
    locks: Arc<Mutex<()>>,
    pub id: u32,
}

static LOCKS: Lazy<Arc<RwLock<HashMap<String, UniqueReentrantMutex>>>> =
    Lazy::new(|| Arc::new(RwLock::new(HashMap::new())));
static IDS: Lazy<Mutex<u32>> = Lazy::new(|| Mutex::new(0));

impl UniqueReentrantMutex {
    fn new_mutex(name: &str) -> Self {
        let mut ids = IDS.lock();
        *ids += name.len() as u32;
        UniqueReentrantMutex {
            locks: Arc::new(Mutex::new(())),
            id: *ids,
        }
    }
}

#[cfg(not(fixed))]
pub(crate) fn check_new_key(name: &str) {
    let unlock = LOCKS.read();
    if unlock.deref().contains_key(name) {
        return;
    }
    drop(unlock);
    let mut locks = LOCKS.write();
    locks
        .deref_mut()
        .insert(name.to_owned(), UniqueReentrantMutex::new_mutex(name));
}

#[cfg(fixed)]
pub(crate) fn check_new_key(name: &str) {
    let unlock = LOCKS.read();
    if unlock.deref().contains_key(name) {
        return;
    }
    drop(unlock);
    let mut locks = LOCKS.write();
    locks
        .deref_mut()
        .entry(name.to_owned())
        .or_insert_with(|| UniqueReentrantMutex::new_mutex(name));
}

pub fn local_serial_core<R>(names: &[&str], function: impl FnOnce() -> R) -> R {
    for name in names {
        check_new_key(name);
    }
    let unlocks: Vec<UniqueReentrantMutex> = {
        let locks = LOCKS.read();
        names.iter().map(|name| locks[*name].clone()).collect()
    };
    let _guards: Vec<_> = unlocks.iter().map(|unlock| unlock.locks.lock()).collect();
    function()
}
