//! The number of plugins becomes the identity of the next one.
//@ finding: Plugins::register
use std::sync::{Arc, RwLock};

pub trait Plugin: Send + Sync {
    fn name(&self) -> &str;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PluginId(usize);

#[derive(Clone, Default)]
pub struct Plugins {
    all: Arc<RwLock<Vec<Box<dyn Plugin>>>>,
}

impl Plugins {
    #[cfg(not(fixed))]
    pub fn register(&self, plugin: Box<dyn Plugin>) -> PluginId {
        let id = PluginId(self.all.read().unwrap().len());
        if plugin.name().is_empty() {
            eprintln!("plugin {} has no name", id.0);
        }
        self.all.write().unwrap().push(plugin);
        id
    }
    #[cfg(fixed)]
    pub fn register(&self, plugin: Box<dyn Plugin>) -> PluginId {
        let mut all = self.all.write().unwrap();
        let id = PluginId(all.len());
        if plugin.name().is_empty() {
            eprintln!("plugin {} has no name", id.0);
        }
        all.push(plugin);
        id
    }
    pub fn name(&self, id: PluginId) -> Option<String> {
        let all = self.all.read().unwrap();
        all.get(id.0).map(|plugin| plugin.name().to_owned())
    }
}
