//! Limits per client over several windows, a global bucket, and a ban list.

pub mod window {
    use std::time::{Duration, Instant};

    /// How many in one stretch of time.
    #[derive(Clone, Debug)]
    pub struct Window {
        pub length: Duration,
        pub limit: u32,
        began: Instant,
        used: u32,
    }

    impl Window {
        pub fn new(length: Duration, limit: u32, now: Instant) -> Self {
            Window {
                length,
                limit,
                began: now,
                used: 0,
            }
        }

        pub fn roll(&mut self, now: Instant) {
            if now.duration_since(self.began) >= self.length {
                self.began = now;
                self.used = 0;
            }
        }

        pub fn has_room(&self) -> bool {
            self.used < self.limit
        }

        pub fn take(&mut self) {
            self.used += 1;
        }
    }
}

pub mod bucket {
    use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

    /// Tokens for everybody together.
    pub struct Bucket {
        tokens: AtomicI64,
        refilled_at: AtomicU64,
        capacity: i64,
        per_milli: i64,
    }

    impl Bucket {
        pub fn new(capacity: i64, per_milli: i64) -> Self {
            Bucket {
                tokens: AtomicI64::new(capacity),
                refilled_at: AtomicU64::new(0),
                capacity,
                per_milli,
            }
        }

        /// BUG atomic load … store: tokens that others take in between come back.
        #[cfg(not(fixed))]
        pub fn refill(&self, now_millis: u64) {
            let last = self.refilled_at.swap(now_millis, Ordering::AcqRel);
            let gained = now_millis.saturating_sub(last) as i64 * self.per_milli;
            let tokens = self.tokens.load(Ordering::Acquire);
            let filled = (tokens + gained).min(self.capacity);
            self.tokens.store(filled, Ordering::Release);
        }

        #[cfg(fixed)]
        pub fn refill(&self, now_millis: u64) {
            let last = self.refilled_at.swap(now_millis, Ordering::AcqRel);
            let gained = now_millis.saturating_sub(last) as i64 * self.per_milli;
            let _ = self
                .tokens
                .fetch_update(Ordering::AcqRel, Ordering::Acquire, |tokens| {
                    Some((tokens + gained).min(self.capacity))
                });
        }

        /// RIGHT: takes first, and gives back what was too much.
        pub fn try_take(&self, count: i64) -> bool {
            let before = self.tokens.fetch_sub(count, Ordering::AcqRel);
            if before >= count {
                return true;
            }
            self.tokens.fetch_add(count, Ordering::AcqRel);
            false
        }

        pub fn available(&self) -> i64 {
            self.tokens.load(Ordering::Acquire)
        }
    }
}

pub mod limiter {
    use crate::bucket::Bucket;
    use crate::window::Window;
    use std::collections::{BTreeSet, HashMap, HashSet};
    use std::hash::Hash;
    use std::sync::{Arc, Mutex, RwLock};
    use std::time::{Duration, Instant};

    #[derive(Debug, PartialEq, Eq, Clone, Copy)]
    pub enum Decision {
        Allowed,
        Limited,
        Banned,
    }

    #[derive(Clone)]
    pub struct Rules {
        windows: Vec<(Duration, u32)>,
        strikes_to_ban: u32,
    }

    impl Rules {
        pub fn builder() -> RulesBuilder {
            RulesBuilder {
                rules: Rules {
                    windows: Vec::new(),
                    strikes_to_ban: 10,
                },
            }
        }
    }

    pub struct RulesBuilder {
        rules: Rules,
    }

    impl RulesBuilder {
        pub fn window(mut self, length: Duration, limit: u32) -> Self {
            self.rules.windows.push((length, limit));
            self
        }

        pub fn strikes_to_ban(mut self, strikes: u32) -> Self {
            self.rules.strikes_to_ban = strikes;
            self
        }

        pub fn build(self) -> Rules {
            self.rules
        }
    }

    struct Client {
        windows: Mutex<Vec<Window>>,
        strikes: Mutex<u32>,
    }

    impl Client {
        fn new(rules: &Rules, now: Instant) -> Self {
            let windows = rules
                .windows
                .iter()
                .map(|&(length, limit)| Window::new(length, limit, now))
                .collect();
            Client {
                windows: Mutex::new(windows),
                strikes: Mutex::new(0),
            }
        }

        fn roll(&self, now: Instant) {
            for window in self.windows.lock().unwrap().iter_mut() {
                window.roll(now);
            }
        }

        /// BUG check-then-act: two requests of one client take the last place.
        #[cfg(not(fixed))]
        fn admit(&self, now: Instant) -> bool {
            self.roll(now);
            let room = self.windows.lock().unwrap().iter().all(Window::has_room);
            if room {
                for window in self.windows.lock().unwrap().iter_mut() {
                    window.take();
                }
            }
            room
        }

        #[cfg(fixed)]
        fn admit(&self, now: Instant) -> bool {
            self.roll(now);
            let mut windows = self.windows.lock().unwrap();
            let room = windows.iter().all(Window::has_room);
            if room {
                windows.iter_mut().for_each(Window::take);
            }
            room
        }

        /// RIGHT: increments and answers in one section.
        fn strike(&self) -> u32 {
            let mut strikes = self.strikes.lock().unwrap();
            *strikes += 1;
            *strikes
        }

        /// BUG stale value written back: strikes of others are forgotten.
        #[cfg(not(fixed))]
        fn forgive(&self, by: u32) {
            let strikes = *self.strikes.lock().unwrap();
            let left = strikes.saturating_sub(by);
            *self.strikes.lock().unwrap() = left;
        }

        #[cfg(fixed)]
        fn forgive(&self, by: u32) {
            let mut strikes = self.strikes.lock().unwrap();
            *strikes = strikes.saturating_sub(by);
        }
    }

    struct Bans<K> {
        keys: HashSet<K>,
        until: BTreeSet<(Instant, K)>,
    }

    pub struct Limiter<K> {
        rules: RwLock<Arc<Rules>>,
        clients: RwLock<HashMap<K, Arc<Client>>>,
        bans: Mutex<Bans<K>>,
        bucket: Bucket,
        began: Instant,
    }

    impl<K: Hash + Eq + Ord + Clone> Limiter<K> {
        pub fn new(rules: Rules, bucket: Bucket) -> Self {
            Limiter {
                rules: RwLock::new(Arc::new(rules)),
                clients: RwLock::new(HashMap::new()),
                bans: Mutex::new(Bans {
                    keys: HashSet::new(),
                    until: BTreeSet::new(),
                }),
                bucket,
                began: Instant::now(),
            }
        }

        pub fn check(&self, key: &K) -> Decision {
            let now = Instant::now();
            if self.is_banned(key) {
                return Decision::Banned;
            }
            self.bucket.refill(now.duration_since(self.began).as_millis() as u64);
            if !self.bucket.try_take(1) {
                return Decision::Limited;
            }
            let client = self.client(key, now);
            if client.admit(now) {
                return Decision::Allowed;
            }
            let most = self.rules().strikes_to_ban;
            if client.strike() >= most {
                self.ban(key, now + Duration::from_secs(60));
                return Decision::Banned;
            }
            Decision::Limited
        }

        pub fn forgive(&self, key: &K, by: u32) -> Option<()> {
            let client = self.clients.read().unwrap().get(key).cloned()?;
            client.forgive(by);
            Some(())
        }

        fn is_banned(&self, key: &K) -> bool {
            self.bans.lock().unwrap().keys.contains(key)
        }

        fn rules(&self) -> Arc<Rules> {
            Arc::clone(&self.rules.read().unwrap())
        }

        /// RIGHT: read first, `entry` under the write lock.
        fn client(&self, key: &K, now: Instant) -> Arc<Client> {
            if let Some(client) = self.clients.read().unwrap().get(key) {
                return Arc::clone(client);
            }
            let rules = self.rules();
            let mut clients = self.clients.write().unwrap();
            Arc::clone(
                clients
                    .entry(key.clone())
                    .or_insert_with(|| Arc::new(Client::new(&rules, now))),
            )
        }

        /// BUG torn write: who looks in between sees one set with the key and one without.
        #[cfg(not(fixed))]
        fn ban(&self, key: &K, until: Instant) {
            self.bans.lock().unwrap().keys.insert(key.clone());
            self.bans.lock().unwrap().until.insert((until, key.clone()));
        }

        #[cfg(fixed)]
        fn ban(&self, key: &K, until: Instant) {
            let mut bans = self.bans.lock().unwrap();
            bans.keys.insert(key.clone());
            bans.until.insert((until, key.clone()));
        }

        /// RIGHT: both sets in one section.
        pub fn lift_bans(&self, now: Instant) -> usize {
            let mut bans = self.bans.lock().unwrap();
            let mut lifted = 0;
            while let Some((until, key)) = bans.until.pop_first() {
                if until > now {
                    bans.until.insert((until, key));
                    break;
                }
                bans.keys.remove(&key);
                lifted += 1;
            }
            lifted
        }

        /// RIGHT: whoever sets rules sets all of them; the last one counts.
        pub fn set_rules(&self, rules: Rules) {
            let rules = Arc::new(rules);
            *self.rules.write().unwrap() = rules;
        }

        /// RIGHT: clients that nobody holds are looked for and removed in one section.
        pub fn forget_idle(&self) -> usize {
            let mut clients = self.clients.write().unwrap();
            let before = clients.len();
            clients.retain(|_, client| Arc::strong_count(client) > 1);
            before - clients.len()
        }
    }
}

pub use bucket::Bucket;
pub use limiter::{Decision, Limiter, Rules};
