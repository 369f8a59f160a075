//! The events of a window that matter to one candidate.
//!
//! A certification considers the events that the pair needs, and adds others only where
//! something is in the way: the rest of a critical section, another notification. So a
//! slice begins with what the pair needs and *grows* by what a certification on it
//! [lacks](Lack). The result is that of the whole window: a certification that has looked
//! at an event outside of its slice does not count.
//!
//! A slice has a prefix of the events of every thread in the window. Of those, the first
//! ones are *known*: everything that they need is in the slice. The others are there because
//! a known event is told apart by them, and can be in no set.

use commute_model::{CondvarId, LockId, ThreadId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::certify::Kind;
use super::indices::Indices;
use super::links::{Acquisition, Links};
use super::recent::Before;

/// The events of a window that matter to a candidate.
#[derive(Debug)]
pub(super) struct Slice<'a> {
    links: &'a Links,
    prefix: u64,
    kind: Kind,
    /// The indices of the earlier and the later event.
    pair: (u64, u64),
    parts: FxHashMap<ThreadId, Part>,
    /// Critical sections that may have to end.
    open: Vec<Open>,
    latest: FxHashMap<LockId, Latest>,
    /// Whether nothing that was needed so far comes after an event of the pair.
    is_possible: bool,
}

/// The events of a thread, by the index of the last one.
#[derive(Clone, Copy, Debug)]
struct Part {
    known: u64,
    last: u64,
}

/// A critical section that begins with a known event or before the window.
#[derive(Clone, Copy, Debug)]
struct Open {
    thread: ThreadId,
    lock: LockId,
    shared: bool,
    /// The indices of the events with which it begins and ends; 0 is none.
    began: u64,
    end: u64,
}

/// The last known acquisitions of a lock by two threads.
#[derive(Clone, Copy, Debug)]
struct Latest {
    all: [(u64, ThreadId); 2],
    exclusive: [(u64, ThreadId); 2],
}

impl Default for Latest {
    fn default() -> Latest {
        let none = [(0, ThreadId(0)); 2];
        Latest {
            all: none,
            exclusive: none,
        }
    }
}

impl Latest {
    fn add(&mut self, index: u64, t: ThreadId, shared: bool) {
        let exclusive = (!shared).then_some(&mut self.exclusive);
        for [first, second] in [Some(&mut self.all), exclusive].into_iter().flatten() {
            if first.1 == t {
                first.0 = index.max(first.0);
            } else if index > first.0 {
                *second = std::mem::replace(first, (index, t));
            } else if index > second.0 {
                *second = (index, t);
            }
        }
    }

    /// Whether a section comes before an acquisition that has to wait for its end.
    fn is_after(&self, open: &Open) -> bool {
        let [first, second] = if open.shared {
            self.exclusive
        } else {
            self.all
        };
        let other = if first.1 == open.thread {
            second
        } else {
            first
        };
        other.0 > open.began
    }
}

/// What a certification looked for outside of its slice.
#[derive(Clone, Debug)]
pub(super) enum Lack {
    /// The events of a thread up to the one with this index.
    Event(u64),
    /// All notifications of a condition variable.
    Notifies(CondvarId),
    /// The whole window.
    Everything,
}

impl<'a> Slice<'a> {
    /// The events after the first `prefix` ones that a pair needs.
    pub(super) fn new(
        links: &'a Links,
        before: &Before<'_>,
        kind: Kind,
        pair: (u64, u64),
    ) -> Slice<'a> {
        let held = before.held.iter().zip(&before.ends);
        let held = held.map(|(&(thread, lock, shared), &end)| Open {
            thread,
            lock,
            shared,
            began: 0,
            end,
        });
        let mut slice = Slice {
            links,
            prefix: before.prefix(),
            kind,
            pair,
            parts: FxHashMap::default(),
            open: held.collect(),
            latest: FxHashMap::default(),
            is_possible: true,
        };
        slice.show_held();
        slice.start(true);
        if slice.is_possible {
            slice.wait_for_pair();
            slice.end_sections();
        } else {
            // What leads to the contradiction is the argument against the candidate.
            slice.parts.clear();
            slice.show_held();
            slice.start(false);
        }
        slice
    }

    /// Adds what the pair needs. `stops`: no further than the pair.
    fn start(&mut self, stops: bool) {
        let (earlier, later) = self.pair;
        self.next(earlier, stops);
        match self.kind {
            Kind::Race => self.next(later, stops),
            Kind::Order => self.need(later, stops),
        }
    }

    /// An event of the pair that comes next.
    fn next(&mut self, index: u64, stops: bool) {
        let links = self.links;
        let link = links.link(index);
        self.show(index);
        self.show(link.writer);
        self.show(link.notify);
        if let Some(place) = link.place.checked_sub(1) {
            self.need(links.events(link.thread)[place], stops);
        }
        link.after.iter().for_each(|&event| self.need(event, stops));
    }

    /// Adds an event, the events of its thread before it, and all that these need.
    fn need(&mut self, index: u64, stops: bool) {
        let links = self.links;
        let mut wanted = vec![index];
        while let Some(index) = wanted.pop() {
            if index <= self.prefix {
                continue;
            }
            let link = links.link(index);
            if stops && self.is_stopped(link.thread, index) {
                self.show(index);
                self.is_possible = false;
                continue;
            }
            let part = self.part(link.thread);
            let known = part.known;
            if index <= known {
                continue;
            }
            part.known = index;
            part.last = part.last.max(index);
            self.acquire(link.thread, (known, index));
            let own = &links.events(link.thread)[..=link.place];
            let new = own.iter().rev().take_while(|&&event| event > known);
            for link in new.map(|&event| links.link(event)) {
                wanted.extend(link.after.iter().copied());
                wanted.extend((link.writer > self.prefix).then_some(link.writer));
                self.show(link.notify);
            }
        }
    }

    /// Adds an event and those of its thread before it, not what these need.
    fn show(&mut self, index: u64) {
        if index > self.prefix {
            let part = self.part(self.links.link(index).thread);
            part.last = part.last.max(index);
        }
    }

    fn part(&mut self, t: ThreadId) -> &mut Part {
        let none = Part {
            known: self.prefix,
            last: self.prefix,
        };
        self.parts.entry(t).or_insert(none)
    }

    /// Whether an event of a thread is one of the pair that comes next, or is after it.
    fn is_stopped(&self, t: ThreadId, index: u64) -> bool {
        let (earlier, later) = self.pair;
        let is_after = |event| index >= event && self.links.link(event).thread == t;
        is_after(earlier) || (self.kind == Kind::Race && is_after(later))
    }

    /// Adds what a certification lacks; whether that is possible.
    pub(super) fn grow(&mut self, lack: &Lack) -> bool {
        match lack {
            Lack::Event(index) => self.need(*index, true),
            Lack::Notifies(c) => {
                let links = self.links;
                links
                    .notifies(*c)
                    .iter()
                    .for_each(|&event| self.show(event));
            }
            Lack::Everything => return false,
        }
        self.end_sections();
        true
    }

    /// Adds the acquisitions of a thread after one event, up to another.
    fn acquire(&mut self, t: ThreadId, between: (u64, u64)) {
        for &Acquisition {
            index,
            lock,
            shared,
        } in self.links.acquisitions(t, between)
        {
            self.latest.entry(lock).or_default().add(index, t, shared);
            self.open.push(Open {
                thread: t,
                lock,
                shared,
                began: index,
                end: self.end(index),
            });
            if self.links.link(index).is_nested {
                self.show_nested(t, self.end(index));
            }
        }
    }

    /// Adds a critical section in which its thread acquires the lock again: a certification
    /// counts the events that release the lock. It ends with this event; 0 is none.
    fn show_nested(&mut self, t: ThreadId, end: u64) {
        let last = self.links.events(t).last().copied();
        self.show(if end == 0 { last.unwrap_or(0) } else { end });
    }

    /// Adds the critical sections that began before the window and are nested.
    fn show_held(&mut self) {
        let links = self.links;
        let mut seen = FxHashSet::default();
        for open in self.open.clone().iter().filter(|open| open.began == 0) {
            let is_again = !seen.insert((open.thread, open.lock, open.shared));
            let last = if open.end == 0 { u64::MAX } else { open.end };
            let mut acquired = links.acquisitions(open.thread, (self.prefix, last)).iter();
            if is_again || acquired.any(|a| (a.lock, a.shared) == (open.lock, open.shared)) {
                self.show_nested(open.thread, open.end);
            }
        }
    }

    /// Whether a thread stops before an event of the pair.
    fn is_of_pair(&self, t: ThreadId) -> bool {
        let is_of = |event| self.links.link(event).thread == t;
        is_of(self.pair.0) || (self.kind == Kind::Race && is_of(self.pair.1))
    }

    /// What the threads of the pair hold, and what its events acquire, comes last.
    fn wait_for_pair(&mut self) {
        let later = (self.kind == Kind::Race).then_some(self.pair.1);
        for index in [Some(self.pair.0), later].into_iter().flatten() {
            let t = self.links.link(index).thread;
            for next in self.links.acquisitions(t, (index - 1, index)) {
                let latest = self.latest.entry(next.lock).or_default();
                latest.add(u64::MAX, t, next.shared);
            }
        }
        for open in &self.open {
            if self.is_of_pair(open.thread) && self.is_open(open) {
                let latest = self.latest.entry(open.lock).or_default();
                latest.add(u64::MAX, open.thread, open.shared);
            }
        }
    }

    fn is_open(&self, open: &Open) -> bool {
        let known = self.parts.get(&open.thread);
        open.end == 0 || open.end > known.map_or(self.prefix, |part| part.known)
    }

    /// Adds the rest of the critical sections that must end before others begin: a
    /// certification would ask for them one by one.
    fn end_sections(&mut self) {
        loop {
            let mut ends = Vec::new();
            let mut open = std::mem::take(&mut self.open);
            open.retain(|open| {
                let is_open = open.end != 0 && self.is_open(open) && !self.is_of_pair(open.thread);
                let latest = self.latest.get(&open.lock);
                let must_end = is_open && latest.is_some_and(|latest| latest.is_after(open));
                ends.extend(must_end.then_some(open.end));
                is_open && !must_end
            });
            self.open = open;
            if ends.is_empty() {
                return;
            }
            ends.iter().for_each(|&end| self.need(end, true));
        }
    }

    /// The indices of the events, in order.
    pub(super) fn indices(&self) -> Vec<u64> {
        // order: the largest.
        let last = self.parts.values().map(|part| part.last).max();
        let mut indices = Indices::new(self.prefix, last.unwrap_or(self.prefix));
        // order: sorted afterwards.
        for (t, part) in &self.parts {
            let own = self.after(*t).iter();
            own.take_while(|&&index| index <= part.last)
                .for_each(|&index| indices.insert(index));
        }
        indices.sorted()
    }

    /// The events of a thread in the window.
    fn after(&self, t: ThreadId) -> &'a [u64] {
        let events = self.links.events(t);
        &events[events.partition_point(|&event| event <= self.prefix)..]
    }

    /// How many events of a thread are known.
    pub(super) fn known(&self, t: ThreadId) -> u32 {
        let known = self.parts.get(&t).map_or(self.prefix, |part| part.known);
        self.after(t).partition_point(|&event| event <= known) as u32
    }

    /// The threads of the slice, and those that matter because of what they did before it,
    /// in the order of the window.
    pub(super) fn threads(&self, before: &Before<'_>) -> Vec<ThreadId> {
        let held = before.held.iter().map(|hold| hold.0);
        let others = held.chain(before.waiting.keys().copied());
        // order: sorted below.
        let threads = self.parts.keys().copied().chain(others);
        let first = |t| Some((self.links.first(t, self.prefix)?, t));
        let mut threads: Vec<_> = threads.filter_map(first).collect();
        threads.sort_unstable();
        threads.dedup();
        threads.into_iter().map(|(_, t)| t).collect()
    }

    /// The event that ends the critical section that begins with an event; 0 if none does.
    pub(super) fn end(&self, index: u64) -> u64 {
        self.links.link(index).end
    }

    /// How many notifications of a condition variable the window has.
    pub(super) fn notifies(&self, c: CondvarId) -> usize {
        let notifies = self.links.notifies(c).iter();
        notifies.filter(|&&event| event > self.prefix).count()
    }
}
