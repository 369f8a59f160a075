//! Both sides of a friendship, looked up and changed one after the other.
//@ finding: Friends::accept
use dashmap::{DashMap, DashSet};

#[derive(Default)]
pub struct Friends {
    pending: DashMap<(u32, u32), u64>,
    friends: DashMap<u32, Vec<u32>>,
}

impl Friends {
    pub fn ask(&self, from: u32, to: u32, at: u64) {
        self.pending.insert((from, to), at);
    }
    pub fn withdraw(&self, from: u32, to: u32) {
        self.pending.remove(&(from, to));
    }
    fn add(&self, a: u32, b: u32) {
        self.friends.entry(a).or_default().push(b);
    }
    #[cfg(not(fixed))]
    pub fn accept(&self, from: u32, to: u32, now: u64) -> bool {
        let asked = match self.pending.get(&(from, to)) {
            Some(at) => *at,
            None => return false,
        };
        let fresh = now - asked < 86_400;
        if fresh {
            self.add(from, to);
            self.add(to, from);
        }
        self.pending.remove(&(from, to));
        fresh
    }
    #[cfg(fixed)]
    pub fn accept(&self, from: u32, to: u32, now: u64) -> bool {
        let Some((_, asked)) = self.pending.remove(&(from, to)) else {
            return false;
        };
        let fresh = now - asked < 86_400;
        if fresh {
            self.add(from, to);
            self.add(to, from);
        }
        fresh
    }
}
