//! The type registry of a virtual machine counts registrations of each type.
//! When the count falls to zero, the entry is removed under the write lock; in
//! between, somebody finds it by its type and registers again, and uses an
//! entry that is removed under it. The count is now looked at again under the
//! lock.
//@ finding: RegisteredType::drop
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, RwLock};

struct Entry {
    signature: String,
    registrations: AtomicUsize,
}

#[derive(Default)]
struct Inner {
    entries: HashMap<String, Arc<Entry>>,
}

#[derive(Clone, Default)]
pub struct TypeRegistry {
    inner: Arc<RwLock<Inner>>,
}

pub struct RegisteredType {
    registry: TypeRegistry,
    entry: Arc<Entry>,
}

impl TypeRegistry {
    pub fn register(&self, signature: &str) -> RegisteredType {
        let mut inner = self.inner.write().unwrap();
        let entry = inner
            .entries
            .entry(signature.to_owned())
            .or_insert_with(|| {
                Arc::new(Entry {
                    signature: signature.to_owned(),
                    registrations: AtomicUsize::new(0),
                })
            })
            .clone();
        entry.registrations.fetch_add(1, Ordering::AcqRel);
        RegisteredType {
            registry: self.clone(),
            entry,
        }
    }
}

impl Drop for RegisteredType {
    fn drop(&mut self) {
        if self.entry.registrations.fetch_sub(1, Ordering::AcqRel) != 1 {
            return;
        }
        let mut inner = self.registry.inner.write().unwrap();
        #[cfg(fixed)]
        if self.entry.registrations.load(Ordering::Acquire) != 0 {
            return;
        }
        inner.entries.remove(&self.entry.signature);
    }
}
