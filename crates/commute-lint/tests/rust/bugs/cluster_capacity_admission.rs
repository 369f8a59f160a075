//! Admission of queries to clusters (queryflux #236): a strategy picks one of
//! those that have capacity, and its count is raised afterwards; callers that
//! ask at the same time all get in. The count is now raised with a limit, and
//! the next cluster is tried.
//@ finding: acquire_cluster
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, RwLock};

pub struct ClusterState {
    pub name: String,
    running_queries: AtomicU64,
    max_running_queries: AtomicU64,
    healthy: AtomicBool,
}

impl ClusterState {
    pub fn is_healthy(&self) -> bool {
        self.healthy.load(Ordering::Relaxed)
    }
    pub fn running_queries(&self) -> u64 {
        self.running_queries.load(Ordering::Relaxed)
    }
    pub fn is_at_capacity(&self) -> bool {
        self.running_queries() >= self.max_running_queries.load(Ordering::Relaxed)
    }
    #[cfg(not(fixed))]
    pub fn increment_running(&self) {
        self.running_queries.fetch_add(1, Ordering::Relaxed);
    }
    #[cfg(fixed)]
    pub fn try_increment_running(&self) -> bool {
        let max = self.max_running_queries.load(Ordering::Relaxed);
        let add = |running: u64| (running < max).then_some(running + 1);
        self.running_queries
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, add)
            .is_ok()
    }
    pub fn decrement_running(&self) {
        self.running_queries.fetch_sub(1, Ordering::AcqRel);
    }
}

pub trait SelectionStrategy: Send + Sync {
    fn pick<'a>(&self, candidates: &[&'a Arc<ClusterState>]) -> Option<&'a Arc<ClusterState>>;
}

pub struct LeastLoaded;

impl SelectionStrategy for LeastLoaded {
    fn pick<'a>(&self, candidates: &[&'a Arc<ClusterState>]) -> Option<&'a Arc<ClusterState>> {
        let loads = candidates
            .iter()
            .min_by_key(|cluster| cluster.running_queries());
        loads.copied()
    }
}

pub struct ClusterManager {
    groups: RwLock<HashMap<String, Vec<Arc<ClusterState>>>>,
    strategy: Box<dyn SelectionStrategy>,
}

impl ClusterManager {
    pub fn acquire_cluster(&self, group: &str) -> Result<Option<String>, String> {
        let groups = self.groups.read().unwrap();
        let members = groups.get(group).ok_or_else(|| format!("no {group}"))?;
        let mut eligible: Vec<&Arc<ClusterState>> = members
            .iter()
            .filter(|cluster| cluster.is_healthy() && !cluster.is_at_capacity())
            .collect();
        #[cfg(not(fixed))]
        if let Some(cluster) = self.strategy.pick(&eligible) {
            cluster.increment_running();
            return Ok(Some(cluster.name.clone()));
        }
        #[cfg(fixed)]
        while let Some(cluster) = self.strategy.pick(&eligible) {
            if cluster.try_increment_running() {
                return Ok(Some(cluster.name.clone()));
            }
            eligible.retain(|other| !Arc::ptr_eq(other, cluster));
        }
        eligible.clear();
        Ok(None)
    }

    pub fn release_cluster(&self, group: &str, name: &str) {
        let groups = self.groups.read().unwrap();
        let mut members = groups.get(group).into_iter().flatten();
        if let Some(cluster) = members.find(|cluster| cluster.name == name) {
            cluster.decrement_running();
        }
    }
}
