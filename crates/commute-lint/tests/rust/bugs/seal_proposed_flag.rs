//! Two authorities' threads both propose a block in one step.
//@ finding: AuthorityRound::generate_seal
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
pub enum Seal {
    Regular(Vec<u8>),
    None,
}
struct Step {
    inner: AtomicUsize,
}
impl Step {
    fn load(&self) -> usize {
        self.inner.load(Ordering::SeqCst)
    }
    fn increment(&self) {
        self.inner.fetch_add(1, Ordering::SeqCst);
    }
}
pub struct AuthorityRound {
    step: Step,
    proposed: AtomicBool,
}
impl AuthorityRound {
    fn is_step_proposer(&self, step: usize) -> bool {
        step % 3 == 0
    }
    pub fn step(&self) {
        self.step.increment();
        self.proposed.store(false, Ordering::SeqCst);
    }
    #[cfg(not(fixed))]
    pub fn generate_seal(&self) -> Seal {
        if self.proposed.load(Ordering::SeqCst) {
            return Seal::None;
        }
        let step = self.step.load();
        if self.is_step_proposer(step) {
            self.proposed.store(true, Ordering::SeqCst);
            return Seal::Regular(vec![step as u8]);
        }
        Seal::None
    }
    #[cfg(fixed)]
    pub fn generate_seal(&self) -> Seal {
        if self.proposed.load(Ordering::SeqCst) {
            return Seal::None;
        }
        let step = self.step.load();
        if self.is_step_proposer(step) {
            if self
                .proposed
                .compare_exchange(false, true, Ordering::SeqCst, Ordering::SeqCst)
                .is_ok()
            {
                return Seal::Regular(vec![step as u8]);
            }
        }
        Seal::None
    }
}
