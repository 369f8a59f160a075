//! What a thread is in: locks, atomic blocks, a wait; as slices that are nested.

use std::collections::BTreeMap;

use commute_model::{BlockId, CondvarId, LockId, Op};

/// Deeper ones are not drawn. Who releases the outermost of many locks first would make
/// all others go on in new slices.
const DEEPEST: usize = 64;

/// What a thread is in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Region {
    /// A lock, and whether it is shared.
    Lock(LockId, bool),
    Block(Option<BlockId>),
    /// A wait, the lock that it gave back, and how often that was held.
    Wait(CondvarId, LockId, u32),
}

/// A slice begins or ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Change {
    Open {
        region: Region,
        /// Whether it is one that was cut.
        goes_on: bool,
    },
    Close(Region),
}

/// What a thread is in now, the outermost first.
#[derive(Clone, Debug, Default)]
pub(super) struct Regions {
    open: Vec<Region>,
    /// How many of each are too deep.
    deeper: BTreeMap<Region, u32>,
}

type Changes = Vec<Change>;

impl Regions {
    /// What begins before an event, and what ends after it.
    pub(super) fn step(&mut self, op: &Op) -> (Changes, Changes) {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        match *op {
            Op::Acquire(l) => self.enter(Region::Lock(l, false), &mut before),
            Op::ReadAcquire(l) => self.enter(Region::Lock(l, true), &mut before),
            Op::Begin(b) => self.enter(Region::Block(b), &mut before),
            Op::Release(l) => self.leave(Region::Lock(l, false), &mut after),
            Op::ReadRelease(l) => self.leave(Region::Lock(l, true), &mut after),
            Op::End(_) => {
                let is_block = |region: &Region| matches!(region, Region::Block(_));
                match self.deeper.keys().rev().find(|region| is_block(region)) {
                    Some(&region) => self.leave(region, &mut after),
                    None => self.leave_last(is_block, &mut after),
                }
            }
            Op::Wait(c, l) => {
                let lock = Region::Lock(l, false);
                // However often it is held, it is given back.
                let held = self.open.iter().filter(|region| **region == lock).count();
                let held = held as u32 + self.deeper.remove(&lock).unwrap_or_default();
                if let Some(outermost) = self.open.iter().position(|region| *region == lock) {
                    self.leave_from(outermost, |region| *region == lock, &mut after);
                }
                self.enter(Region::Wait(c, l, held.max(1)), &mut after);
            }
            Op::Wake(c, l) => {
                let mut times = 1;
                let wait = |region: &&Region| matches!(region, Region::Wait(d, m, _) if (*d, *m) == (c, l));
                let found = { self.open.iter().rev().find(wait) }.or(self.deeper.keys().find(wait));
                if let Some(&region) = found {
                    if let Region::Wait(.., held) = region {
                        times = held;
                    }
                    self.leave(region, &mut before);
                }
                for _ in 0..times {
                    self.enter(Region::Lock(l, false), &mut before);
                }
            }
            _ => {}
        }
        (before, after)
    }

    /// All that is open ends.
    pub(super) fn close_all(&mut self) -> Changes {
        let open = std::mem::take(&mut self.open);
        open.into_iter().rev().map(Change::Close).collect()
    }

    fn enter(&mut self, region: Region, changes: &mut Changes) {
        if self.open.len() >= DEEPEST {
            *self.deeper.entry(region).or_default() += 1;
            return;
        }
        self.open.push(region);
        let goes_on = false;
        changes.push(Change::Open { region, goes_on });
    }

    /// The innermost of these ends. One that never began is none.
    fn leave(&mut self, region: Region, changes: &mut Changes) {
        match self.deeper.get_mut(&region) {
            Some(1) => {
                self.deeper.remove(&region);
            }
            Some(count) => *count -= 1,
            None => self.leave_last(|open| *open == region, changes),
        }
    }

    fn leave_last(&mut self, is_it: impl Fn(&Region) -> bool, changes: &mut Changes) {
        if let Some(place) = self.open.iter().rposition(is_it) {
            let ended = self.open[place];
            self.leave_from(place, |region| *region == ended, changes);
        }
    }

    /// From this one on, these end. What is inside ends with them, and what of it does not
    /// end goes on in new slices: first all that ends, then all that begins, because each
    /// of the two has a moment of its own.
    fn leave_from(&mut self, place: usize, ends: impl Fn(&Region) -> bool, changes: &mut Changes) {
        let inside = self.open.split_off(place);
        changes.extend(inside.iter().rev().map(|region| Change::Close(*region)));
        let stay = inside.into_iter().filter(|region| !ends(region));
        for region in stay {
            let goes_on = true;
            changes.push(Change::Open { region, goes_on });
            self.open.push(region);
        }
    }
}

#[cfg(test)]
mod tests {
    use commute_model::{BlockId, CondvarId, LockId, Op};

    use super::*;

    /// Any order of operations gives slices that are nested, and at each moment what ends
    /// does so before something begins.
    #[test]
    fn slices_are_nested_whatever_a_thread_does() {
        let mut state = 1_u64;
        let mut random = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % below
        };
        for _ in 0..2_000 {
            let (mut regions, mut open) = (Regions::default(), Vec::new());
            for _ in 0..16 {
                let lock = LockId(random(2) as u32);
                let op = match random(6) {
                    0 | 1 => Op::Acquire(lock),
                    2 => Op::Release(lock),
                    3 => Op::Begin(Some(BlockId(random(2) as u32))),
                    4 => Op::End(None),
                    _ if random(2) == 0 => Op::Wait(CondvarId(0), lock),
                    _ => Op::Wake(CondvarId(0), lock),
                };
                let (before, after) = regions.step(&op);
                for changes in [before, after] {
                    let begins = |change: &Change| matches!(change, Change::Open { .. });
                    assert!(changes.is_sorted_by_key(begins), "{op:?}: {changes:?}");
                    for change in changes {
                        match change {
                            Change::Open { region, .. } => open.push(region),
                            Change::Close(region) => assert_eq!(open.pop(), Some(region)),
                        }
                    }
                }
                assert_eq!(open, regions.open);
            }
        }
    }

    #[test]
    fn a_lock_that_is_held_twice_is_given_back_at_once() {
        let lock = Op::Acquire(LockId(0));
        let mut regions = Regions::default();
        for op in [&lock, &Op::Begin(None), &lock] {
            regions.step(op);
        }
        let (_, after) = regions.step(&Op::Wait(CondvarId(0), LockId(0)));
        let closed = after.iter().filter(|c| matches!(c, Change::Close(_)));
        assert_eq!((closed.count(), after.len()), (3, 5));
        assert_eq!(regions.open.len(), 2, "the block and the wait");
        regions.step(&Op::Wake(CondvarId(0), LockId(0)));
        assert_eq!(regions.open.len(), 3, "the block, and the lock twice");
    }
}
