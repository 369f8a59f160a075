//! The invocations and returns of a history, in a list from which calls are lifted.

/// A doubly linked list of events, in the order of their times. Place 0 is both ends.
///
/// Calls are lifted out of it and put back in reverse order, so a lifted entry still
/// knows its neighbours.
#[derive(Clone, Debug)]
pub(super) struct Entries {
    next: Vec<usize>,
    previous: Vec<usize>,
    events: Vec<Entry>,
    /// Where the invocation and the return of each call are.
    places: Vec<(usize, Option<usize>)>,
}

/// What is at a place of the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Entry {
    /// There is nothing more.
    End,
    /// A call begins.
    Invocation(usize),
    /// A call that is still in the list ends.
    Return,
}

impl Entries {
    /// The events of calls that are invoked and return at these times.
    pub(super) fn new(calls: &[(u64, Option<u64>)]) -> Entries {
        let mut order = Vec::with_capacity(2 * calls.len());
        for (call, &(invoked, returned)) in calls.iter().enumerate() {
            order.push((invoked, call, Entry::Invocation(call)));
            order.extend(returned.map(|at| (at, call, Entry::Return)));
        }
        order.sort_unstable_by_key(|&(time, ..)| time);
        let len = order.len() + 1;
        let mut entries = Entries {
            next: (0..len).map(|place| (place + 1) % len).collect(),
            previous: (0..len).map(|place| (place + len - 1) % len).collect(),
            events: vec![Entry::End; len],
            places: vec![(0, None); calls.len()],
        };
        for (place, (_, call, entry)) in order.into_iter().enumerate() {
            entries.events[place + 1] = entry;
            match entry {
                Entry::Return => entries.places[call].1 = Some(place + 1),
                _ => entries.places[call].0 = place + 1,
            }
        }
        entries
    }

    /// The place after this one; after place 0, the first one.
    pub(super) fn after(&self, place: usize) -> usize {
        self.next[place]
    }

    pub(super) fn at(&self, place: usize) -> Entry {
        self.events[place]
    }

    /// Takes a call out.
    pub(super) fn lift(&mut self, call: usize) {
        let (invocation, end) = self.places[call];
        self.unlink(invocation);
        if let Some(end) = end {
            self.unlink(end);
        }
    }

    /// Puts the call back that was taken out last.
    pub(super) fn put_back(&mut self, call: usize) {
        let (invocation, end) = self.places[call];
        if let Some(end) = end {
            self.link(end);
        }
        self.link(invocation);
    }

    fn unlink(&mut self, place: usize) {
        let (previous, next) = (self.previous[place], self.next[place]);
        self.next[previous] = next;
        self.previous[next] = previous;
    }

    fn link(&mut self, place: usize) {
        let (previous, next) = (self.previous[place], self.next[place]);
        self.next[previous] = place;
        self.previous[next] = place;
    }
}
