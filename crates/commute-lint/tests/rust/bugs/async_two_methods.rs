//! async two helpers.
//@ finding: Uploads::start
use std::collections::HashSet;
use std::sync::{Arc, Mutex};
#[derive(Clone, Default)]
pub struct Uploads {
    active: Arc<Mutex<HashSet<String>>>,
}
async fn transfer(_: &str) {}
impl Uploads {
    async fn is_active(&self, name: &str) -> bool {
        self.active.lock().unwrap().contains(name)
    }
    #[cfg(not(fixed))]
    pub async fn start(&self, name: &str) -> bool {
        if self.is_active(name).await {
            return false;
        }
        self.active.lock().unwrap().insert(name.to_owned());
        transfer(name).await;
        self.active.lock().unwrap().remove(name);
        true
    }
    #[cfg(fixed)]
    pub async fn start(&self, name: &str) -> bool {
        if !self.active.lock().unwrap().insert(name.to_owned()) {
            return false;
        }
        transfer(name).await;
        self.active.lock().unwrap().remove(name);
        true
    }
    pub async fn busy(&self, name: &str) -> bool {
        self.is_active(name).await
    }
}
