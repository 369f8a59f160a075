//! Attempts are counted by `get` and `insert`.
//@ finding: Lockout::failed
use dashmap::DashMap;

#[derive(Clone, Copy, Default)]
pub struct Attempts {
    count: u32,
    last: u64,
}

#[derive(Default)]
pub struct Lockout {
    attempts: DashMap<String, Attempts>,
    maximum: u32,
}

impl Lockout {
    pub fn succeeded(&self, user: &str) {
        self.attempts.remove(user);
    }
    pub fn is_locked(&self, user: &str, now: u64) -> bool {
        self.attempts
            .get(user)
            .is_some_and(|a| a.count >= self.maximum && now - a.last < 60)
    }
    #[cfg(not(fixed))]
    pub fn failed(&self, user: &str, now: u64) -> u32 {
        let before = self.attempts.get(user).map(|a| *a).unwrap_or_default();
        let count = if now - before.last > 3600 { 1 } else { before.count + 1 };
        self.attempts.insert(user.to_owned(), Attempts { count, last: now });
        count
    }
    #[cfg(fixed)]
    pub fn failed(&self, user: &str, now: u64) -> u32 {
        let mut attempts = self.attempts.entry(user.to_owned()).or_default();
        attempts.count = if now - attempts.last > 3600 { 1 } else { attempts.count + 1 };
        attempts.last = now;
        attempts.count
    }
}
