//! Barriers: all that arrive in a round come before all that leave it.
//!
//! A barrier for n parties opens with every n-th arrival, so the i-th arrival, counted
//! from 0, is of round i / n. If n is not recorded, every n is possible by which no thread
//! leaves a round that is not complete, and a `leave` comes after the arrivals of
//! its round for each possible n.

use std::collections::VecDeque;
use std::ops::Range;

use commute_model::ThreadId;

use super::Knowledge;

/// If so many arrivals tell nothing about the number of parties, a thread that leaves
/// comes after all arrivals.
const MOST_UNDECIDED: usize = 4096;

/// The rounds of a barrier.
#[derive(Clone, Debug)]
pub(super) struct Rounds<K> {
    /// The numbers of parties that are possible; `None` if all are.
    parties: Option<Vec<u64>>,
    /// The number, if the trace records it.
    recorded: Option<u64>,
    /// How many arrivals there were.
    count: u64,
    /// The last arrivals, in order.
    arrivals: VecDeque<K>,
    /// The last arrival of each [chain](Knowledge::chain) of threads.
    last: Vec<(u32, K)>,
    /// The last arrivals before the current round, if the trace records the number of
    /// parties.
    earlier: Vec<(u32, K)>,
    /// The arrival of each thread that has not left.
    waiting: Vec<(u32, u64)>,
    /// Arrivals that were left, each with those its thread came after, while more than
    /// one number of parties is possible.
    left: Vec<(u64, Option<Range<u64>>)>,
    is_late: bool,
}

impl<K: Clone + Default + std::fmt::Debug> Rounds<K> {
    /// `recorded` is the number of parties if the trace records it, and `inferred` are
    /// those that the whole trace allows, if that was found out.
    pub(super) fn new(recorded: Option<u64>, inferred: Option<Vec<u64>>) -> Rounds<K> {
        let recorded = recorded.map(|parties| parties.max(1));
        Rounds {
            parties: recorded.map(|parties| vec![parties]).or(inferred),
            recorded,
            count: 0,
            arrivals: VecDeque::new(),
            last: Vec::new(),
            earlier: Vec::new(),
            waiting: Vec::new(),
            left: Vec::new(),
            is_late: false,
        }
    }

    pub(super) fn arrive(&mut self, t: ThreadId, hb: &mut impl Knowledge<Known = K>) {
        if { self.recorded }.is_some_and(|parties| self.count.is_multiple_of(parties)) {
            self.earlier.clone_from(&self.last);
        }
        // Which arrivals make a round is the same in every execution that is predicted.
        let before = match self.recorded {
            Some(_) => &self.earlier,
            None => &self.last,
        };
        before.iter().for_each(|(_, known)| hb.keep_order(t, known));
        let mut known = K::default();
        hb.publish(t, &mut known);
        let chain = hb.chain(t);
        set(&mut self.last, chain, known.clone());
        set(&mut self.waiting, chain, self.count);
        self.arrivals.push_back(known);
        self.count += 1;
        self.prune();
    }

    pub(super) fn leave(&mut self, t: ThreadId, hb: &mut impl Knowledge<Known = K>) {
        let chain = hb.chain(t);
        let place = { self.waiting.iter() }.position(|(waiting, _)| *waiting == chain);
        let arrival = place.map(|place| self.waiting.swap_remove(place).1);
        let count = self.count;
        // Without an arrival in the trace nothing is known of its round.
        let round = arrival.and_then(|arrival| {
            let parties = self.parties.get_or_insert_with(|| (1..=count).collect());
            let possible = parties.len();
            parties.retain(|parties| round(arrival, *parties).end <= count);
            let rounds = rounds(arrival, parties);
            if self.recorded.is_none() {
                if parties.len() < possible {
                    self.check_left();
                }
                if self.left.len() < MOST_UNDECIDED {
                    self.left.push((arrival, rounds.clone()));
                }
            }
            rounds
        });
        let kept = count - self.arrivals.len() as u64;
        match round {
            Some(round) if round.start >= kept => {
                for arrival in round {
                    hb.learn(t, &self.arrivals[(arrival - kept) as usize]);
                }
            }
            _ => self.last.iter().for_each(|(_, known)| hb.learn(t, known)),
        }
        self.prune();
    }

    /// Fewer numbers of parties are possible than when earlier arrivals were left.
    fn check_left(&mut self) {
        let parties = self.parties.as_deref().unwrap_or_default();
        let changed =
            |(arrival, before): &(u64, Option<Range<u64>>)| rounds(*arrival, parties) != *before;
        self.is_late |= self.left.len() >= MOST_UNDECIDED || self.left.iter().any(changed);
    }

    /// Forgets arrivals of rounds that no thread leaves any more.
    fn prune(&mut self) {
        let most = match &self.parties {
            Some(parties) => parties.last().copied().unwrap_or(0),
            None if self.arrivals.len() < MOST_UNDECIDED => return,
            None => {
                self.parties = Some(Vec::new());
                0
            }
        };
        let first = self.waiting.iter().map(|(_, arrival)| *arrival).min();
        let wanted = first.unwrap_or(self.count).saturating_sub(most);
        let kept = self.count - self.arrivals.len() as u64;
        if wanted > kept {
            self.arrivals.drain(..(wanted - kept) as usize);
        }
    }
}

/// The arrivals of the round of an arrival.
fn round(arrival: u64, parties: u64) -> Range<u64> {
    let start = arrival / parties * parties;
    start..start.saturating_add(parties)
}

/// The arrivals of the rounds that an arrival has with any of these numbers of parties.
fn rounds(arrival: u64, parties: &[u64]) -> Option<Range<u64>> {
    let rounds = || parties.iter().map(|parties| round(arrival, *parties));
    let start = rounds().map(|round| round.start).min()?;
    Some(start..rounds().map(|round| round.end).max()?)
}

fn set<V>(list: &mut Vec<(u32, V)>, chain: u32, value: V) {
    match list.iter_mut().find(|(other, _)| *other == chain) {
        Some((_, known)) => *known = value,
        None => list.push((chain, value)),
    }
}

impl<K> Rounds<K> {
    /// The numbers of parties that the trace so far allows; `None` if it allows all.
    pub(super) fn parties(&self) -> Option<&Vec<u64>> {
        self.parties.as_ref()
    }

    /// Whether the trace does not record the number of parties.
    pub(super) fn is_inferred(&self) -> bool {
        self.recorded.is_none()
    }

    /// Whether a thread came after other arrivals than it does with the numbers of
    /// parties that are possible now.
    pub(super) fn is_late(&self) -> bool {
        self.is_late
    }

    pub(super) fn for_each(&mut self, show: &mut dyn FnMut(&mut K)) {
        let of_threads = self.last.iter_mut().chain(&mut self.earlier);
        let of_threads = of_threads.map(|(_, known)| known);
        self.arrivals.iter_mut().chain(of_threads).for_each(show);
    }
}
