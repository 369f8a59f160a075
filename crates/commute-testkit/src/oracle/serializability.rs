//! Conflict serializability, from Definition 1 of the AeroDrome paper.

use std::collections::BTreeSet;

use commute_model::{Event, Names, Op};
use commute_spec::Library;

use super::{acquired, conflict, counted_types, released, synchronisation};

/// The transactions of a trace and how they are ordered.
#[derive(Debug)]
pub struct Transactions {
    /// The transaction of each event.
    pub of: Vec<usize>,
    /// Whether each transaction is a block that has not ended.
    pub open: Vec<bool>,
    /// Pairs of different transactions of which the first comes before the
    /// second: some event of it before some event of the other.
    pub before: BTreeSet<(usize, usize)>,
    /// Whether two events conflict, by position, the earlier first.
    pub conflicts: BTreeSet<(usize, usize)>,
}

impl Transactions {
    /// The transactions of these events. `counts` says which blocks are
    /// transactions, by the event that begins them.
    pub fn of(
        events: &[Event],
        names: &Names,
        library: &Library,
        counts: impl Fn(&Event) -> bool,
    ) -> Transactions {
        Transactions::of_prefix((events, events.len()), names, library, counts)
    }

    /// The transactions of the first events of a trace. Initial states that the trace does
    /// not record are inferred from the whole trace.
    pub fn of_prefix(
        (events, length): (&[Event], usize),
        names: &Names,
        library: &Library,
        counts: impl Fn(&Event) -> bool,
    ) -> Transactions {
        let mut ordered = synchronisation::conflicts(events, names, library);
        ordered.truncate(length);
        let events = &events[..length];
        let (of, open) = split(events, counts);
        let types = counted_types(events, names, library);
        let types: Vec<_> = { types.iter() }
            .map(|found| Some(&found.as_ref()?.specification))
            .collect();
        let mut conflicts = BTreeSet::new();
        // `known[j]`: the events that come before event j, and j itself.
        let mut known: Vec<BTreeSet<usize>> = Vec::new();
        for (j, ordered) in ordered.iter().enumerate() {
            let mut set = BTreeSet::from([j]);
            for (i, earlier) in known.iter().enumerate() {
                if fixed(events, (&of, &open), i, j)
                    || conflict(events, i, j, &types, names).is_some()
                    || ordered.contains(&i)
                {
                    conflicts.insert((i, j));
                    set.extend(earlier);
                }
            }
            known.push(set);
        }
        let mut before = BTreeSet::new();
        for (j, earlier) in known.iter().enumerate() {
            before.extend(earlier.iter().map(|&i| (of[i], of[j])));
        }
        before.retain(|(a, b)| a != b);
        Transactions {
            of,
            open,
            before,
            conflicts,
        }
    }

    /// Whether the trace is conflict serializable.
    pub fn serializable(&self) -> bool {
        self.cyclic(|_| true).is_empty()
    }

    /// Whether the condition of Theorem 2 holds: from the begin of a transaction
    /// there is a path to another one and back, where an open transaction is
    /// only passed forwards in time and one that has ended in any direction.
    pub fn violated_early(&self) -> bool {
        let n = self.of.len();
        assert!(n <= 128, "sets of events are 128 bits");
        let first = |t: usize| self.of.iter().position(|&own| own == t);
        // Transactions that have ended are left as they are entered: anywhere.
        let mut reach: Vec<u128> = (0..n).map(|i| 1 << i).collect();
        for &(i, j) in &self.conflicts {
            reach[i] |= 1 << j;
            if self.of[i] == self.of[j] && !self.open[self.of[i]] {
                reach[j] |= 1 << i;
            }
        }
        for k in 0..n {
            for i in 0..n {
                if reach[i] >> k & 1 == 1 {
                    reach[i] |= reach[k];
                }
            }
        }
        (0..self.open.len()).any(|t| {
            let own = (0..n).filter(|&i| self.of[i] == t);
            let own: u128 = own.fold(0, |set, i| set | 1 << i);
            let begin = first(t).expect("every transaction has an event");
            let others = (0..n).filter(|&i| self.of[i] != t);
            { others }.any(|e| reach[begin] >> e & 1 == 1 && reach[e] & own != 0)
        })
    }

    /// The transactions that are on a cycle of `allowed` ones.
    pub fn cyclic(&self, allowed: impl Fn(usize) -> bool) -> BTreeSet<usize> {
        let next = |t: usize| {
            let successors = self.before.range((t, 0)..(t + 1, 0));
            successors.map(|&(_, u)| u).filter(|&u| allowed(u))
        };
        let on_cycle = |&start: &usize| {
            let mut reached: BTreeSet<usize> = next(start).collect();
            let mut queue: Vec<usize> = reached.iter().copied().collect();
            while let Some(t) = queue.pop() {
                for u in next(t).collect::<Vec<_>>() {
                    if reached.insert(u) {
                        queue.push(u);
                    }
                }
            }
            reached.contains(&start)
        };
        let all = (0..self.open.len()).filter(|&t| allowed(t));
        all.filter(on_cycle).collect()
    }
}

/// The transaction of each event, and which are open at the end.
fn split(events: &[Event], counts: impl Fn(&Event) -> bool) -> (Vec<usize>, Vec<bool>) {
    let threads = events.iter().map(|e| e.thread.0 as usize + 1);
    let threads = threads.max().unwrap_or(0);
    // Open blocks of each thread, and the transaction they belong to.
    let mut blocks: Vec<Vec<bool>> = vec![Vec::new(); threads];
    let mut current: Vec<Option<usize>> = vec![None; threads];
    let (mut of, mut open) = (Vec::new(), Vec::new());
    for event in events {
        let t = event.thread.0 as usize;
        if let Op::Begin(_) = event.op {
            blocks[t].push(counts(event));
        }
        let inside = blocks[t].contains(&true);
        let transaction = match current[t] {
            Some(transaction) => transaction,
            None => {
                open.push(inside);
                open.len() - 1
            }
        };
        of.push(transaction);
        current[t] = inside.then_some(transaction);
        if let Op::End(_) = event.op {
            blocks[t].pop();
            if !blocks[t].contains(&true) && inside {
                open[transaction] = false;
                current[t] = None;
            }
        }
    }
    (of, open)
}

/// Whether two events can never be swapped, whatever they do to data.
fn fixed(events: &[Event], (of, open): (&[usize], &[bool]), i: usize, j: usize) -> bool {
    let (a, b) = (&events[i], &events[j]);
    if a.thread == b.thread {
        return true;
    }
    // Inert events, and blocks that are none, order nothing.
    let inert = |k: usize| match events[k].op {
        Op::Dummy | Op::Branch => true,
        Op::Begin(_) | Op::End(_) => {
            let alone = of.iter().filter(|t| **t == of[k]).count() == 1;
            alone && !open[of[k]]
        }
        _ => false,
    };
    if inert(i) || inert(j) {
        return false;
    }
    match (&a.op, &b.op) {
        (Op::Fork(u), _) if *u == b.thread => return true,
        (_, Op::Join(u)) if *u == a.thread => return true,
        (Op::Notify(c) | Op::NotifyAll(c), Op::Wake(d, _)) if c == d => {
            // A notification before the wait began is lost.
            let begins = |event: &Event| {
                event.thread == b.thread && matches!(event.op, Op::Wait(e, _) if e == *d)
            };
            return events[..j]
                .iter()
                .rposition(begins)
                .is_some_and(|wait| wait < i);
        }
        _ => {}
    }
    match (released(&a.op), acquired(&b.op)) {
        (Some((l, shared)), Some((m, shared_too))) => l == m && !(shared && shared_too),
        _ => false,
    }
}
