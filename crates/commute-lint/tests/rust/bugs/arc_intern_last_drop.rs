//! Interned values with a count (internment #11): the last one to go counts
//! down to zero and then takes the map's lock in order to remove the value;
//! another thread may have found and counted it in between. The count is taken
//! down under the lock.
//@ finding: ArcIntern
use std::collections::HashMap;
use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex};

struct RefCount {
    count: AtomicUsize,
    data: String,
}

type Container = Mutex<HashMap<String, Arc<RefCount>>>;

static CONTAINER: LazyLock<Container> = LazyLock::new(Container::default);

pub struct ArcIntern {
    inner: Arc<RefCount>,
}

impl ArcIntern {
    pub fn new(text: &str) -> ArcIntern {
        let mut container = CONTAINER.lock().unwrap();
        if let Some(inner) = container.get(text) {
            inner.count.fetch_add(1, Ordering::Relaxed);
            return ArcIntern {
                inner: Arc::clone(inner),
            };
        }
        let inner = Arc::new(RefCount {
            count: AtomicUsize::new(1),
            data: text.to_owned(),
        });
        container.insert(text.to_owned(), Arc::clone(&inner));
        ArcIntern { inner }
    }

    pub fn refcount(&self) -> usize {
        self.inner.count.load(Ordering::Acquire)
    }

    pub fn num_objects_interned() -> usize {
        CONTAINER.lock().unwrap().len()
    }
}

impl Clone for ArcIntern {
    fn clone(&self) -> ArcIntern {
        self.inner.count.fetch_add(1, Ordering::Relaxed);
        ArcIntern {
            inner: Arc::clone(&self.inner),
        }
    }
}

impl Deref for ArcIntern {
    type Target = str;
    fn deref(&self) -> &str {
        &self.inner.data
    }
}

impl Drop for ArcIntern {
    #[cfg(not(fixed))]
    fn drop(&mut self) {
        let before = self.inner.count.fetch_sub(1, Ordering::Release);
        if before != 1 {
            return;
        }
        let mut container = CONTAINER.lock().unwrap();
        container.remove(&self.inner.data);
    }

    #[cfg(fixed)]
    fn drop(&mut self) {
        let mut container = CONTAINER.lock().unwrap();
        let before = self.inner.count.fetch_sub(1, Ordering::Release);
        if before == 1 {
            container.remove(&self.inner.data);
        }
    }
}
