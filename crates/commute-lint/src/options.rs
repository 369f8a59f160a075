//! What is looked for.

use crate::suppression::{Suppression, SwitchedOff};

/// Which algorithm.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Algorithm {
    /// Ours: values are followed through calls with their contexts, operations
    /// conflict if they do not commute.
    #[default]
    Commute,
    /// MoTH as the paper has it: one view for each region, and no regions of
    /// atomic operations.
    Moth,
    /// MoTH with views per path and regions of atomic operations, each of which
    /// can be switched off.
    MothExtended,
    /// View consistency as Artho, Havelund and Biere have it.
    Artho,
}

impl Algorithm {
    /// All algorithms.
    pub const ALL: [Algorithm; 4] = [
        Algorithm::Commute,
        Algorithm::Moth,
        Algorithm::MothExtended,
        Algorithm::Artho,
    ];
}

/// What is looked for beyond the paper; each can be switched off to compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Views per path instead of per region; not of the published algorithms.
    pub paths: bool,
    /// Reads with a stale index or key.
    pub reads: bool,
    /// Writes in two regions of what others read in one.
    pub torn_writes: bool,
    /// Checks on one object that decide about another.
    pub other_objects: bool,
    /// `load` and `store` of one atomic; not of the published algorithms.
    pub atomics: bool,
    /// Two instances of a type are not one variable.
    pub receivers: bool,
    /// What no judgement asks for is forgotten early. It saves memory, and must
    /// not change what is found; tests compare.
    pub forget: bool,
    /// By how many threads functions are judged; if it does not say, by as many as
    /// there are processors, if that is worth it. Nor must that change what is found.
    pub judges: Option<usize>,
    /// What our algorithm does not hold back; nothing, unless a test wants to
    /// see what that would mean.
    pub off: SwitchedOff,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            algorithm: Algorithm::Commute,
            paths: true,
            reads: true,
            torn_writes: true,
            other_objects: true,
            atomics: true,
            receivers: true,
            forget: true,
            judges: None,
            off: SwitchedOff::default(),
        }
    }
}

impl Options {
    /// Returns the options of the command line for an algorithm, without flags.
    pub fn of(algorithm: Algorithm) -> Options {
        Options {
            algorithm,
            ..Options::default()
        }
    }

    /// The same, but for this reason nothing is held back.
    #[must_use]
    pub fn without(self, suppression: Suppression) -> Options {
        Options {
            off: self.off.and(suppression),
            ..self
        }
    }

    pub(crate) fn applies(&self, suppression: Suppression) -> bool {
        !self.off.has(suppression)
    }
}
