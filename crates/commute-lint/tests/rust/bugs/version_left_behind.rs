//! What was loaded is stored if the version is still the one that loading began
//! with. Between the look and the store another may write a newer value, which
//! counts the version up and is overwritten. Looking and storing is one now.
//@ finding: Resource::reload
use std::sync::Mutex;

struct Inner {
    version: u64,
    value: Option<String>,
}

pub struct Resource {
    inner: Mutex<Inner>,
}

impl Resource {
    pub fn write(&self, value: String) {
        let mut inner = self.inner.lock().unwrap();
        inner.version += 1;
        inner.value = Some(value);
    }

    #[cfg(not(fixed))]
    pub fn reload(&self, load: fn() -> String) {
        let begun = self.inner.lock().unwrap().version;
        let value = load();
        let now = self.inner.lock().unwrap().version;
        if begun == now {
            self.finish(value);
        }
    }

    #[cfg(fixed)]
    pub fn reload(&self, load: fn() -> String) {
        let begun = self.inner.lock().unwrap().version;
        let value = load();
        let mut inner = self.inner.lock().unwrap();
        if begun == inner.version {
            inner.value = Some(value);
        }
    }

    #[cfg(not(fixed))]
    fn finish(&self, value: String) {
        self.set(value);
    }

    #[cfg(not(fixed))]
    fn set(&self, value: String) {
        self.inner.lock().unwrap().value = Some(value);
    }
}
