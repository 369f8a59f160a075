//! Random cases: a method, what others do meanwhile, and where all begins.

use super::author::Author;
use super::program::{Kind, Program};

/// Everything that a check is told.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) kinds: Vec<Kind>,
    pub(crate) method: Program,
    pub(crate) peers: Vec<Program>,
    pub(crate) observers: Vec<Program>,
    pub(crate) beginnings: Vec<Program>,
    pub(crate) steps: usize,
    pub(crate) others: Others,
}

/// Who else there is, besides observers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Others {
    All,
    Itself,
    Peers,
    NotPeer(usize),
}

impl Case {
    pub(crate) fn draw(seed: u64) -> Case {
        let mut dice = Dice::new(seed);
        let kind = *dice.pick(&KINDS);
        let kinds = match dice.below(4) {
            0 => vec![kind, kind],
            1 | 2 => vec![kind, *dice.pick(&KINDS)],
            _ => vec![kind],
        };
        let steps = match dice.below(16) {
            0 => 3,
            roll => 1 + roll % 2,
        };
        let peers = dice.between(1, 2);
        let others = match dice.below(8) {
            0 => Others::Itself,
            1 => Others::Peers,
            2 => Others::NotPeer(dice.below(peers)),
            _ => Others::All,
        };
        let (looks, looks_twice) = (dice.below(2) == 0, dice.below(2) == 0);
        let beginnings = [0, 1, 1, 2][dice.below(4)];
        let mut author = Author::new(dice, kinds);
        // Who does not see everything does not see what a method has broken: so one does.
        let mut observers = Vec::new();
        if looks {
            observers.push(author.sees_all());
        }
        if looks && looks_twice {
            observers.push(author.looks());
        }
        Case {
            method: author.method(),
            peers: (0..peers).map(|_| author.peer()).collect(),
            observers,
            beginnings: (0..beginnings).map(|_| author.beginning()).collect(),
            steps,
            others,
            kinds: author.kinds().to_vec(),
        }
    }

    pub(crate) fn peer_name(index: usize) -> String {
        format!("peer {index}")
    }

    /// All that others may do.
    pub(crate) fn environment(&self) -> Vec<&Program> {
        let peers = self.peers.iter().enumerate();
        let peers = peers.filter(|(index, _)| match self.others {
            Others::All | Others::Peers => true,
            Others::Itself => false,
            Others::NotPeer(left_out) => *index != left_out,
        });
        let itself = match self.others {
            Others::Peers => None,
            _ => Some(&self.method),
        };
        { itself.into_iter() }
            .chain(peers.map(|(_, peer)| peer))
            .chain(&self.observers)
            .collect()
    }
}

const KINDS: [Kind; 6] = [
    Kind::DashMap,
    Kind::LockedMap,
    Kind::DashSet,
    Kind::LockedSet,
    Kind::Atomic,
    Kind::LockedNumber,
];

/// Numbers that look random, the same for the same seed (splitmix64).
pub(super) struct Dice(u64);

impl Dice {
    fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % end as u64) as usize
    }

    pub(super) fn between(&mut self, first: usize, last: usize) -> usize {
        first + self.below(last - first + 1)
    }

    pub(super) fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}
