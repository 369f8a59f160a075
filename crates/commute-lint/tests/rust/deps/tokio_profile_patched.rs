//! A profile is read, translated by another service, and written back.
//@ finding: Profiles::rename
use std::collections::HashMap;
use tokio::sync::RwLock;

#[derive(Clone, Debug)]
pub struct Profile {
    name: String,
    visits: u32,
}

#[derive(Default)]
pub struct Profiles {
    all: RwLock<HashMap<u64, Profile>>,
}

async fn normalise(name: &str) -> String {
    tokio::task::yield_now().await;
    name.trim().to_lowercase()
}

impl Profiles {
    pub async fn visit(&self, id: u64) {
        let mut all = self.all.write().await;
        if let Some(profile) = all.get_mut(&id) {
            profile.visits += 1;
        }
    }
    pub async fn find(&self, id: u64) -> Option<Profile> {
        self.all.read().await.get(&id).cloned()
    }
    #[cfg(not(fixed))]
    pub async fn rename(&self, id: u64, name: &str) -> bool {
        let Some(mut profile) = self.find(id).await else {
            return false;
        };
        profile.name = normalise(name).await;
        self.all.write().await.insert(id, profile);
        true
    }
    #[cfg(fixed)]
    pub async fn rename(&self, id: u64, name: &str) -> bool {
        let name = normalise(name).await;
        let mut all = self.all.write().await;
        match all.get_mut(&id) {
            Some(profile) => {
                profile.name = name;
                true
            }
            None => false,
        }
    }
}
