//! What computes a value is started with the cell, and stores its result if
//! the cell has not been set since; it is set in between.
//@ finding: Cell::new
use std::sync::{Arc, RwLock};

#[derive(Default)]
struct Inner {
    version: u64,
    value: Option<u64>,
}

pub struct Cell {
    inner: Arc<RwLock<Inner>>,
}

async fn compute() -> u64 {
    tokio::task::yield_now().await;
    7
}

impl Cell {
    pub fn new() -> Cell {
        let inner = Arc::new(RwLock::new(Inner::default()));
        let cell = Cell {
            inner: Arc::clone(&inner),
        };
        let task = {
            async move {
                let begun = inner.read().unwrap().version;
                let value = compute().await;
                #[cfg(not(fixed))]
                {
                    let version = inner.read().unwrap().version;
                    if version == begun {
                        inner.write().unwrap().value = Some(value);
                    }
                }
                #[cfg(fixed)]
                {
                    let mut inner = inner.write().unwrap();
                    if inner.version == begun {
                        inner.value = Some(value);
                    }
                }
            }
        };
        tokio::spawn(task);
        cell
    }

    pub fn set(&self, value: u64) {
        let mut inner = self.inner.write().unwrap();
        inner.version += 1;
        inner.value = Some(value);
    }
}
