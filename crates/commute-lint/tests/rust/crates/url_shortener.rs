//! Short names for addresses: shards with locks of their own, quotas, and hits that are written in the background.

pub mod shards {
    use std::collections::HashMap;
    use std::hash::{BuildHasher, Hash, RandomState};
    use std::sync::{Mutex, MutexGuard};

    /// A map in several parts, each with a lock.
    pub struct Sharded<K, V> {
        shards: Box<[Mutex<HashMap<K, V>>]>,
        hasher: RandomState,
    }

    impl<K: Hash + Eq, V> Sharded<K, V> {
        pub fn new(count: usize) -> Self {
            Sharded {
                shards: (0..count.max(1)).map(|_| Mutex::default()).collect(),
                hasher: RandomState::new(),
            }
        }

        pub fn shard(&self, key: &K) -> MutexGuard<'_, HashMap<K, V>> {
            let at = self.hasher.hash_one(key) as usize % self.shards.len();
            self.shards[at].lock().unwrap()
        }

        /// RIGHT: one shard after the other; nobody takes it for one moment.
        pub fn len(&self) -> usize {
            self.shards.iter().map(|shard| shard.lock().unwrap().len()).sum()
        }

        pub fn is_empty(&self) -> bool {
            self.len() == 0
        }
    }
}

pub mod links {
    use crate::shards::Sharded;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::sync::{Arc, RwLock};
    use std::time::{Duration, Instant};

    #[derive(Debug, PartialEq, Eq)]
    pub enum LinkError {
        Taken,
        Unknown,
        OverQuota { used: u32 },
    }

    #[derive(Clone, Debug)]
    pub struct Link {
        pub target: String,
        pub owner: String,
        pub expires: Option<Instant>,
        pub edits: u32,
    }

    pub trait Names: Send + Sync {
        fn name(&self, number: u64) -> String;
    }

    pub struct Base36;

    impl Names for Base36 {
        fn name(&self, mut number: u64) -> String {
            let mut name = Vec::new();
            loop {
                name.push(char::from_digit((number % 36) as u32, 36).unwrap_or('0'));
                number /= 36;
                if number == 0 {
                    return name.into_iter().rev().collect();
                }
            }
        }
    }

    #[derive(Default, Clone, Copy)]
    struct Totals {
        created: u64,
        removed: u64,
    }

    pub struct Links {
        links: Sharded<String, Link>,
        quotas: Sharded<String, u32>,
        totals: RwLock<Totals>,
        names: Arc<dyn Names>,
        next: AtomicU64,
        per_owner: u32,
    }

    impl Links {
        pub fn new(names: Arc<dyn Names>, per_owner: u32) -> Self {
            Links {
                links: Sharded::new(16),
                quotas: Sharded::new(4),
                totals: RwLock::default(),
                names,
                next: AtomicU64::new(1),
                per_owner,
            }
        }

        pub fn used(&self, owner: &str) -> u32 {
            let owner = owner.to_owned();
            self.quotas.shard(&owner).get(&owner).copied().unwrap_or(0)
        }

        /// BUG check-then-act: one link more than the quota, if an owner creates two at once.
        #[cfg(not(fixed))]
        fn charge(&self, owner: &str) -> Result<(), LinkError> {
            let used = self.used(owner);
            if used >= self.per_owner {
                return Err(LinkError::OverQuota { used });
            }
            let owner = owner.to_owned();
            self.quotas.shard(&owner).insert(owner.clone(), used + 1);
            Ok(())
        }

        #[cfg(fixed)]
        fn charge(&self, owner: &str) -> Result<(), LinkError> {
            let owner = owner.to_owned();
            let mut quotas = self.quotas.shard(&owner);
            let used = quotas.entry(owner.clone()).or_insert(0);
            if *used >= self.per_owner {
                return Err(LinkError::OverQuota { used: *used });
            }
            *used += 1;
            Ok(())
        }

        /// RIGHT: gives back one, of what is there.
        fn refund(&self, owner: &str) {
            let owner = owner.to_owned();
            if let Some(used) = self.quotas.shard(&owner).get_mut(&owner) {
                *used = used.saturating_sub(1);
            }
        }

        /// RIGHT: every number is given out once, so the name is new.
        pub fn create(&self, owner: &str, target: &str, ttl: Option<Duration>) -> Result<String, LinkError> {
            self.charge(owner)?;
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let name = self.names.name(number);
            let link = Link {
                target: target.to_owned(),
                owner: owner.to_owned(),
                expires: ttl.map(|ttl| Instant::now() + ttl),
                edits: 0,
            };
            self.links.shard(&name).insert(name.clone(), link);
            self.totals.write().unwrap().created += 1;
            Ok(name)
        }

        pub fn resolve(&self, name: &str) -> Option<Link> {
            let name = name.to_owned();
            self.links.shard(&name).get(&name).cloned()
        }

        /// BUG check-then-act: a name of one's own choice, which another has got in between.
        #[cfg(not(fixed))]
        pub fn create_named(&self, owner: &str, name: &str, target: &str) -> Result<(), LinkError> {
            if self.resolve(name).is_some() {
                return Err(LinkError::Taken);
            }
            let link = Link {
                target: target.to_owned(),
                owner: owner.to_owned(),
                expires: None,
                edits: 0,
            };
            let name = name.to_owned();
            self.links.shard(&name).insert(name.clone(), link);
            Ok(())
        }

        #[cfg(fixed)]
        pub fn create_named(&self, owner: &str, name: &str, target: &str) -> Result<(), LinkError> {
            let name = name.to_owned();
            let mut links = self.links.shard(&name);
            if links.contains_key(&name) {
                return Err(LinkError::Taken);
            }
            let link = Link {
                target: target.to_owned(),
                owner: owner.to_owned(),
                expires: None,
                edits: 0,
            };
            links.insert(name.clone(), link);
            Ok(())
        }

        /// BUG stale value written back: of two edits one is lost, and a link that was removed is back.
        #[cfg(not(fixed))]
        pub fn retarget(&self, name: &str, target: &str) -> Result<u32, LinkError> {
            let old = self.resolve(name).ok_or(LinkError::Unknown)?;
            let link = Link {
                target: target.to_owned(),
                edits: old.edits + 1,
                ..old
            };
            let edits = link.edits;
            self.links.shard(&name.to_owned()).insert(name.to_owned(), link);
            Ok(edits)
        }

        #[cfg(fixed)]
        pub fn retarget(&self, name: &str, target: &str) -> Result<u32, LinkError> {
            let name = name.to_owned();
            let mut links = self.links.shard(&name);
            let link = links.get_mut(&name).ok_or(LinkError::Unknown)?;
            link.target = target.to_owned();
            link.edits += 1;
            Ok(link.edits)
        }

        /// RIGHT: who takes it out gives the place back, once.
        pub fn remove(&self, name: &str) -> Result<Link, LinkError> {
            let key = name.to_owned();
            let link = self.links.shard(&key).remove(&key).ok_or(LinkError::Unknown)?;
            self.refund(&link.owner);
            self.totals.write().unwrap().removed += 1;
            Ok(link)
        }

        /// RIGHT: looks again at each before it goes.
        pub fn expire(&self, names: &[String], now: Instant) -> usize {
            let mut gone = 0;
            for name in names {
                let due = |link: &Link| link.expires.is_some_and(|at| at <= now);
                if !self.resolve(name).is_some_and(|link| due(&link)) {
                    continue;
                }
                let mut links = self.links.shard(name);
                if links.get(name).is_some_and(due) {
                    links.remove(name);
                    gone += 1;
                }
            }
            gone
        }

        /// RIGHT: both of one moment.
        pub fn live(&self) -> u64 {
            let totals = *self.totals.read().unwrap();
            totals.created - totals.removed
        }

        pub fn forget_totals(&self) {
            *self.totals.write().unwrap() = Totals::default();
        }

        /// BUG pair: `forget_totals` in between makes it negative.
        #[cfg(not(fixed))]
        pub fn churn(&self) -> f64 {
            let created = self.totals.read().unwrap().created;
            let removed = self.totals.read().unwrap().removed;
            removed as f64 / created.max(1) as f64
        }

        #[cfg(fixed)]
        pub fn churn(&self) -> f64 {
            let totals = self.totals.read().unwrap();
            totals.removed as f64 / totals.created.max(1) as f64
        }
    }
}

pub mod hits {
    use std::collections::HashMap;
    use std::sync::mpsc::{self, Sender};
    use std::sync::{Arc, Mutex};
    use std::thread;

    /// Counts in a thread of its own.
    pub struct Hits {
        counts: Arc<Mutex<HashMap<String, u64>>>,
        sender: Mutex<Sender<String>>,
    }

    impl Hits {
        pub fn start() -> Self {
            let counts: Arc<Mutex<HashMap<String, u64>>> = Arc::default();
            let (sender, receiver) = mpsc::channel::<String>();
            let shared = Arc::clone(&counts);
            thread::spawn(move || {
                while let Ok(name) = receiver.recv() {
                    add(&shared, name);
                }
            });
            Hits {
                counts,
                sender: Mutex::new(sender),
            }
        }

        pub fn hit(&self, name: &str) {
            let _ = self.sender.lock().unwrap().send(name.to_owned());
        }

        /// RIGHT: all of them, at once.
        pub fn drain(&self) -> HashMap<String, u64> {
            std::mem::take(&mut *self.counts.lock().unwrap())
        }
    }

    /// BUG stale value written back: what `drain` took in between is counted twice.
    #[cfg(not(fixed))]
    fn add(counts: &Mutex<HashMap<String, u64>>, name: String) {
        let count = counts.lock().unwrap().get(&name).copied().unwrap_or(0);
        counts.lock().unwrap().insert(name, count + 1);
    }

    #[cfg(fixed)]
    fn add(counts: &Mutex<HashMap<String, u64>>, name: String) {
        *counts.lock().unwrap().entry(name).or_insert(0) += 1;
    }
}

pub use hits::Hits;
pub use links::{Base36, Link, LinkError, Links, Names};
