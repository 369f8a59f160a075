//! Limits are kept in memory or in a file, behind one object. A request is
//! let through if its count is below the limit, and then counted: a burst
//! passes. Counting now says what the count is.
//@ finding: Guarded::allow
use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex as StdMutex};
use tokio::sync::RwLock;

type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

pub trait Counts: Send + Sync {
    fn count<'a>(&'a self, user: &'a str) -> Boxed<'a, u32>;
    fn increment<'a>(&'a self, user: &'a str) -> Boxed<'a, u32>;
}

#[derive(Default)]
pub struct Memory {
    counts: RwLock<HashMap<String, u32>>,
}

#[derive(Default)]
pub struct File {
    lines: StdMutex<Vec<(String, u32)>>,
}

impl Counts for Memory {
    fn count<'a>(&'a self, user: &'a str) -> Boxed<'a, u32> {
        Box::pin(async move { *self.counts.read().await.get(user).unwrap_or(&0) })
    }

    fn increment<'a>(&'a self, user: &'a str) -> Boxed<'a, u32> {
        Box::pin(async move {
            let mut counts = self.counts.write().await;
            let count = counts.entry(user.to_owned()).or_insert(0);
            *count += 1;
            *count
        })
    }
}

impl Counts for File {
    fn count<'a>(&'a self, user: &'a str) -> Boxed<'a, u32> {
        Box::pin(async move {
            tokio::task::yield_now().await;
            let lines = self.lines.lock().unwrap();
            let line = lines.iter().find(|(name, _)| name == user);
            line.map_or(0, |(_, count)| *count)
        })
    }

    fn increment<'a>(&'a self, user: &'a str) -> Boxed<'a, u32> {
        Box::pin(async move {
            tokio::task::yield_now().await;
            let mut lines = self.lines.lock().unwrap();
            lines.push((user.to_owned(), 1));
            lines.len() as u32
        })
    }
}

pub struct Guarded {
    counts: Box<dyn Counts>,
    limit: u32,
}

impl Guarded {
    #[cfg(not(fixed))]
    pub async fn allow(&self, user: &str) -> bool {
        if self.counts.count(user).await >= self.limit {
            return false;
        }
        self.counts.increment(user).await;
        true
    }

    #[cfg(fixed)]
    pub async fn allow(&self, user: &str) -> bool {
        self.counts.increment(user).await <= self.limit
    }
}

pub fn open(memory: bool) -> Arc<Guarded> {
    let counts: Box<dyn Counts> = match memory {
        true => Box::new(Memory::default()),
        false => Box::new(File::default()),
    };
    Arc::new(Guarded { counts, limit: 10 })
}
