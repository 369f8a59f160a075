//! What a random test does once, what it sees, and whether that can be explained.

use crate::arguments::Drawn;
use crate::described::Described;
use crate::random::Random;

/// Operations of others in a history at most: as many as the adversary makes, if nobody
/// says how many.
const OPERATIONS: usize = 2;

/// What is called, by its index, and with what.
#[derive(Clone, Copy)]
pub(crate) struct Call {
    pub(crate) of: usize,
    pub(crate) drawn: Drawn,
}

/// What is done in a history.
pub(crate) struct Plan {
    beginning: Option<Call>,
    pub(crate) method: Drawn,
    /// What others do, in order.
    pub(crate) others: Vec<Call>,
}

/// What can be told of a history.
pub(crate) struct Told {
    pub(crate) method: String,
    pub(crate) others: Vec<String>,
    /// So many of the others began before the method had returned.
    pub(crate) in_time: usize,
}

impl Plan {
    /// With numbers out of so many.
    pub(crate) fn new<T>(described: &Described<T>, random: &mut Random, keys: usize) -> Plan {
        let begins = random.below(1 + described.beginnings.len());
        let beginning = begins.checked_sub(1).map(|of| Call {
            of,
            drawn: Drawn::new(random, keys),
        });
        let operations = 1 + random.below(OPERATIONS);
        let other = |_| Call {
            of: random.below(described.others()),
            drawn: Drawn::new(random, keys),
        };
        let others = (0..operations).map(other).collect();
        Plan {
            beginning,
            method: Drawn::new(random, keys),
            others,
        }
    }

    pub(crate) fn begin<T: Default>(&self, described: &Described<T>) -> T {
        let object = T::default();
        if let Some(call) = &self.beginning {
            described.beginnings[call.of].call(&object, call.drawn);
        }
        object
    }

    /// What is to be seen in the end. It is looked at with all numbers of the history, since
    /// nothing else can have changed.
    pub(crate) fn seen<T>(&self, described: &Described<T>, object: &T) -> Vec<String> {
        let calls = self.others.iter().chain(&self.beginning);
        let drawn = calls.map(|call| call.drawn).chain([self.method]);
        let mut numbers: Vec<u32> = drawn.flat_map(|Drawn(numbers)| numbers).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut seen = Vec::new();
        for observer in &described.observers {
            let times = match observer.numbers {
                0 => 1,
                _ => numbers.len(),
            };
            let looks = numbers[..times].iter();
            seen.extend(looks.map(|n| observer.call(object, Drawn([*n; 2]))));
        }
        seen
    }

    /// Whether all is as if the method had been run as a whole somewhere between the
    /// operations of the others.
    pub(crate) fn explains<T: Default>(
        &self,
        described: &Described<T>,
        told: &Told,
        seen: &[String],
    ) -> bool {
        let is_as_told = |gap: usize| {
            let object = self.begin(described);
            let returns = |index: usize| {
                let Call { of, drawn } = self.others[index];
                described.other(of).call(&object, drawn) == told.others[index]
            };
            (0..gap).all(returns)
                && described.its_method().call(&object, self.method) == told.method
                && (gap..self.others.len()).all(returns)
                && self.seen(described, &object) == seen
        };
        (0..=told.in_time).any(is_as_told)
    }
}
