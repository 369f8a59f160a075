//! Which messages the receives of a `fifo` rule can have received.
//!
//! A *matching* gives receives earlier messages with an equal key, so that the messages of
//! one sender are received in order and without gaps. Of all matchings, those with the
//! fewest receives without a message count.
//!
//! A receive for which no message with an equal key is left, so that one more receive
//! would be without a message, can have received any message whose key may be equal.

use std::collections::{BTreeMap, BTreeSet};

use commute_model::ThreadId;
use commute_spec::{Key, OrderRule};

use super::{Edges, Life, may_be};

struct Message {
    position: usize,
    key: Key,
}

struct Receive {
    position: usize,
    key: Key,
    /// Whether its message may be any whose key may be equal.
    is_any: bool,
}

/// How many messages of each sender were received.
type Received = BTreeMap<ThreadId, usize>;

/// What a receive can have received: messages as (sender, position), or nothing.
type Possible = BTreeSet<Option<(ThreadId, usize)>>;

struct Mailbox {
    /// The messages of each sender, in order.
    messages: BTreeMap<ThreadId, Vec<Message>>,
    receives: Vec<Receive>,
}

impl Mailbox {
    fn new(life: &Life<'_>, rule: &OrderRule) -> Mailbox {
        let mut mailbox = Mailbox {
            messages: BTreeMap::new(),
            receives: Vec::new(),
        };
        for action in &life.actions {
            let position = action.position;
            if let Some(key) = rule.after(action.invocation) {
                mailbox.receives.push(Receive {
                    position,
                    key,
                    is_any: false,
                });
                let own = mailbox.receives.len() - 1;
                mailbox.receives[own].is_any = mailbox.fewest(own + 1) > mailbox.fewest(own);
            }
            if let Some(key) = rule.before(action.invocation) {
                let own = mailbox.messages.entry(action.thread).or_default();
                own.push(Message { position, key });
            }
        }
        mailbox
    }

    /// What a receive can receive next, and how many messages were received then.
    fn choices(
        &self,
        receive: &Receive,
        received: &Received,
    ) -> Vec<(Option<(ThreadId, usize)>, Received)> {
        let mut choices = vec![(None, received.clone())];
        for (sender, messages) in &self.messages {
            let count = received.get(sender).copied().unwrap_or(0);
            let Some(message) = messages.get(count) else {
                continue;
            };
            let fits = if receive.is_any {
                may_be(&message.key, &receive.key)
            } else {
                message.key == receive.key
            };
            if fits && message.position < receive.position {
                let mut after = received.clone();
                after.insert(*sender, count + 1);
                choices.push((Some((*sender, message.position)), after));
            }
        }
        choices
    }

    /// After 0, 1, … `count` receives: for all that can be received then, how many receives
    /// are without a message at least.
    fn unmatched(&self, count: usize) -> Vec<BTreeMap<Received, usize>> {
        let mut unmatched = vec![BTreeMap::from([(Received::new(), 0)])];
        for receive in &self.receives[..count] {
            let mut next: BTreeMap<Received, usize> = BTreeMap::new();
            for (received, cost) in &unmatched[unmatched.len() - 1] {
                for (message, after) in self.choices(receive, received) {
                    let cost = cost + usize::from(message.is_none());
                    let least = next.entry(after).or_insert(cost);
                    *least = cost.min(*least);
                }
            }
            unmatched.push(next);
        }
        unmatched
    }

    /// How many of the first `count` receives are without a message at least.
    fn fewest(&self, count: usize) -> usize {
        let unmatched = self.unmatched(count);
        let fewest = unmatched[count].values().min();
        fewest.copied().expect("there is always the empty matching")
    }

    /// For each of the first `count` receives what it has in the matchings of these
    /// receives that leave the fewest of them without a message.
    fn possible(&self, count: usize) -> Vec<Possible> {
        let (unmatched, fewest) = (self.unmatched(count), self.fewest(count));
        let mut best: BTreeSet<Received> = { unmatched[count].iter() }
            .filter(|(_, cost)| **cost == fewest)
            .map(|(received, _)| received.clone())
            .collect();
        // Back through all matchings that end with the fewest.
        let mut possible = vec![Possible::new(); count];
        for n in (0..count).rev() {
            let mut before = BTreeSet::new();
            for (received, cost) in &unmatched[n] {
                for (message, after) in self.choices(&self.receives[n], received) {
                    let cost = cost + usize::from(message.is_none());
                    if best.contains(&after) && unmatched[n + 1][&after] == cost {
                        before.insert(received.clone());
                        possible[n].insert(message);
                    }
                }
            }
            best = before;
        }
        possible
    }

    /// For each receive the messages that it can have received, by the matchings of the
    /// receives up to it.
    fn at_each(&self) -> Vec<BTreeSet<(ThreadId, usize)>> {
        let last = |n: usize| self.possible(n + 1).pop().unwrap_or_default();
        let all = (0..self.receives.len()).map(last);
        all.map(|possible| possible.into_iter().flatten().collect())
            .collect()
    }
}

/// Every receive comes after the messages that it can have received.
pub(super) fn messages(life: &Life<'_>, rule: &OrderRule, edges: &mut Edges) {
    let mailbox = Mailbox::new(life, rule);
    for (receive, possible) in mailbox.receives.iter().zip(mailbox.at_each()) {
        edges[receive.position].extend(possible.iter().map(|(_, message)| message));
    }
}

/// Every receive comes after the earlier receives that can have received from a sender
/// from which it can have received.
pub(super) fn receives_in_order(life: &Life<'_>, rule: &OrderRule, edges: &mut Edges) {
    let mailbox = Mailbox::new(life, rule);
    let senders = |possible: BTreeSet<(ThreadId, usize)>| -> BTreeSet<ThreadId> {
        possible.into_iter().map(|(sender, _)| sender).collect()
    };
    let senders: Vec<_> = mailbox.at_each().into_iter().map(senders).collect();
    for (later, receive) in mailbox.receives.iter().enumerate() {
        for (earlier, other) in mailbox.receives[..later].iter().enumerate() {
            if !senders[earlier].is_disjoint(&senders[later]) {
                edges[receive.position].insert(other.position);
            }
        }
    }
}

/// Whether every receive has exactly one possible message, by the matchings of every
/// prefix of the life that it is in.
pub(super) fn is_unambiguous(life: &Life<'_>, rule: &OrderRule) -> bool {
    let mailbox = Mailbox::new(life, rule);
    let is_one = |possible: &Possible| possible.len() == 1 && !possible.contains(&None);
    (0..=mailbox.receives.len()).all(|count| mailbox.possible(count).iter().all(is_one))
}

/// Whether every receive can have received a message, all at once.
pub(super) fn is_explained(life: &Life<'_>, rule: &OrderRule) -> bool {
    let mailbox = Mailbox::new(life, rule);
    mailbox.fewest(mailbox.receives.len()) == 0
}
