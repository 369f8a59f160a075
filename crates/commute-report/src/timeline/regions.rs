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
                while self.open.contains(&lock) {
                    self.leave_last(|region| *region == lock, &mut after);
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
        let Some(place) = self.open.iter().rposition(is_it) else {
            return;
        };
        let inside = self.open.split_off(place + 1);
        let ended = self.open.pop();
        let closed = ended.iter().chain(&inside).rev();
        changes.extend(closed.map(|region| Change::Close(*region)));
        changes.extend(inside.iter().map(|&region| Change::Open {
            region,
            goes_on: true,
        }));
        self.open.extend(inside);
    }
}
