//! Data races between plain reads and writes, by FastTrack's epochs
//! (Flanagan and Freund, PLDI 2009; the baseline of RD2, §7).
//!
//! Claims: for every event, a race is reported with it as the later half iff
//! some earlier conflicting access of another thread is not ordered before it;
//! every reported pair is a race. Of the earlier halves the last of each thread at
//! each site (a location and a kind of access) is reported, so every pair of sites
//! that races is, as long as [`FastTrack::unlisted`] is 0.
//!
//! Definition: *kept* are the last accesses of every thread at every site. An event
//! races with a thread's access at a site iff it races with the last one there,
//! because that comes later in the thread. Accesses that every thread knows are
//! forgotten ([`Settled`]): none of these threads, and none that they fork, can race
//! with them.
//!
//! Deviations: FastTrack promises the first race per variable only, and compares with
//! one write and the last reads. We compare with these, too: all kept accesses happen
//! before one of them, unless the variable is *open* (a write raced). If one of them
//! is not ordered before an event, or the variable is open, all kept accesses
//! are compared. So accesses at several sites cost nothing but their memory until
//! there is a race. A read in an epoch that has read before is compared like any other.
//!
//! Cost: constant per access if no race is found and each thread has one site; else
//! linear in the kept accesses of the variable, [`MOST_SITES`] per thread at most. One
//! cache line per variable, and a list for those that need it.
//!
//! Gaps: of more than [`MOST_SITES`] sites the one used longest ago is dropped, and a
//! thread that was not forked may race with accesses that were forgotten before it
//! began. Races that are lost in this way, between other places than those that are
//! reported of the same event, are counted as unlisted.

mod kept;

use commute_clock::VectorClock;
use commute_model::{Id, VariableId};

use crate::access::{Access, Kind};
use crate::settled::Settled;
use kept::More;

pub use kept::MOST_SITES;

/// Variables per piece of memory.
const PIECE: usize = 1 << 12;

/// What is known of every variable.
#[derive(Clone, Debug, Default)]
pub struct FastTrack {
    /// Pieces of [`PIECE`] variables each, which never move: growing one large
    /// vector would copy it and need its memory twice.
    pieces: Vec<Box<[Variable]>>,
    unlisted: u64,
}

/// What threads know when an access is checked.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// What the thread of the access knows.
    pub clock: &'a VectorClock,
    /// What all threads know.
    pub settled: &'a Settled,
}

/// The kept accesses of a variable.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct Variable {
    /// The last write.
    write: Access,
    /// The last read, unless reads of several threads matter.
    read: Access,
    more: Option<Box<More>>,
    /// Whether an access was forgotten that every thread knew.
    has_forgotten: bool,
}

impl Variable {
    const NEW: Variable = Variable {
        write: Access::NONE,
        read: Access::NONE,
        more: None,
        has_forgotten: false,
    };
}

impl FastTrack {
    /// An access by a thread; calls `race` with every kept access it races with, in
    /// the order of the trace.
    #[inline]
    pub fn access(
        &mut self,
        x: VariableId,
        access: Access,
        view: View<'_>,
        race: &mut dyn FnMut(Access),
    ) {
        let (piece, place) = (x.index() / PIECE, x.index() % PIECE);
        if piece >= self.pieces.len() {
            self.grow(piece);
        }
        let variable = &mut self.pieces[piece][place];
        self.unlisted += match access.kind() {
            Kind::Read => variable.read(access, view, race),
            _ => variable.write(access, view, race),
        };
    }

    /// How often an event raced with an access at a site that was not kept.
    pub fn unlisted(&self) -> u64 {
        self.unlisted
    }

    /// `alloc(x)`: a new variable of the same name.
    pub fn forget(&mut self, x: VariableId) {
        if let Some(piece) = self.pieces.get_mut(x.index() / PIECE) {
            piece[x.index() % PIECE] = Variable::NEW;
        }
    }

    #[cold]
    fn grow(&mut self, piece: usize) {
        let new = || vec![Variable::NEW; PIECE].into_boxed_slice();
        self.pieces.resize_with(piece + 1, new);
    }

    /// Brings the variables into the cache, all at once: misses that do not
    /// depend on each other overlap. The result means nothing.
    #[inline]
    pub fn touch(&self, variables: impl Iterator<Item = VariableId>) -> u32 {
        variables
            .filter_map(|x| self.pieces.get(x.index() / PIECE)?.get(x.index() % PIECE))
            .fold(0, |sum, variable| sum ^ variable.write.epoch.time)
    }

    /// Whether there are so many variables that the cache cannot hold them and
    /// looking them up in advance pays.
    pub fn is_large(&self) -> bool {
        self.pieces.len() > 4
    }
}

impl Variable {
    /// Checks and keeps a read. Returns how many races are unlisted.
    #[inline]
    fn read(&mut self, new: Access, view: View<'_>, race: &mut dyn FnMut(Access)) -> u64 {
        if let Some(more) = &mut self.more {
            // Most reads of what many threads read change one of the last reads.
            if more.is_shared() && !more.is_open && view.clock.knows(self.write.epoch) {
                let old = more.swap_read(new);
                if !old.is_at_site_of(&new) {
                    self.displace(old, &new, view);
                }
                return 0;
            }
            return self.read_slow(new, view, race);
        }
        if !(view.clock.knows(self.write.epoch) && view.clock.knows(self.read.epoch)) {
            return self.read_slow(new, view, race);
        }
        let old = std::mem::replace(&mut self.read, new);
        self.displace_alone(old, &new, view);
        0
    }

    #[cold]
    fn read_slow(&mut self, new: Access, view: View<'_>, race: &mut dyn FnMut(Access)) -> u64 {
        let mut unlisted = 0;
        let is_open = self.more.as_ref().is_some_and(|more| more.is_open);
        if is_open || !view.clock.knows(self.write.epoch) {
            unlisted = self.report(&new, view, race);
        }
        let is_shared = self.more.as_ref().is_some_and(|more| more.is_shared());
        let old = if is_shared || !view.clock.knows(self.read.epoch) {
            // From now on every thread has its own last read.
            let more = self.more.get_or_insert_default();
            let first = std::mem::replace(&mut self.read, Access::NONE);
            if !first.is_none() {
                more.swap_read(first);
            }
            more.swap_read(new)
        } else {
            std::mem::replace(&mut self.read, new)
        };
        self.displace(old, &new, view);
        unlisted
    }

    /// Checks and keeps a write or a free. Returns how many races are unlisted.
    #[inline]
    fn write(&mut self, new: Access, view: View<'_>, race: &mut dyn FnMut(Access)) -> u64 {
        let known = view.clock.knows(self.write.epoch) && view.clock.knows(self.read.epoch);
        if !known || self.more.is_some() {
            return self.write_slow(new, view, race);
        }
        let old = std::mem::replace(&mut self.write, new);
        self.displace_alone(old, &new, view);
        0
    }

    #[cold]
    fn write_slow(&mut self, new: Access, view: View<'_>, race: &mut dyn FnMut(Access)) -> u64 {
        let known = view.clock.knows(self.write.epoch) && view.clock.knows(self.read.epoch);
        let mut unlisted = 0;
        if !known || self.more.as_ref().is_some_and(|more| !more.is_below()) {
            unlisted = self.report(&new, view, race);
        }
        let old = std::mem::replace(&mut self.write, new);
        self.displace(old, &new, view);
        if let Some(more) = &mut self.more {
            self.has_forgotten |= more.written(view);
            if more.is_empty() {
                self.more = None;
            }
        }
        unlisted
    }

    /// The same as [`displace`](Self::displace) where one write and one read are all that
    /// is kept.
    #[inline]
    fn displace_alone(&mut self, old: Access, new: &Access, view: View<'_>) {
        let is_same = old.epoch.slot == new.epoch.slot && old.location == new.location;
        if is_same && old.kind() == new.kind() {
            return;
        }
        if view.settled.knows(old.epoch) {
            self.has_forgotten |= !old.is_none();
        } else {
            self.displace_slow(Some(old), new, view);
        }
    }

    /// Keeps `old`, which `new` has displaced, if it is at another site and some thread
    /// does not know it.
    fn displace(&mut self, old: Access, new: &Access, view: View<'_>) {
        if old.is_at_site_of(new) {
            return;
        }
        let is_settled = view.settled.knows(old.epoch);
        self.has_forgotten |= is_settled && !old.is_none();
        if !is_settled || self.more.is_some() {
            self.displace_slow((!is_settled).then_some(old), new, view);
        }
    }

    #[cold]
    fn displace_slow(&mut self, old: Option<Access>, new: &Access, view: View<'_>) {
        let more = self.more.get_or_insert_default();
        let same = more.at_site_of(new);
        if let (Some(old), Some(same)) = (&old, same) {
            more.replace(same, *old);
            return;
        }
        if let Some(same) = same {
            more.remove(same);
        }
        self.has_forgotten |= more.forget(view.settled);
        if let Some(old) = old {
            more.keep(old);
        }
        if more.is_empty() {
            self.more = None;
        }
    }

    /// Calls `race` with the kept accesses that an access races with. Returns how many
    /// races are unlisted.
    #[cold]
    fn report(&self, new: &Access, view: View<'_>, race: &mut dyn FnMut(Access)) -> u64 {
        let more = self.more.iter().flat_map(|more| more.all());
        let kept = [&self.write, &self.read].into_iter().chain(more);
        let racing = kept.filter(|old| old.conflicts(new) && !view.clock.knows(old.epoch));
        let (mut found, mut unlisted): (Vec<Access>, u64) = (Vec::new(), 0);
        for old in racing {
            if old.is_dropped() {
                unlisted += 1;
            } else {
                found.push(*old);
            }
        }
        found.sort_unstable_by_key(Access::index);
        let is_late = self.has_forgotten && !view.settled.is_known_to(view.clock);
        unlisted += u64::from(is_late && !found.is_empty());
        found.into_iter().for_each(race);
        unlisted
    }
}

impl Access {
    /// Whether two accesses of a variable are of the same thread (or of threads that
    /// share a slot), at the same place and of the same kind.
    #[inline]
    fn is_at_site_of(&self, other: &Access) -> bool {
        (self.epoch.slot, self.location) == (other.epoch.slot, other.location)
            && self.kind() == other.kind()
            && !self.is_none()
    }

    /// Whether one of the two is not a read. No access conflicts with nothing.
    fn conflicts(&self, other: &Access) -> bool {
        self.kind() != Kind::Read || other.kind() != Kind::Read
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_is_one_cache_line() {
        assert_eq!(size_of::<Variable>(), 64);
    }
}
