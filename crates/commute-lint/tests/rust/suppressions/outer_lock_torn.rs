//! Two reads under one outer lock are whole if who writes has it, too.
//@ suppression: OuterLock
//@ finding: ratio
use std::sync::Mutex;
struct Votes {
    yes: u64,
    all: u64,
}
pub struct Ballot {
    gate: Mutex<()>,
    votes: Mutex<Votes>,
}
impl Ballot {
    pub fn vote(&self, yes: u64) {
        #[cfg(fixed)]
        let _gate = self.gate.lock().unwrap();
        let mut votes = self.votes.lock().unwrap();
        votes.yes += yes;
        votes.all += 1;
    }
    pub fn ratio(&self) -> u64 {
        let _gate = self.gate.lock().unwrap();
        let yes = self.votes.lock().unwrap().yes;
        let all = self.votes.lock().unwrap().all;
        100 * yes / all.max(1)
    }
}
