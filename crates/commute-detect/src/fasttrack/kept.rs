//! Kept accesses of a variable that its cache line has no room for.

use super::View;
use crate::access::{Access, Kind};
use crate::settled::Settled;

/// At so many sites besides the last ones the accesses of a thread to a variable are kept.
pub const MOST_SITES: usize = 16;

/// Marks what stands for accesses that were dropped. Accesses to variables have no class.
const DROPPED: u16 = 1;

/// The kept accesses besides one write and one read.
#[derive(Clone, Debug, Default)]
pub(super) struct More {
    /// The last read of every slot, if reads of several threads matter: accesses that
    /// no other one comes after.
    reads: Vec<Access>,
    /// Accesses that the last write or one of the last reads comes after, unless the
    /// variable is open.
    others: Vec<Access>,
    /// Whether there is a write that the last write does not come after.
    pub(super) is_open: bool,
}

impl More {
    /// Whether several reads matter.
    #[inline]
    pub(super) fn is_shared(&self) -> bool {
        !self.reads.is_empty()
    }

    /// Whether the last write or the last read comes after all of these.
    #[inline]
    pub(super) fn is_below(&self) -> bool {
        !self.is_open && self.reads.is_empty()
    }

    /// Whether nothing is kept.
    pub(super) fn is_empty(&self) -> bool {
        self.others.is_empty() && self.reads.is_empty()
    }

    /// All of them, and what stands for those that were dropped.
    pub(super) fn all(&self) -> impl Iterator<Item = &Access> {
        { self.reads.iter() }.chain(&self.others)
    }

    /// Makes a read the last one of its slot; the one before, or none.
    #[inline]
    pub(super) fn swap_read(&mut self, read: Access) -> Access {
        let slot = read.epoch.slot as usize;
        if slot >= self.reads.len() {
            self.reads.resize(slot + 1, Access::NONE);
        }
        std::mem::replace(&mut self.reads[slot], read)
    }

    /// The place of an earlier access of the same thread at the same site.
    pub(super) fn at_site_of(&self, new: &Access) -> Option<usize> {
        let same = |old: &Access| old.is_at_site_of(new) && !old.is_dropped();
        self.others.iter().position(same)
    }

    /// Keeps an access in the place of another one of its thread.
    pub(super) fn replace(&mut self, place: usize, access: Access) {
        self.others[place] = access;
    }

    /// Forgets the access at a place, because there is a later one.
    pub(super) fn remove(&mut self, place: usize) {
        self.others.swap_remove(place);
    }

    /// Keeps an access. If its thread has too many, the one that is out of use the
    /// longest is dropped.
    pub(super) fn keep(&mut self, access: Access) {
        if self.others.len() >= MOST_SITES {
            self.make_room(access.epoch.slot);
        }
        self.others.push(access);
    }

    #[cold]
    fn make_room(&mut self, slot: u32) {
        let own = |old: &Access| old.epoch.slot == slot && !old.is_dropped();
        let kept = (0..self.others.len()).filter(|&place| own(&self.others[place]));
        if kept.clone().count() < MOST_SITES {
            return;
        }
        let Some(oldest) = kept.min_by_key(|&place| self.others[place].index()) else {
            return;
        };
        let dropped = self.others.swap_remove(oldest).to_class(DROPPED);
        // One stands for all writes and one for all reads of the thread: the last one,
        // which the fewest threads know.
        let is_read = |old: &Access| old.kind() == Kind::Read;
        let before = self.others.iter_mut().find(|old| {
            old.epoch.slot == slot && old.is_dropped() && is_read(old) == is_read(&dropped)
        });
        match before {
            Some(before) if before.index() < dropped.index() => *before = dropped,
            Some(_) => {}
            None => self.others.push(dropped),
        }
    }

    /// Forgets accesses that all threads know, of those that do not matter alone.
    /// Returns whether there were any.
    pub(super) fn forget(&mut self, settled: &Settled) -> bool {
        let before = self.others.len();
        self.others.retain(|old| !settled.knows(old.epoch));
        self.others.len() < before
    }

    /// The last write is a new one. Reads that it comes after do not matter any more,
    /// but are kept unless all threads know them. Returns whether one was forgotten.
    pub(super) fn written(&mut self, view: View<'_>) -> bool {
        let mut has_forgotten = false;
        for slot in 0..self.reads.len() {
            let read = self.reads[slot];
            if read.is_none() || !view.clock.knows(read.epoch) {
                continue;
            }
            self.reads[slot] = Access::NONE;
            match view.settled.knows(read.epoch) {
                true => has_forgotten = true,
                false => self.keep(read),
            }
        }
        if self.reads.iter().all(Access::is_none) {
            self.reads.clear();
        }
        has_forgotten |= self.forget(view.settled);
        let is_unknown = |old: &Access| old.kind() != Kind::Read && !view.clock.knows(old.epoch);
        self.is_open = self.others.iter().any(is_unknown);
        has_forgotten
    }
}

impl Access {
    /// Whether it stands for accesses that were dropped.
    #[inline]
    pub(super) fn is_dropped(&self) -> bool {
        self.class() == DROPPED
    }
}
