//! Names for addresses, which differ from run to run.
//!
//! A thread knows an address by the name that it has got with it: as the result of an
//! operation, or from whoever started the thread. An address that it has not got is new
//! to it, and named by the place where it is first passed on. Gaps: a thread that gets an
//! address in another way (in what a mutex protects) gives it a second name; then a
//! comparison fails in the model that does not really, which is noticed. Memory that is
//! freed and made anew in the same place keeps its name for who knew it, but only in runs
//! in which it is in the same place: such a test may be inconclusive.

use rustc_hash::FxHashMap;

/// What a thread calls the addresses that it knows. Null is always 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Pointers {
    names: FxHashMap<usize, i128>,
}

impl Pointers {
    /// Whether an address has this name; an address that is new gets it.
    pub(super) fn is(&mut self, address: usize, name: i128) -> bool {
        match (address, name) {
            (0, name) => name == 0,
            (_, 0) => false,
            _ => *self.names.entry(address).or_insert(name) == name,
        }
    }

    /// The name of an address that is passed on at a place.
    pub(super) fn name(&mut self, address: usize, place: u64) -> i128 {
        if address == 0 {
            return 0;
        }
        let before = self.names.len() as i128;
        let new = || (i128::from(place) << 16 | (before & 0xFFFF)) + 1;
        *self.names.entry(address).or_insert_with(new)
    }

    /// An operation has returned an address, which its model calls that.
    pub(super) fn learn(&mut self, address: usize, name: i128) {
        if address != 0 {
            self.names.insert(address, name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_the_name_that_it_came_with() {
        let mut mine = Pointers::default();
        let first = mine.name(100, 7);
        assert_eq!(mine.name(100, 8), first);
        assert_ne!(mine.name(200, 7), first);
        assert!(mine.is(100, first) && !mine.is(200, first));
        // The same program in another run, elsewhere in memory.
        let mut again = Pointers::default();
        assert!(again.is(900, first));
        assert!(again.is(0, 0) && !again.is(0, first) && !again.is(300, 0));
        // What is freed and made anew by others has the name that they gave it.
        again.learn(900, 5);
        assert!(again.is(900, 5));
    }
}
