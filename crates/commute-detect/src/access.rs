//! Accesses: what a detector remembers of an event.

use commute_clock::Epoch;
use commute_model::LocationId;

use crate::locksets::LockSetId;

/// What kind of access it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `r(x)`
    Read,
    /// `w(x)`
    Write,
    /// `free(x)`
    Free,
    /// An action on a library object.
    Action,
}

/// Where the class is packed; the kind is below.
const CLASS: u32 = 2;
/// Where the index is packed: 46 bits are left, more events than fit any disk.
const INDEX: u32 = CLASS + 16;

/// An event as a detector remembers it: enough to compare it with a clock and
/// to name it in a report. Small, because there is one per variable and more.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// When, for comparison with clocks. Time 0 is no access at all.
    pub epoch: Epoch,
    /// Index in the trace, and below it the class of an access point and the
    /// kind.
    packed: u64,
    /// Where in the source code.
    pub location: LocationId,
    /// The locks held.
    pub held: LockSetId,
}

impl Access {
    /// No access.
    pub const NONE: Access = Access {
        epoch: Epoch { slot: 0, time: 0 },
        packed: 0,
        location: LocationId(0),
        held: LockSetId::EMPTY,
    };

    /// An access of this kind.
    #[inline]
    pub fn new(
        kind: Kind,
        epoch: Epoch,
        index: u64,
        location: LocationId,
        held: LockSetId,
    ) -> Access {
        Access {
            epoch,
            packed: index << INDEX | kind as u64,
            location,
            held,
        }
    }

    /// Whether there is none.
    #[inline]
    pub fn is_none(&self) -> bool {
        self.epoch.time == 0
    }

    /// The 1-based position in the trace.
    pub fn index(&self) -> u64 {
        self.packed >> INDEX
    }

    /// The same access, to a point of this class.
    #[inline]
    pub fn to_class(mut self, class: u16) -> Access {
        let others = !(u64::from(u16::MAX) << CLASS);
        self.packed = self.packed & others | u64::from(class) << CLASS;
        self
    }

    /// The class of the access point; 0 for an access to a variable.
    #[inline]
    pub fn class(&self) -> u16 {
        (self.packed >> CLASS) as u16
    }

    /// What kind of access it was.
    pub fn kind(&self) -> Kind {
        match self.packed & 3 {
            0 => Kind::Read,
            1 => Kind::Write,
            2 => Kind::Free,
            _ => Kind::Action,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_out_again() {
        let epoch = Epoch { slot: 3, time: 4 };
        for kind in [Kind::Read, Kind::Write, Kind::Free, Kind::Action] {
            let location = LocationId(5);
            let access = Access::new(kind, epoch, 1 << 40, location, LockSetId::EMPTY);
            assert_eq!((access.class(), access.kind()), (0, kind));
            let access = access.to_class(u16::MAX).to_class(258);
            assert_eq!((access.class(), access.kind()), (258, kind));
            assert_eq!(access.index(), 1 << 40);
        }
        assert_eq!(size_of::<Access>(), 24);
    }
}
