//! On which reads a value depends, and how.

/// The value was computed from what was read.
pub(crate) const DATA: u8 = 1;
/// A branch on what was read decided which value it is.
pub(crate) const IMPLICIT: u8 = 2;
/// As [`DATA`], but on the way it was in shared memory, where others could
/// have replaced it; definitions of staleness differ on whether that counts.
pub(crate) const DATA_SHARED: u8 = 4;
/// As [`IMPLICIT`], but on the way it was in shared memory.
pub(crate) const IMPLICIT_SHARED: u8 = 8;
/// As [`DATA`], but on the way it was in memory of the region that read it,
/// where nobody could have replaced it.
pub(crate) const DATA_OWN: u8 = 16;
/// As [`IMPLICIT`], but on the way it was in memory of its own region.
pub(crate) const IMPLICIT_OWN: u8 = 32;
/// It is the result of an operation that got the value: what was there before,
/// which does not depend on it.
pub(crate) const ARGUMENT: u8 = 64;
/// As [`IMPLICIT`], but of such a result.
pub(crate) const ARGUMENT_IMPLICIT: u8 = 128;

/// The reads that a value depends on: by their numbers, the ways it does.
#[derive(Clone, Default, Debug)]
pub(crate) struct Taint(Vec<u8>);

impl Taint {
    pub(crate) fn of(read: usize, way: u8) -> Taint {
        let mut ways = vec![0; read + 1];
        ways[read] = way;
        Taint(ways)
    }

    pub(crate) fn add(&mut self, other: &Taint) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (to, ways) in self.0.iter_mut().zip(&other.0) {
            *to |= ways;
        }
    }

    fn map(&self, to: impl Fn(u8) -> u8) -> Taint {
        Taint(self.0.iter().map(|ways| to(*ways)).collect())
    }

    /// What a value depends on that was chosen by a branch on this one.
    pub(crate) fn implicit(&self) -> Taint {
        let data = DATA | DATA_SHARED | DATA_OWN | ARGUMENT;
        self.map(|ways| (ways & data) << 1 | ways & !data)
    }

    /// What a value depends on that is found in shared memory.
    pub(crate) fn shared(&self) -> Taint {
        let stays = DATA_SHARED | IMPLICIT_SHARED | ARGUMENT | ARGUMENT_IMPLICIT;
        self.map(|ways| {
            (ways & (DATA | IMPLICIT)) << 2 | (ways & (DATA_OWN | IMPLICIT_OWN)) >> 2 | ways & stays
        })
    }

    /// What a value depends on that the same region wrote before.
    pub(crate) fn own(&self) -> Taint {
        let moves = DATA | IMPLICIT;
        self.map(|ways| (ways & moves) << 4 | ways & !moves)
    }

    /// What the result of an operation would depend on, if it depended on this
    /// argument.
    pub(crate) fn argument(&self) -> Taint {
        self.map(|ways| if ways == 0 { 0 } else { ARGUMENT })
    }

    pub(crate) fn ways(&self, read: usize) -> u8 {
        self.0.get(read).copied().unwrap_or(0)
    }

    pub(crate) fn reads(&self) -> impl Iterator<Item = usize> {
        let ways = self.0.iter().enumerate();
        ways.filter(|(_, ways)| **ways != 0).map(|(read, _)| read)
    }
}
