//! Handles are pushed by their number, which is read first.
//@ finding: Arena::insert
use std::sync::{Arc, RwLock};

#[derive(Clone, Default)]
pub struct Arena {
    nodes: Arc<RwLock<Vec<Option<String>>>>,
}

#[derive(Clone, Copy, Debug)]
pub struct Handle {
    index: usize,
    generation: u32,
}

impl Arena {
    pub fn len(&self) -> usize {
        self.nodes.read().unwrap().len()
    }
    #[cfg(not(fixed))]
    pub fn insert(&self, text: &str) -> Handle {
        let index = self.len();
        self.nodes.write().unwrap().push(Some(text.to_owned()));
        Handle { index, generation: 0 }
    }
    #[cfg(fixed)]
    pub fn insert(&self, text: &str) -> Handle {
        let mut nodes = self.nodes.write().unwrap();
        let index = nodes.len();
        nodes.push(Some(text.to_owned()));
        Handle { index, generation: 0 }
    }
    pub fn get(&self, handle: Handle) -> Option<String> {
        self.nodes.read().unwrap().get(handle.index)?.clone()
    }
    pub fn remove(&self, handle: Handle) {
        if let Some(node) = self.nodes.write().unwrap().get_mut(handle.index) {
            *node = None;
        }
    }
}
