//! Data races between plain reads and writes, by FastTrack's epochs
//! (Flanagan and Freund, PLDI 2009; the baseline of RD2, §7).
//!
//! Claims: for every event, a race is reported with it as the later half iff
//! some earlier conflicting access of another thread is not ordered before it;
//! every reported pair is a race. Of the earlier halves only some are named.
//!
//! Deviations: FastTrack promises the first race per variable only. To find
//! *every* later half, a write that races does not replace the accesses it
//! raced with (they are kept until a write is ordered after them), and a read
//! in an epoch that has read before is still compared with the writes.
//! Dropping an access `a` that happens before a write `w` loses nothing: an
//! event that is not ordered after `a` is not ordered after `w` either, and `w`
//! conflicts with everything `a` conflicts with.
//!
//! Cost: constant per access; a write after reads by many threads, or after
//! races, is linear in the number of those accesses. One cache line per
//! variable.

use commute_clock::VectorClock;
use commute_model::{Id, VariableId};

use crate::access::{Access, Kind};

/// Variables per piece of memory.
const PIECE: usize = 1 << 12;

/// What is known of every variable.
#[derive(Clone, Debug, Default)]
pub struct FastTrack {
    /// Pieces of [`PIECE`] variables each, which never move: growing one large
    /// vector would copy it and need its memory twice.
    pieces: Vec<Box<[Variable]>>,
}

/// The last accesses of a variable.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct Variable {
    write: Access,
    /// The last read, if one access says it all.
    read: Access,
    more: Option<Box<More>>,
}

/// Accesses that one write and one read cannot stand for.
#[derive(Clone, Debug, Default)]
struct More {
    /// Writes that later writes raced with.
    writes: Vec<Access>,
    /// The last read of every slot, where several matter.
    reads: Vec<Access>,
}

impl Variable {
    const NEW: Variable = Variable {
        write: Access::NONE,
        read: Access::NONE,
        more: None,
    };
}

impl FastTrack {
    /// An access by a thread with this clock; calls `race` with every
    /// remembered access it races with.
    #[inline]
    pub fn access(
        &mut self,
        x: VariableId,
        access: Access,
        clock: &VectorClock,
        race: &mut dyn FnMut(Access),
    ) {
        let (piece, place) = (x.index() / PIECE, x.index() % PIECE);
        if piece >= self.pieces.len() {
            self.grow(piece);
        }
        let variable = &mut self.pieces[piece][place];
        match access.kind() {
            Kind::Read => variable.read(access, clock, race),
            _ => variable.write(access, clock, race),
        }
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
    #[inline]
    fn read(&mut self, access: Access, clock: &VectorClock, race: &mut dyn FnMut(Access)) {
        if !clock.knows(self.write.epoch) {
            race(self.write);
        }
        match &mut self.more {
            None if self.read.is_none() || clock.knows(self.read.epoch) => self.read = access,
            None => self.share(access),
            Some(more) => {
                for write in &more.writes {
                    if !clock.knows(write.epoch) {
                        race(*write);
                    }
                }
                more.read(access);
            }
        }
    }

    /// A second thread reads: from now on every slot has its own last read.
    #[cold]
    fn share(&mut self, access: Access) {
        let mut more = More::default();
        more.read(self.read);
        more.read(access);
        self.read = Access::NONE;
        self.more = Some(Box::new(more));
    }

    #[inline]
    fn write(&mut self, access: Access, clock: &VectorClock, race: &mut dyn FnMut(Access)) {
        let known = clock.knows(self.write.epoch) && clock.knows(self.read.epoch);
        if known && self.more.is_none() {
            self.write = access;
            self.read = Access::NONE;
        } else {
            self.write_slow(access, clock, race);
        }
    }

    #[cold]
    fn write_slow(&mut self, access: Access, clock: &VectorClock, race: &mut dyn FnMut(Access)) {
        let mut more = self.more.take().unwrap_or_default();
        more.writes.push(self.write);
        if !self.read.is_none() {
            more.read(self.read);
        }
        more.writes.retain(|write| !clock.knows(write.epoch));
        for read in &mut more.reads {
            if clock.knows(read.epoch) {
                *read = Access::NONE;
            }
        }
        let reads = more.reads.iter().filter(|read| !read.is_none());
        more.writes.iter().chain(reads).for_each(|old| race(*old));
        self.write = access;
        self.read = Access::NONE;
        let empty = more.writes.is_empty() && more.reads.iter().all(Access::is_none);
        self.more = (!empty).then_some(more);
    }
}

impl More {
    #[inline]
    fn read(&mut self, access: Access) {
        let slot = access.epoch.slot as usize;
        if slot >= self.reads.len() {
            self.reads.resize(slot + 1, Access::NONE);
        }
        self.reads[slot] = access;
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
