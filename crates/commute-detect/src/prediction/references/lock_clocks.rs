//! Release times by lock: L_{m,x} of the thesis for one x.

use commute_clock::VectorClock;
use commute_model::LockId;

use super::threads::Section;

/// The join of the release times of some sections of each lock.
#[derive(Clone, Debug, Default)]
pub(super) struct LockClocks {
    clocks: Vec<(LockId, bool, VectorClock)>,
}

impl LockClocks {
    /// A section ends at `clock`.
    pub(super) fn add(&mut self, section: &Section, clock: &VectorClock) {
        let (lock, exclusive) = (section.lock, section.exclusive);
        let mut known = self.clocks.iter_mut();
        match known.find(|known| (known.0, known.1) == (lock, exclusive)) {
            Some((_, _, joined)) => joined.join(clock),
            None => self.clocks.push((lock, exclusive, clock.clone())),
        }
    }

    /// Adds to `learned` what somebody in the open section `inside` comes after:
    /// the sections of the same lock, but two shared ones do not exclude each
    /// other.
    pub(super) fn learn(&self, inside: &Section, learned: &mut VectorClock) {
        for (lock, exclusive, clock) in &self.clocks {
            if *lock == inside.lock && (*exclusive || inside.exclusive) {
                learned.join(clock);
            }
        }
    }
}
