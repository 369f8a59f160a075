//! Where keys are in a test that is explored: each in a shard of its own.
//!
//! A guard of a real map holds the lock of a shard, and with it all keys that are there.
//! All threads of a test run on one thread of the system, so none may ever wait for such a
//! lock: the model says who has which key, and shards must not say more.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use commute_record::Value;

/// Shards of a map that is explored.
pub(super) const SHARDS: usize = 64;

/// Where the number of the shard is in a hash of such a map: below the seven bits that
/// its tables use.
const SHIFT: u32 = u64::BITS - 7 - SHARDS.ilog2();

/// A hasher that puts keys into shards of their own, if they are known.
#[derive(Clone, Debug, Default)]
pub(super) struct Spread<S> {
    pub(super) hasher: S,
    /// In a test that is explored.
    known: Option<Arc<Mutex<Known>>>,
}

/// The keys of a map.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// The shard of each hash.
    shards: BTreeMap<u64, u64>,
    /// The hash of each key, by what the model calls it.
    pub(super) hashes: BTreeMap<Value, u64>,
}

impl<S> Spread<S> {
    pub(super) fn new(hasher: S) -> Spread<S> {
        let is_explored = commute_explore::runtime::is_inside();
        Spread {
            hasher,
            known: is_explored.then(Arc::default),
        }
    }

    pub(super) fn is_explored(&self) -> bool {
        self.known.is_some()
    }

    /// The keys; none if it was made outside of a test.
    pub(super) fn known(&self) -> Option<MutexGuard<'_, Known>> {
        let known = self.known.as_ref()?;
        Some(known.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<S: BuildHasher> BuildHasher for Spread<S> {
    type Hasher = SpreadHasher<S::Hasher>;

    #[inline]
    fn build_hasher(&self) -> Self::Hasher {
        SpreadHasher {
            hasher: self.hasher.build_hasher(),
            known: self.known.clone(),
        }
    }
}

/// What [`Spread`] makes.
#[derive(Debug)]
pub(super) struct SpreadHasher<H> {
    hasher: H,
    known: Option<Arc<Mutex<Known>>>,
}

/// Hashers may do something else for each of these.
macro_rules! forward {
    ($($write:ident: $integer:ty),*) => {
        $(#[inline]
        fn $write(&mut self, i: $integer) {
            self.hasher.$write(i);
        })*
    };
}

impl<H: Hasher> Hasher for SpreadHasher<H> {
    #[inline]
    fn finish(&self) -> u64 {
        let hash = self.hasher.finish();
        match &self.known {
            None => hash,
            Some(known) => {
                let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
                let next = known.shards.len() as u64 % SHARDS as u64;
                let shard = *known.shards.entry(hash).or_insert(next);
                let all = SHARDS as u64 - 1;
                hash & !(all << SHIFT) | shard << SHIFT
            }
        }
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        self.hasher.write(bytes);
    }

    forward!(
        write_u8: u8, write_u16: u16, write_u32: u32, write_u64: u64, write_u128: u128,
        write_usize: usize, write_i8: i8, write_i16: i16, write_i32: i32, write_i64: i64,
        write_i128: i128, write_isize: isize
    );
}
