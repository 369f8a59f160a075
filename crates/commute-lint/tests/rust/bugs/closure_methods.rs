//! All access goes through helpers that take closures.
//@ finding: Tree::allocate
use std::sync::{Arc, Mutex};
struct Node {
    next: u64,
    live: Vec<u64>,
}
#[derive(Clone)]
pub struct Tree {
    node: Arc<Mutex<Node>>,
}
impl Tree {
    fn with<R>(&self, f: impl FnOnce(&Node) -> R) -> R {
        f(&self.node.lock().unwrap())
    }
    fn with_mut<R>(&self, f: impl FnOnce(&mut Node) -> R) -> R {
        f(&mut self.node.lock().unwrap())
    }
    #[cfg(not(fixed))]
    pub fn allocate(&self) -> u64 {
        let id = self.with(|node| node.next);
        self.with_mut(|node| {
            node.next = id + 1;
            node.live.push(id);
        });
        id
    }
    #[cfg(fixed)]
    pub fn allocate(&self) -> u64 {
        self.with_mut(|node| {
            let id = node.next;
            node.next = id + 1;
            node.live.push(id);
            id
        })
    }
    pub fn live(&self) -> usize {
        self.with(|node| node.live.len())
    }
}
