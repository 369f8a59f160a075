//! A graph that is copied when it is first written (si #4402): whether there is
//! a working copy is asked under the read lock, and it is made or dropped under
//! the write lock. Of two first writers the second drops what the first has
//! written. It is asked under the write lock.
//@ finding: WorkspaceSnapshot
use std::sync::Arc;
use tokio::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

#[derive(Clone, Default)]
pub struct Graph {
    nodes: Vec<String>,
    root: usize,
}

impl Graph {
    pub fn add_node(&mut self, name: &str) -> usize {
        self.nodes.push(name.to_owned());
        self.nodes.len() - 1
    }
    pub fn root(&self) -> usize {
        self.root
    }
}

#[derive(Clone)]
pub struct WorkspaceSnapshot {
    read_only_graph: Arc<Graph>,
    working_copy: Arc<RwLock<Option<Graph>>>,
}

#[derive(Debug)]
pub enum SnapshotError {
    NoRoot,
}

impl WorkspaceSnapshot {
    async fn working_copy(&self) -> RwLockReadGuard<'_, Option<Graph>> {
        self.working_copy.read().await
    }

    #[cfg(not(fixed))]
    async fn working_copy_mut(&self) -> RwLockWriteGuard<'_, Option<Graph>> {
        if self.working_copy.read().await.is_none() {
            let copy = Graph::clone(&self.read_only_graph);
            *self.working_copy.write().await = Some(copy);
        }
        self.working_copy.write().await
    }

    #[cfg(fixed)]
    async fn working_copy_mut(&self) -> RwLockWriteGuard<'_, Option<Graph>> {
        let mut working = self.working_copy.write().await;
        if working.is_none() {
            *working = Some(Graph::clone(&self.read_only_graph));
        }
        working
    }

    pub async fn add_node(&self, name: &str) -> Result<usize, SnapshotError> {
        let mut working = self.working_copy_mut().await;
        let graph = working.as_mut().ok_or(SnapshotError::NoRoot)?;
        Ok(graph.add_node(name))
    }

    pub async fn root(&self) -> usize {
        match &*self.working_copy().await {
            Some(graph) => graph.root(),
            None => self.read_only_graph.root(),
        }
    }

    #[cfg(not(fixed))]
    pub async fn revert(&self) {
        if self.working_copy.read().await.is_some() {
            *self.working_copy.write().await = None;
        }
    }

    #[cfg(fixed)]
    pub async fn revert(&self) {
        *self.working_copy.write().await = None;
    }
}
