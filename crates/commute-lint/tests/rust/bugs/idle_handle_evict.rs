//! A proxy drops services that nobody holds any more. Which those are is
//! collected under the read lock, and they are removed under the write lock: a
//! request that took one in between goes on with a service that is no longer
//! in the cache, and the next one builds a second. All is done under one lock
//! now.
//@ finding: Cache::evict_idle
use std::collections::HashMap;
use std::sync::{Arc, RwLock};

pub struct Service {
    pub target: String,
}

#[derive(Default)]
pub struct Cache {
    services: RwLock<HashMap<String, Arc<Service>>>,
}

impl Cache {
    pub fn get(&self, target: &str) -> Option<Arc<Service>> {
        self.services.read().unwrap().get(target).cloned()
    }

    pub fn get_or_build(&self, target: &str) -> Arc<Service> {
        let mut services = self.services.write().unwrap();
        services
            .entry(target.to_owned())
            .or_insert_with(|| {
                Arc::new(Service {
                    target: target.to_owned(),
                })
            })
            .clone()
    }

    #[cfg(not(fixed))]
    pub fn evict_idle(&self) -> usize {
        let idle: Vec<String> = self
            .services
            .read()
            .unwrap()
            .iter()
            .filter(|(_, service)| Arc::strong_count(service) == 1)
            .map(|(target, _)| target.clone())
            .collect();
        let mut services = self.services.write().unwrap();
        for target in &idle {
            services.remove(target);
        }
        idle.len()
    }

    #[cfg(fixed)]
    pub fn evict_idle(&self) -> usize {
        let mut services = self.services.write().unwrap();
        let before = services.len();
        services.retain(|_, service| Arc::strong_count(service) > 1);
        before - services.len()
    }
}
