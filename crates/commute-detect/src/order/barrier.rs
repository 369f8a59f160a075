//! Barriers: all that arrive in a round come before all that leave it.
//!
//! A barrier for n parties opens with every n-th arrival, so the i-th arrival, counted
//! from 0, is of round i / n. If n is not recorded, every n is possible by which no thread
//! has left a round that was not complete, and a thread that leaves comes after what it
//! comes after for any of them.

use std::collections::VecDeque;

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
    /// The last arrival of each thread.
    last: Vec<(ThreadId, K)>,
    /// The same before the current round, if the trace records the number of parties.
    earlier: Vec<(ThreadId, K)>,
    /// The arrival of each thread that has not left.
    waiting: Vec<(ThreadId, u64)>,
}

impl<K: Clone + Default + std::fmt::Debug> Rounds<K> {
    pub(super) fn new(parties: Option<u64>) -> Rounds<K> {
        let recorded = parties.map(|parties| parties.max(1));
        Rounds {
            parties: recorded.map(|parties| vec![parties]),
            recorded,
            count: 0,
            arrivals: VecDeque::new(),
            last: Vec::new(),
            earlier: Vec::new(),
            waiting: Vec::new(),
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
        set(&mut self.last, t, known.clone());
        set(&mut self.waiting, t, self.count);
        self.arrivals.push_back(known);
        self.count += 1;
        self.prune();
    }

    pub(super) fn leave(&mut self, t: ThreadId, hb: &mut impl Knowledge<Known = K>) {
        let place = self.waiting.iter().position(|(waiting, _)| *waiting == t);
        let arrival = place.map(|place| self.waiting.swap_remove(place).1);
        let count = self.count;
        // Without an arrival in the trace nothing is known of its round.
        let round = arrival.and_then(|arrival| {
            let parties = self.parties.get_or_insert_with(|| (1..=count).collect());
            let round =
                |parties: u64| arrival / parties * parties..(arrival / parties + 1) * parties;
            parties.retain(|parties| round(*parties).end <= count);
            let first = parties.iter().map(|parties| round(*parties).start).min();
            let end = parties.iter().map(|parties| round(*parties).end).max();
            Some(first?..end?)
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

fn set<V>(list: &mut Vec<(ThreadId, V)>, t: ThreadId, value: V) {
    match list.iter_mut().find(|(thread, _)| *thread == t) {
        Some((_, known)) => *known = value,
        None => list.push((t, value)),
    }
}

impl<K> Rounds<K> {
    pub(super) fn for_each(&mut self, show: &mut dyn FnMut(&mut K)) {
        let of_threads = self.last.iter_mut().chain(&mut self.earlier);
        let of_threads = of_threads.map(|(_, known)| known);
        self.arrivals.iter_mut().chain(of_threads).for_each(show);
    }
}
