//! The state of an account of a chain (starcoin #4737, in review): the tree of
//! its code is opened when it is first used: the option is looked at under one
//! lock and set under the next, so what was written to the first is lost. It is
//! opened in the same scope.
//@ finding: AccountStateObject
use parking_lot::RwLock;
use std::collections::BTreeMap;
use std::sync::Arc;

pub trait StateNodeStore: Send + Sync {
    fn get(&self, key: &[u8]) -> Option<Vec<u8>>;
}

pub struct StateTree {
    store: Arc<dyn StateNodeStore>,
    updates: BTreeMap<Vec<u8>, Vec<u8>>,
}

impl StateTree {
    fn new(store: Arc<dyn StateNodeStore>) -> Self {
        StateTree {
            store,
            updates: BTreeMap::new(),
        }
    }
    fn put(&mut self, key: Vec<u8>, value: Vec<u8>) {
        self.updates.insert(key, value);
    }
    fn get(&self, key: &[u8]) -> Option<Vec<u8>> {
        self.updates
            .get(key)
            .cloned()
            .or_else(|| self.store.get(key))
    }
}

pub enum DataPath {
    Code(String),
    Resource(Vec<u8>),
}

pub struct AccountStateObject {
    code_tree: RwLock<Option<StateTree>>,
    resource_tree: RwLock<StateTree>,
    store: Arc<dyn StateNodeStore>,
}

impl AccountStateObject {
    pub fn set(&self, path: DataPath, value: Vec<u8>) {
        match path {
            DataPath::Code(module) => {
                #[cfg(not(fixed))]
                {
                    if self.code_tree.read().is_none() {
                        *self.code_tree.write() = Some(StateTree::new(self.store.clone()));
                    }
                    self.code_tree
                        .write()
                        .as_mut()
                        .expect("code tree is there")
                        .put(module.into_bytes(), value);
                }
                #[cfg(fixed)]
                {
                    let mut tree = self.code_tree.write();
                    tree.get_or_insert_with(|| StateTree::new(self.store.clone()))
                        .put(module.into_bytes(), value);
                }
            }
            DataPath::Resource(tag) => self.resource_tree.write().put(tag, value),
        }
    }

    pub fn get(&self, path: &DataPath) -> Option<Vec<u8>> {
        match path {
            DataPath::Code(module) => {
                let tree = self.code_tree.read();
                tree.as_ref().and_then(|tree| tree.get(module.as_bytes()))
            }
            DataPath::Resource(tag) => self.resource_tree.read().get(tag),
        }
    }
}
