//! A pool of connections: a builder, checkouts that give back on drop, and a thread that retires idle ones.

pub mod error {
    use std::fmt;

    #[derive(Debug)]
    pub enum PoolError {
        Timeout,
        Closed,
        Connect(String),
    }

    impl fmt::Display for PoolError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                PoolError::Timeout => write!(f, "no connection in time"),
                PoolError::Closed => write!(f, "the pool is closed"),
                PoolError::Connect(why) => write!(f, "cannot connect: {why}"),
            }
        }
    }

    impl std::error::Error for PoolError {}

    pub type Result<T> = std::result::Result<T, PoolError>;
}

pub mod connect {
    use crate::error::Result;

    /// Opens connections and says whether one is still good.
    pub trait Connector: Send + Sync + 'static {
        type Connection: Send + 'static;

        fn connect(&self) -> Result<Self::Connection>;

        fn is_healthy(&self, connection: &mut Self::Connection) -> bool;
    }
}

pub mod pool {
    use crate::connect::Connector;
    use crate::error::{PoolError, Result};
    use std::collections::VecDeque;
    use std::ops::{Deref, DerefMut};
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    use std::sync::{Arc, Condvar, Mutex, MutexGuard};
    use std::thread;
    use std::time::{Duration, Instant};

    #[derive(Clone, Debug)]
    pub struct Config {
        max_size: usize,
        min_idle: usize,
        idle_timeout: Duration,
        acquire_timeout: Duration,
    }

    pub struct Builder<C: Connector> {
        connector: C,
        config: Config,
    }

    impl<C: Connector> Builder<C> {
        pub fn new(connector: C) -> Self {
            Builder {
                connector,
                config: Config {
                    max_size: 8,
                    min_idle: 1,
                    idle_timeout: Duration::from_secs(60),
                    acquire_timeout: Duration::from_secs(5),
                },
            }
        }

        pub fn max_size(mut self, size: usize) -> Self {
            self.config.max_size = size;
            self
        }

        pub fn min_idle(mut self, count: usize) -> Self {
            self.config.min_idle = count;
            self
        }

        pub fn build(self) -> Arc<Pool<C>> {
            let pool = Arc::new(Pool {
                connector: self.connector,
                config: self.config,
                state: Mutex::new(State {
                    idle: VecDeque::new(),
                    open: 0,
                    lent: 0,
                }),
                available: Condvar::new(),
                closed: AtomicBool::new(false),
                next_id: AtomicU64::new(1),
                peak: AtomicU64::new(0),
            });
            let reaper = Arc::clone(&pool);
            thread::spawn(move || reaper.reap());
            pool
        }
    }

    struct Idle<T> {
        connection: T,
        since: Instant,
    }

    struct State<T> {
        idle: VecDeque<Idle<T>>,
        open: usize,
        lent: usize,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Usage {
        pub open: usize,
        pub lent: usize,
    }

    pub struct Pool<C: Connector> {
        connector: C,
        config: Config,
        state: Mutex<State<C::Connection>>,
        available: Condvar,
        closed: AtomicBool,
        next_id: AtomicU64,
        peak: AtomicU64,
    }

    impl<C: Connector> Pool<C> {
        fn state(&self) -> MutexGuard<'_, State<C::Connection>> {
            self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
        }

        /// RIGHT: the place is reserved before the lock is let go, and given back if connecting fails.
        pub fn get(self: &Arc<Self>) -> Result<Lease<C>> {
            let deadline = Instant::now() + self.config.acquire_timeout;
            let mut state = self.state();
            loop {
                if self.closed.load(Ordering::Acquire) {
                    return Err(PoolError::Closed);
                }
                if let Some(idle) = state.idle.pop_front() {
                    state.lent += 1;
                    drop(state);
                    return Ok(self.lease(idle.connection));
                }
                if state.open < self.config.max_size {
                    state.open += 1;
                    state.lent += 1;
                    drop(state);
                    return match self.connector.connect() {
                        Ok(connection) => Ok(self.lease(connection)),
                        Err(error) => {
                            let mut state = self.state();
                            state.open -= 1;
                            state.lent -= 1;
                            self.available.notify_one();
                            Err(error)
                        }
                    };
                }
                let left = deadline
                    .checked_duration_since(Instant::now())
                    .ok_or(PoolError::Timeout)?;
                let (again, _) = self
                    .available
                    .wait_timeout(state, left)
                    .unwrap_or_else(|poisoned| poisoned.into_inner());
                state = again;
            }
        }

        /// BUG check-then-act: two callers both see room, and open more than `max_size`.
        #[cfg(not(fixed))]
        pub fn warm_up(&self) -> Result<bool> {
            if self.state().open >= self.config.max_size {
                return Ok(false);
            }
            let connection = self.connector.connect()?;
            let mut state = self.state();
            state.open += 1;
            state.idle.push_back(Idle {
                connection,
                since: Instant::now(),
            });
            self.available.notify_one();
            Ok(true)
        }

        #[cfg(fixed)]
        pub fn warm_up(&self) -> Result<bool> {
            {
                let mut state = self.state();
                if state.open >= self.config.max_size {
                    return Ok(false);
                }
                state.open += 1;
            }
            match self.connector.connect() {
                Ok(connection) => {
                    self.state().idle.push_back(Idle {
                        connection,
                        since: Instant::now(),
                    });
                    self.available.notify_one();
                    Ok(true)
                }
                Err(error) => {
                    self.state().open -= 1;
                    Err(error)
                }
            }
        }

        /// BUG pair: `get` and `give_back` change both at once.
        #[cfg(not(fixed))]
        pub fn usage(&self) -> Usage {
            Usage {
                open: self.open(),
                lent: self.lent(),
            }
        }

        #[cfg(fixed)]
        pub fn usage(&self) -> Usage {
            let state = self.state();
            Usage {
                open: state.open,
                lent: state.lent,
            }
        }

        pub fn open(&self) -> usize {
            self.state().open
        }

        pub fn lent(&self) -> usize {
            self.state().lent
        }

        fn lease(self: &Arc<Self>, connection: C::Connection) -> Lease<C> {
            let id = self.next_id.fetch_add(1, Ordering::Relaxed);
            self.note_peak();
            Lease {
                pool: Arc::clone(self),
                connection: Some(connection),
                id,
            }
        }

        /// BUG atomic load … store: a higher peak of another thread is overwritten.
        #[cfg(not(fixed))]
        fn note_peak(&self) {
            let lent = self.state().lent as u64;
            if lent > self.peak.load(Ordering::Relaxed) {
                self.peak.store(lent, Ordering::Relaxed);
            }
        }

        #[cfg(fixed)]
        fn note_peak(&self) {
            let lent = self.state().lent as u64;
            self.peak.fetch_max(lent, Ordering::Relaxed);
        }

        pub fn peak(&self) -> u64 {
            self.peak.load(Ordering::Relaxed)
        }

        fn give_back(&self, mut connection: C::Connection) {
            let healthy = self.connector.is_healthy(&mut connection);
            let mut state = self.state();
            state.lent -= 1;
            if healthy && !self.closed.load(Ordering::Acquire) {
                state.idle.push_back(Idle {
                    connection,
                    since: Instant::now(),
                });
            } else {
                state.open -= 1;
            }
            drop(state);
            self.available.notify_one();
        }

        /// RIGHT: everybody sets the same mark, and what is idle is taken out at once.
        pub fn close(&self) {
            self.closed.store(true, Ordering::Release);
            let idle: Vec<_> = {
                let mut state = self.state();
                state.open -= state.idle.len();
                state.idle.drain(..).collect()
            };
            drop(idle);
            self.available.notify_all();
        }

        fn reap(&self) {
            while !self.closed.load(Ordering::Acquire) {
                thread::sleep(Duration::from_secs(1));
                self.retire_idle();
            }
        }

        /// BUG stale index: the position is of a queue that `get` pops from in between.
        #[cfg(not(fixed))]
        fn retire_idle(&self) {
            let stale = {
                let state = self.state();
                if state.idle.len() <= self.config.min_idle {
                    return;
                }
                state
                    .idle
                    .iter()
                    .position(|idle| idle.since.elapsed() > self.config.idle_timeout)
            };
            if let Some(at) = stale {
                let mut state = self.state();
                if state.idle.remove(at).is_some() {
                    state.open -= 1;
                }
            }
        }

        #[cfg(fixed)]
        fn retire_idle(&self) {
            let mut state = self.state();
            if state.idle.len() <= self.config.min_idle {
                return;
            }
            let stale = state
                .idle
                .iter()
                .position(|idle| idle.since.elapsed() > self.config.idle_timeout);
            if let Some(at) = stale {
                if state.idle.remove(at).is_some() {
                    state.open -= 1;
                }
            }
        }
    }

    /// A connection that goes back to the pool when it is dropped.
    pub struct Lease<C: Connector> {
        pool: Arc<Pool<C>>,
        connection: Option<C::Connection>,
        id: u64,
    }

    impl<C: Connector> Lease<C> {
        pub fn id(&self) -> u64 {
            self.id
        }
    }

    impl<C: Connector> Deref for Lease<C> {
        type Target = C::Connection;

        fn deref(&self) -> &C::Connection {
            self.connection.as_ref().expect("not given back")
        }
    }

    impl<C: Connector> DerefMut for Lease<C> {
        fn deref_mut(&mut self) -> &mut C::Connection {
            self.connection.as_mut().expect("not given back")
        }
    }

    impl<C: Connector> Drop for Lease<C> {
        fn drop(&mut self) {
            if let Some(connection) = self.connection.take() {
                self.pool.give_back(connection);
            }
        }
    }
}

pub use connect::Connector;
pub use error::{PoolError, Result};
pub use pool::{Builder, Lease, Pool, Usage};
