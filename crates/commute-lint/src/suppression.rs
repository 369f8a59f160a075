//! What is held back, and why. Each can be switched off, so that tests can
//! show what it is good for, and that it hides no bug.

/// A reason for silence, or for a low confidence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Suppression {
    /// The second region looks again at what the first read, and that decides
    /// about the write: double-checked. A stale answer of the first only costs
    /// time.
    Recheck,
    /// The second region compares what was read with what is there now, or the
    /// versions of both. If they are equal, nothing is stale.
    Validation,
    /// What every way to the write has passed is a check, also if no way
    /// around the write is left: a loop tries again until it may go on.
    Retry,
    /// The first region writes what it read: it took a ticket, or set the mark
    /// that it looked for. What it knows is its own now.
    Claim,
    /// Another atomic operation that decides and acts at once made the section
    /// its own: what a lock does, made by hand. Lowers the confidence.
    AtomicClaim,
    /// The second operation decides and acts at once: `compare_exchange`,
    /// `entry`. The function goes by what the operation found, or by nothing:
    /// it returns neither what it saw before nor what it sees afterwards.
    Decisive,
    /// The first operation took the value out: nobody else has it any more.
    Taken,
    /// The result of the second operation is looked at:
    /// `if map.insert(key, value).is_some()`. Who came between is noticed.
    Noticed,
    /// `?` decides about an error, not about the value.
    Question,
    /// Memory behind `&mut` and no shared pointer: nobody else can have it.
    Owner,
    /// What a process made for itself, another run of it does not have.
    Private,
    /// What runs once does not come between itself.
    Once,
    /// A thread that has ended, or has not been started yet.
    Ended,
    /// An outer lock is held from the first region to the second, and the
    /// others take it, too.
    OuterLock,
    /// What the others do commutes with one of the two accesses: the
    /// specifications say so.
    Commuting,
    /// What goes to a log does not come back.
    Log,
    /// A region that has both variables is whole, whatever other regions have.
    Whole,
    /// Callers, or both sides, hold other locks all the time: they have agreed
    /// upon something. Lowers the confidence.
    Agreed,
    /// A mark that everybody sets to the same value may be set twice, if
    /// nothing else depends on it.
    Latch,
    /// The second operation does nothing where the first would have decided
    /// otherwise: `if set.contains(k) { set.remove(k); }`.
    Idle,
    /// The second operation takes back what the thread itself has added in
    /// between: it is due whatever the first has read by now.
    Undo,
    /// What the last round of a loop saw decides whether there is another, but
    /// nobody expects it to hold still. Lowers the confidence.
    Round,
    /// Atomics beside `unsafe` code: who makes locks and queues by hand keeps
    /// an order that is not in the types. Lowers the confidence.
    Unchecked,
    /// The decision lies far from the action: others were made in between.
    /// Lowers the confidence.
    Far,
    /// The two operations have keys that have nothing to do with each other.
    /// Lowers the confidence.
    OtherKey,
    /// The two are more than three calls deep. Lowers the confidence.
    Deep,
    /// An atomic mark is set under a lock: the lock decides. Lowers the
    /// confidence.
    Mark,
    /// A later read does not take the key for granted. Lowers the confidence.
    Lookup,
    /// The second variable is another one than the first, and one does not see
    /// from the function that they belong together. Lowers the confidence.
    Elsewhere,
}

impl Suppression {
    /// All of them.
    pub const ALL: [Suppression; 29] = [
        Suppression::Recheck,
        Suppression::Validation,
        Suppression::Retry,
        Suppression::Claim,
        Suppression::AtomicClaim,
        Suppression::Decisive,
        Suppression::Taken,
        Suppression::Noticed,
        Suppression::Question,
        Suppression::Owner,
        Suppression::Private,
        Suppression::Once,
        Suppression::Ended,
        Suppression::OuterLock,
        Suppression::Commuting,
        Suppression::Log,
        Suppression::Whole,
        Suppression::Agreed,
        Suppression::Latch,
        Suppression::Idle,
        Suppression::Undo,
        Suppression::Round,
        Suppression::Unchecked,
        Suppression::Far,
        Suppression::OtherKey,
        Suppression::Deep,
        Suppression::Mark,
        Suppression::Lookup,
        Suppression::Elsewhere,
    ];
}

/// Suppressions that are switched off.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct SwitchedOff(u32);

impl SwitchedOff {
    /// The same, and one more.
    pub(crate) fn and(self, suppression: Suppression) -> SwitchedOff {
        SwitchedOff(self.0 | 1 << suppression as u32)
    }

    pub(crate) fn has(self, suppression: Suppression) -> bool {
        self.0 & 1 << suppression as u32 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A variant that is not in the list would not be tested.
    #[test]
    fn all_are_listed() {
        for (number, suppression) in Suppression::ALL.iter().enumerate() {
            assert_eq!(*suppression as usize, number);
        }
        assert_eq!(Suppression::ALL.last(), Some(&Suppression::Elsewhere));
    }

    #[test]
    fn only_those_that_were_named_are_off() {
        let off = SwitchedOff::default()
            .and(Suppression::Retry)
            .and(Suppression::Elsewhere);
        let all = Suppression::ALL.into_iter().filter(|one| off.has(*one));
        assert!(all.eq([Suppression::Retry, Suppression::Elsewhere]));
    }
}
