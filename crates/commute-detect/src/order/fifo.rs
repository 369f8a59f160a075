//! Rules about messages: `send(v) -> recv()/v fifo`.
//!
//! The messages of one sender arrive in order; between senders there is none. Of each
//! sender it is known how many of its messages were received at least and at most. A
//! receive comes after the send of every message with an equal value that it can have
//! received: with different values it is one.

use std::collections::VecDeque;

use commute_model::{ThreadId, Value};
use commute_spec::Key;

use super::Knowledge;

/// The messages on their way.
#[derive(Clone, Debug)]
pub(super) struct Fifo<K> {
    senders: Vec<Sender<K>>,
    /// How many messages of these senders were received.
    received: u64,
    /// The senders from which the last receive can have got its message.
    candidates: Vec<usize>,
}

#[derive(Clone, Debug)]
struct Sender<K> {
    thread: ThreadId,
    /// How many of its messages were received at least, and at most.
    least: u64,
    most: u64,
    /// Those from `least` on.
    messages: VecDeque<(Key, K)>,
    /// The receives of its messages.
    receives: K,
}

impl<K> Default for Fifo<K> {
    fn default() -> Fifo<K> {
        Fifo {
            senders: Vec::new(),
            received: 0,
            candidates: Vec::new(),
        }
    }
}

impl<K> Sender<K> {
    fn sent(&self) -> u64 {
        self.least + self.messages.len() as u64
    }

    /// The places of messages from `least` on, that can be received next and may be
    /// equal.
    fn matching(&self, key: &Key, is_equal: fn(&Value, &Value) -> bool) -> Option<(u64, u64)> {
        let next = (self.most - self.least) as usize + 1;
        let next = self.messages.iter().take(next).enumerate();
        let mut places = next.filter(|(_, (message, _))| {
            let mut pairs = message.iter().zip(key);
            pairs.all(|(one, other)| is_equal(one, other))
        });
        let first = places.next()?.0 as u64;
        let last = places.next_back().map_or(first, |(place, _)| place as u64);
        Some((first, last))
    }
}

impl<K: Clone + Default + std::fmt::Debug> Fifo<K> {
    pub(super) fn send(&mut self, t: ThreadId, key: Key, hb: &mut impl Knowledge<Known = K>) {
        let mut known = K::default();
        hb.publish(t, &mut known);
        let place = self.senders.iter().position(|sender| sender.thread == t);
        let place = place.unwrap_or_else(|| {
            self.senders.push(Sender {
                thread: t,
                least: 0,
                most: 0,
                messages: VecDeque::new(),
                receives: K::default(),
            });
            self.senders.len() - 1
        });
        self.senders[place].messages.push_back((key, known));
    }

    pub(super) fn receive(&mut self, t: ThreadId, key: &Key, hb: &mut impl Knowledge<Known = K>) {
        self.candidates.clear();
        let mut found = self.find(key, |one, other| one == other);
        if found.is_empty() {
            found = self.find(key, Value::may_be);
        }
        if found.is_empty() {
            return; // It was sent before anything was recorded.
        }
        self.received += 1;
        let is_certain = found.len() == 1;
        for (place, first, last) in found {
            let sender = &mut self.senders[place];
            hb.learn(t, &sender.messages[last as usize].1);
            hb.keep_order(t, &sender.receives);
            let most = sender.least + last + 1;
            if is_certain {
                sender.drop_messages(first + 1);
                sender.most = most;
            } else {
                sender.most = sender.most.max(most);
            }
            self.candidates.push(place);
        }
        self.tighten();
    }

    /// The receive is over.
    pub(super) fn received(&mut self, t: ThreadId, hb: &mut impl Knowledge<Known = K>) {
        for place in self.candidates.drain(..) {
            hb.mark(t, &mut self.senders[place].receives);
        }
    }

    /// The senders of equal messages, with the first and the last of them.
    fn find(&self, key: &Key, is_equal: fn(&Value, &Value) -> bool) -> Vec<(usize, u64, u64)> {
        let senders = self.senders.iter().enumerate();
        let found = senders.filter_map(|(place, sender)| {
            let (first, last) = sender.matching(key, is_equal)?;
            Some((place, first, last))
        });
        found.collect()
    }

    /// Bounds the messages received of one sender by those that can have been received of
    /// the others.
    fn tighten(&mut self) {
        let least: u64 = self.senders.iter().map(|sender| sender.least).sum();
        let most: u64 = self.senders.iter().map(|sender| sender.most).sum();
        if least == most {
            return;
        }
        let (mut least, mut most) = (least, most);
        for _ in 0..2 {
            for sender in &mut self.senders {
                let others = most - sender.most;
                let more = self.received.saturating_sub(others);
                if more > sender.least {
                    least += more - sender.least;
                    sender.drop_messages(more - sender.least);
                }
                let others = least - sender.least;
                let fewer = self.received.saturating_sub(others).max(sender.least);
                if fewer < sender.most {
                    most -= sender.most - fewer;
                    sender.most = fewer;
                }
            }
        }
    }
}

impl<K> Sender<K> {
    /// So many more messages were received for certain.
    fn drop_messages(&mut self, count: u64) {
        self.messages.drain(..count as usize);
        self.least += count;
        self.most = self.most.max(self.least);
        debug_assert!(self.most <= self.sent());
    }
}

impl<K> Fifo<K> {
    pub(super) fn for_each(&mut self, show: &mut dyn FnMut(&mut K)) {
        for sender in &mut self.senders {
            let messages = sender.messages.iter_mut();
            messages.for_each(|(_, known)| show(known));
            show(&mut sender.receives);
        }
    }
}
