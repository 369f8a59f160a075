//! What the original offers with its feature `raw-api`. What is done to a shard is done
//! to the original, and is not recorded.

use std::borrow::Borrow;
use std::hash::{BuildHasher, Hash};

use ::dashmap::{RwLock, SharedValue};
use crossbeam_utils::CachePadded;
use hashbrown::raw::RawTable;

use super::{DashMap, DashSet};

type Shard<K, V> = CachePadded<RwLock<RawTable<(K, SharedValue<V>)>>>;

impl<K: Eq + Hash, V, S: BuildHasher + Clone> DashMap<K, V, S> {
    /// As the original's.
    pub fn shards(&self) -> &[Shard<K, V>] {
        self.inner.shards()
    }

    /// As the original's.
    pub fn shards_mut(&mut self) -> &mut [Shard<K, V>] {
        self.inner.shards_mut()
    }

    /// As the original's.
    pub fn into_shards(self) -> Box<[Shard<K, V>]> {
        self.inner.into_shards()
    }

    /// As the original's.
    pub fn determine_map<Q>(&self, key: &Q) -> usize
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.inner.determine_map(key)
    }

    /// As the original's.
    pub fn determine_shard(&self, hash: usize) -> usize {
        self.inner.determine_shard(hash)
    }
}

impl<K: Eq + Hash, S: BuildHasher + Clone> DashSet<K, S> {
    /// As the original's.
    pub fn shards(&self) -> &[Shard<K, ()>] {
        self.inner.shards()
    }

    /// As the original's.
    pub fn determine_map<Q>(&self, key: &Q) -> usize
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.inner.determine_map(key)
    }

    /// As the original's.
    pub fn determine_shard(&self, hash: usize) -> usize {
        self.inner.determine_shard(hash)
    }
}
