//! A limiter whose lock is taken by a method with a closure, twice.
//@ finding: Limiter::allow
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

type Hits = HashMap<IpAddr, Vec<Instant>>;

pub struct Limiter {
    hits: Mutex<Hits>,
    limit: usize,
    window: Duration,
}

impl Limiter {
    pub fn new(limit: usize, window: Duration) -> Limiter {
        Limiter {
            hits: Mutex::default(),
            limit,
            window,
        }
    }
    fn with<R>(&self, f: impl FnOnce(&mut Hits) -> R) -> R {
        let mut hits = self.hits.lock().unwrap_or_else(|e| e.into_inner());
        f(&mut hits)
    }
    #[cfg(not(fixed))]
    pub fn allow(&self, who: IpAddr) -> bool {
        let now = Instant::now();
        let recent = self.with(|hits| {
            let list = hits.get(&who).map(Vec::as_slice).unwrap_or_default();
            list.iter().filter(|at| now.duration_since(**at) < self.window).count()
        });
        if recent >= self.limit {
            return false;
        }
        self.with(|hits| hits.entry(who).or_default().push(now));
        true
    }
    #[cfg(fixed)]
    pub fn allow(&self, who: IpAddr) -> bool {
        let now = Instant::now();
        self.with(|hits| {
            let list = hits.entry(who).or_default();
            let recent = list.iter().filter(|at| now.duration_since(**at) < self.window).count();
            if recent >= self.limit {
                return false;
            }
            list.push(now);
            true
        })
    }
    pub fn sweep(&self) {
        let now = Instant::now();
        self.with(|hits| {
            hits.retain(|_, list| list.iter().any(|at| now.duration_since(*at) < self.window));
        });
    }
}
