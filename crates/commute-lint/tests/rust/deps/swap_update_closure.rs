//! A wrapper of values that are replaced as a whole offers an update by a
//! closure: it loads, calls it and stores. Updates that run at the same time
//! are lost. Now the closure is called again if somebody was faster.
//@ finding: AtomicValue::update
use arc_swap::ArcSwap;
use std::sync::Arc;

pub struct AtomicValue<T> {
    inner: ArcSwap<T>,
}

impl<T> AtomicValue<T> {
    pub fn get(&self) -> Arc<T> {
        Arc::clone(&self.inner.load())
    }

    pub fn set(&self, value: T) {
        self.inner.store(Arc::new(value));
    }

    #[cfg(not(fixed))]
    pub fn update(&self, f: impl Fn(&T) -> T) {
        let current = self.get();
        let new = f(&current);
        self.set(new);
    }

    #[cfg(fixed)]
    pub fn update(&self, f: impl Fn(&T) -> T) {
        self.inner.rcu(|current| Arc::new(f(current)));
    }
}

pub struct Config {
    pub providers: Vec<String>,
    pub timeout: u64,
}

pub fn add_provider(config: &AtomicValue<Config>, name: &str) {
    config.update(|old| {
        let mut providers = old.providers.clone();
        providers.push(name.to_owned());
        Config {
            providers,
            timeout: old.timeout,
        }
    });
}
