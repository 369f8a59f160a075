//! A version was compared with one that the same region had read: of the second
//! region that says nothing.
//@ suppression: Validation
//@ finding: recompute
use std::sync::RwLock;
struct Plan {
    epoch: u64,
    steps: Vec<u32>,
}
pub struct Planner {
    plan: RwLock<Plan>,
}
impl Planner {
    pub fn recompute(&self, expected: u64) -> Result<(), u64> {
        let (epoch, steps) = {
            let plan = self.plan.read().unwrap();
            (plan.epoch, plan.steps.clone())
        };
        let longer: Vec<u32> = steps.iter().map(|step| step + 1).collect();
        let mut plan = self.plan.write().unwrap();
        #[cfg(not(fixed))]
        if epoch != expected {
            return Err(epoch);
        }
        #[cfg(fixed)]
        if epoch != plan.epoch {
            return Err(expected);
        }
        plan.steps = longer;
        plan.epoch = expected + 1;
        Ok(())
    }
}
