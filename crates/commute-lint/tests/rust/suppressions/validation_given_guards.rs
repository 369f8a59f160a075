//! The parent of a node is locked before the node, so the node is unlocked when
//! its parent is known. What is done with both is a closure that is given the
//! guards; by then the parent may be another one, unless that is looked at.
//@ suppression: Validation
//@ finding: with_both
use std::sync::{Arc, Mutex, MutexGuard};

pub struct Node {
    inner: Mutex<Inner>,
}

struct Inner {
    parent: Option<Arc<Node>>,
    children: usize,
}

fn with_both<F>(node: &Arc<Node>, act: F)
where
    F: FnOnce(MutexGuard<'_, Inner>, MutexGuard<'_, Inner>),
{
    loop {
        let found = node.inner.lock().unwrap().parent.clone();
        let Some(found) = found else {
            return;
        };
        let parent = found.inner.lock().unwrap();
        let locked = node.inner.lock().unwrap();
        #[cfg(not(fixed))]
        return act(locked, parent);
        #[cfg(fixed)]
        if let Some(now) = locked.parent.as_ref() {
            if Arc::ptr_eq(now, &found) {
                return act(locked, parent);
            }
        }
    }
}

pub fn detach(node: &Arc<Node>) {
    with_both(node, |mut node, mut parent| {
        node.parent = None;
        parent.children -= 1;
    });
}
