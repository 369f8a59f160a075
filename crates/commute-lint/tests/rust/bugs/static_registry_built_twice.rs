//! Two threads build the registry, and names registered in the first are lost.
//@ finding: registry
use std::sync::{Arc, Mutex};

pub struct Registry {
    names: Mutex<Vec<String>>,
}

static INSTANCE: Mutex<Option<Arc<Registry>>> = Mutex::new(None);

fn build() -> Arc<Registry> {
    let names = std::env::vars().map(|(name, _)| name).take(3).collect();
    Arc::new(Registry {
        names: Mutex::new(names),
    })
}

#[cfg(not(fixed))]
pub fn registry() -> Arc<Registry> {
    if let Some(registry) = INSTANCE.lock().unwrap().as_ref() {
        return Arc::clone(registry);
    }
    let registry = build();
    *INSTANCE.lock().unwrap() = Some(Arc::clone(&registry));
    registry
}

#[cfg(fixed)]
pub fn registry() -> Arc<Registry> {
    let mut instance = INSTANCE.lock().unwrap();
    Arc::clone(instance.get_or_insert_with(build))
}

pub fn register(name: &str) -> usize {
    let registry = registry();
    let mut names = registry.names.lock().unwrap();
    names.push(name.to_owned());
    names.len()
}

pub fn reset() {
    INSTANCE.lock().unwrap().take();
}
