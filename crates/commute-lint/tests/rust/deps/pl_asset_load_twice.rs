//! A game engine loads an asset unless it is loaded or being loaded. The state
//! is asked under the read lock and set under the write lock: systems that run
//! in parallel load the same file twice, and the second overwrites the first.
//@ finding: AssetServer::load
use parking_lot::RwLock;
use std::collections::HashMap;
use std::sync::Arc;

#[derive(Clone, Copy, PartialEq)]
pub enum LoadState {
    NotLoaded,
    Loading,
    Loaded,
}

struct SourceInfo {
    state: LoadState,
    version: usize,
}

struct Internal {
    sources: RwLock<HashMap<String, SourceInfo>>,
}

#[derive(Clone)]
pub struct AssetServer {
    server: Arc<Internal>,
}

impl AssetServer {
    pub fn load_state(&self, path: &str) -> LoadState {
        let sources = self.server.sources.read();
        sources
            .get(path)
            .map_or(LoadState::NotLoaded, |info| info.state)
    }

    pub fn load(&self, path: &str) -> bool {
        #[cfg(not(fixed))]
        if self.load_state(path) != LoadState::NotLoaded {
            return false;
        }
        let mut sources = self.server.sources.write();
        let info = sources.entry(path.to_owned()).or_insert(SourceInfo {
            state: LoadState::NotLoaded,
            version: 0,
        });
        #[cfg(fixed)]
        if info.state != LoadState::NotLoaded {
            return false;
        }
        info.state = LoadState::Loading;
        info.version += 1;
        true
    }

    pub fn loaded(&self, path: &str) {
        if let Some(info) = self.server.sources.write().get_mut(path) {
            info.state = LoadState::Loaded;
        }
    }
}
