//! Arguments of methods: small domains for the adversary, random numbers for its rivals.

use std::fmt::Debug;

use commute::Domain;

use crate::random::Random;

/// The numbers that arguments are made of: keys and values.
#[derive(Clone, Copy)]
pub(crate) struct Drawn(pub(crate) [u32; 2]);

impl Drawn {
    /// Out of so many.
    pub(crate) fn new(random: &mut Random, keys: usize) -> Drawn {
        Drawn([0; 2].map(|_| 1 + random.below(keys) as u32))
    }
}

/// What methods take.
pub(crate) trait Argument: Domain + Debug {
    /// How many numbers are in it.
    const NUMBERS: usize;

    fn made_of(drawn: Drawn) -> Self;
}

impl Argument for () {
    const NUMBERS: usize = 0;

    fn made_of(_: Drawn) {}
}

impl Argument for u32 {
    const NUMBERS: usize = 1;

    fn made_of(Drawn([number, _]): Drawn) -> u32 {
        number
    }
}

impl Argument for (u32, u32) {
    const NUMBERS: usize = 2;

    fn made_of(Drawn([one, other]): Drawn) -> (u32, u32) {
        (one, other)
    }
}
