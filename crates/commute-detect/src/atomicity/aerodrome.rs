//! AeroDrome (Mathur and Viswanathan, ASPLOS 2020), with snapshots.
//!
//! Claims: a violation is reported at the first event after which Definition 1
//! has a witness of which at most one transaction is open (Theorem 3); when
//! every open transaction has been ended as well, at the first one after which
//! there is any. Later reports are true cycles too: a report drops the order
//! that would close the cycle.
//!
//! Symbols: C_t → `Thread::clock`, C▷_t(t) → `Thread::begin`, W_x, R_x, L_l →
//! stamps in [`Touches`].
//!
//! Deviations from Algorithm 1: C▷_t ⊑ clk is decided by the component of t
//! alone. Points share *snapshots* of a thread's clock; a thread's own component
//! ticks with every snapshot, so what is known once is known for ever and need
//! not be compared again. `end` is nothing unless the thread learned something
//! after it had published: then it raises the threads and the snapshots that
//! know its begin, which are found in a list and not by a search. A fork
//! orders the child's next event, so a thread without events orders nothing.
//!
//! Threads are slots ([`slots`](crate::slots)). A thread that `t` forks takes over the slot
//! u of a thread without open transaction if C_t(u) is that thread's own component: t then
//! knows every snapshot of u (a snapshot has a component of its own, and all that u learned
//! afterwards is in none but by a join), and goes on to know what the snapshots are raised
//! by. So every touch of u comes before the new thread, and a touch by the new thread may
//! stand for it. If t has joined u and dropped the order because it closed a cycle, the new
//! thread continues the clock of u: its events come after those of u by the join and the
//! fork, so that later reports are true cycles. Of the threads whose slots were taken over
//! the clocks of the last few are kept; the order after one that is joined or forked again
//! later, by a thread that does not know its end, is lost.
//!
//! Cost with T threads at a time: an access is constant per touch that is known already,
//! else T; `end` is constant unless the thread learned, else T per snapshot
//! that knows the transaction.

use std::num::NonZeroU32;

use commute_clock::VectorClock;
use commute_model::{Event, ThreadId};

use super::algorithm::{Algorithm, Party, Violation};
use super::touches::{Order, Touches};
use crate::slots::Past;
use crate::snapshots::{SnapshotId, Snapshots, Weak};

/// The state of the algorithm.
#[derive(Clone, Debug, Default)]
pub(super) struct AeroDrome {
    threads: Vec<Thread>,
    snapshots: Snapshots,
    /// The threads with an open transaction.
    open: Vec<u32>,
    /// Threads whose slots were taken over.
    past: Past<Ended>,
    found: Vec<Violation>,
}

#[derive(Clone, Debug, Default)]
struct Thread {
    clock: VectorClock,
    /// Its own component when its open transaction began; 0 if there is none.
    begin: u32,
    /// Where it is among the threads with an open transaction.
    place: usize,
    /// A snapshot that is equal to `clock`.
    current: Option<Stamp>,
    /// Whether somebody may know its open transaction.
    published: bool,
    /// Whether it learned something since then.
    dirty: bool,
    /// Snapshots that know its open transaction.
    pending: Pending,
    started: bool,
    /// Forks that its next event comes after.
    forks: Vec<(u32, Stamp)>,
}

/// A thread whose slot was taken over.
#[derive(Clone, Debug)]
struct Ended {
    clock: VectorClock,
    started: bool,
    forks: Vec<(u32, Stamp)>,
}

/// A snapshot, and its owner's component when it was taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stamp {
    time: NonZeroU32,
    snapshot: SnapshotId,
}

/// Snapshots that may be dead.
#[derive(Clone, Debug, Default)]
struct Pending {
    list: Vec<Weak>,
    /// From this length on the dead ones are thrown out.
    most: usize,
}

/// A list of pending snapshots is at least so long before it is looked through.
const LEAST_PENDING: usize = 8;

impl Pending {
    fn push(&mut self, weak: Weak, snapshots: &Snapshots) {
        if self.list.len() >= self.most {
            self.list.retain(|&weak| snapshots.alive(weak).is_some());
            self.most = LEAST_PENDING.max(2 * self.list.len());
        }
        self.list.push(weak);
    }
}

impl AeroDrome {
    /// `t` learns `clock`, unless that closes a cycle. `own` if by an event of
    /// its own.
    fn take(
        thread: &mut Thread,
        clock: &VectorClock,
        own: bool,
        (t, other): (u32, Party),
        found: &mut Vec<Violation>,
    ) {
        if thread.begin > 0 && thread.begin <= clock.get(t) {
            report(found, t, other);
        } else if thread.clock.join_grows(clock) {
            thread.current = None;
            thread.dirty |= own && thread.published;
        }
    }

    fn thread(&mut self, t: u32) -> &mut Thread {
        let place = t as usize;
        while place >= self.threads.len() {
            let slot = self.threads.len() as u32;
            let mut thread = Thread::default();
            thread.clock.tick(slot);
            self.threads.push(thread);
        }
        &mut self.threads[place]
    }

    #[cold]
    fn start(&mut self, t: u32) {
        self.thread(t).started = true;
        for (parent, stamp) in std::mem::take(&mut self.threads[t as usize].forks) {
            self.after(t, parent, &stamp);
        }
    }

    /// A new snapshot of the clock of `t`.
    fn publish(&mut self, t: u32) -> Stamp {
        let thread = &mut self.threads[t as usize];
        thread.clock.tick(t);
        let time = NonZeroU32::new(thread.clock.get(t)).expect("just ticked");
        let snapshot = self.snapshots.take(&thread.clock);
        let stamp = Stamp { time, snapshot };
        thread.current = Some(stamp);
        let weak = self.snapshots.weak(snapshot);
        for &u in &self.open {
            let known = self.threads[t as usize].clock.get(u);
            let open = &mut self.threads[u as usize];
            if open.begin <= known {
                open.pending.push(weak, &self.snapshots);
            }
        }
        stamp
    }

    /// Everyone who knows the transaction of `t` now also knows what it learned.
    fn raise(&mut self, t: u32) {
        let begin = self.threads[t as usize].begin;
        let clock = std::mem::take(&mut self.threads[t as usize].clock);
        for (u, thread) in self.threads.iter_mut().enumerate() {
            let u = u as u32;
            if u != t && begin <= thread.clock.get(t) {
                let parties = (u, Party::current(t));
                AeroDrome::take(thread, &clock, false, parties, &mut self.found);
            }
        }
        let past = self.past.all();
        let raised = past.filter(|past| begin <= past.clock.get(t));
        raised.for_each(|past| past.clock.join(&clock));
        let pending = std::mem::take(&mut self.threads[t as usize].pending.list);
        for &weak in &pending {
            let Some(id) = self.snapshots.alive(weak) else {
                continue;
            };
            for &v in self.open.iter().filter(|&&v| v != t) {
                let open = &mut self.threads[v as usize];
                let (before, now) = (self.snapshots.clock(id).get(v), clock.get(v));
                if before < open.begin && open.begin <= now {
                    open.pending.push(weak, &self.snapshots);
                }
            }
            self.snapshots.clock_mut(id).join(&clock);
        }
        let thread = &mut self.threads[t as usize];
        thread.clock = clock;
        thread.pending.list = pending;
    }
}

#[cold]
fn report(found: &mut Vec<Violation>, slot: u32, other: Party) {
    found.push(Violation {
        slot,
        other,
        cycle: None,
    });
}

impl Order for AeroDrome {
    type Stamp = Stamp;

    #[inline(always)]
    fn after(&mut self, t: u32, u: u32, stamp: &Stamp) {
        if u == t || self.knows(t, u, stamp) {
            return;
        }
        let clock = self.snapshots.clock(stamp.snapshot);
        let thread = &mut self.threads[t as usize];
        let other = Party::User(u, stamp.time.get());
        AeroDrome::take(thread, clock, true, (t, other), &mut self.found);
    }

    /// What is known once is known for ever.
    #[inline(always)]
    fn knows(&self, t: u32, u: u32, stamp: &Stamp) -> bool {
        stamp.time.get() <= self.threads[t as usize].clock.get(u)
    }

    /// A snapshot that knows no open transaction will not come to know one.
    fn is_over(&self, stamp: &Stamp) -> bool {
        let clock = self.snapshots.clock(stamp.snapshot);
        let mut open = self.open.iter();
        open.all(|&u| clock.get(u) < self.threads[u as usize].begin)
    }

    #[inline(always)]
    fn stamp(&mut self, t: u32) -> Stamp {
        let thread = &mut self.threads[t as usize];
        thread.published = true;
        match thread.current {
            Some(stamp) => stamp,
            None => self.publish(t),
        }
    }
}

impl Algorithm for AeroDrome {
    #[inline(always)]
    fn event(&mut self, t: u32, _index: u64, _event: &Event) {
        match self.threads.get(t as usize) {
            Some(thread) if thread.started && thread.forks.is_empty() => {}
            _ => self.start(t),
        }
    }

    fn begin(&mut self, t: u32, index: u64, event: &Event) {
        self.event(t, index, event);
        let thread = &mut self.threads[t as usize];
        thread.clock.tick(t);
        thread.begin = thread.clock.get(t);
        thread.published = false;
        thread.dirty = false;
        thread.current = None;
        thread.place = self.open.len();
        self.open.push(t);
    }

    fn end(&mut self, t: u32, _touches: &mut Touches<Stamp>) {
        if self.threads[t as usize].dirty {
            self.raise(t);
        }
        let thread = &mut self.threads[t as usize];
        thread.begin = 0;
        thread.pending.list.clear();
        let place = thread.place;
        self.open.swap_remove(place);
        if let Some(&moved) = self.open.get(place) {
            self.threads[moved as usize].place = place;
        }
    }

    fn fork(&mut self, t: u32, u: u32) {
        self.thread(u);
        let stamp = self.stamp(t);
        self.threads[u as usize].forks.push((t, stamp));
    }

    fn join(&mut self, t: u32, u: u32) {
        if !self.thread(u).started {
            return;
        }
        // If the child goes on, which no thread does: its block is known.
        self.threads[u as usize].published = true;
        let clock = std::mem::take(&mut self.threads[u as usize].clock);
        let thread = &mut self.threads[t as usize];
        let parties = (t, Party::current(u));
        AeroDrome::take(thread, &clock, true, parties, &mut self.found);
        self.threads[u as usize].clock = clock;
    }

    fn is_unused(&self) -> bool {
        self.threads.is_empty()
    }

    fn is_known(&self, t: u32, u: u32, is_own: bool) -> bool {
        let Some(thread) = self.threads.get(u as usize) else {
            return true;
        };
        // The component of a thread without events is one that no snapshot has.
        let time = thread.clock.get(u) - u32::from(!thread.started);
        let is_known = is_own || time <= self.threads[t as usize].clock.get(u);
        is_known && thread.begin == 0
    }

    fn take_over(&mut self, t: u32, u: u32, last: ThreadId) -> u32 {
        let known = self.thread(t).clock.get(u);
        let thread = self.thread(u);
        let before = std::mem::take(thread);
        let time = before.clock.get(u);
        if time > known && before.started {
            thread.clock.copy_from(&before.clock);
        }
        thread.clock.set(u, time + u32::from(before.started));
        let start = thread.clock.get(u);
        if before.started || !before.forks.is_empty() {
            let ended = Ended {
                clock: before.clock,
                started: before.started,
                forks: before.forks,
            };
            self.past.push(last, ended);
        }
        start
    }

    fn resume(&mut self, t: u32, thread: ThreadId) {
        if let Some(past) = self.past.take(thread) {
            let thread = self.thread(t);
            thread.clock.join(&past.clock);
            thread.started = past.started;
            thread.forks = past.forks;
        }
    }

    fn join_past(&mut self, t: u32, thread: ThreadId) {
        if let Some(past) = self.past.get(thread).filter(|past| past.started) {
            let other = Party::Thread(thread);
            let thread = &mut self.threads[t as usize];
            AeroDrome::take(thread, &past.clock, true, (t, other), &mut self.found);
        }
    }

    #[inline]
    fn rest(&mut self, touches: &mut Touches<Stamp>) {
        let AeroDrome {
            threads,
            snapshots,
            past,
            ..
        } = self;
        if snapshots.is_due(threads.len()) {
            snapshots.collect(|show| {
                touches.for_each(|stamp| show(stamp.snapshot));
                let forks = past.all().flat_map(|past| &past.forks);
                forks.for_each(|(_, stamp)| show(stamp.snapshot));
                for thread in threads {
                    let stamps = thread.forks.iter().map(|(_, stamp)| stamp);
                    stamps
                        .chain(&thread.current)
                        .for_each(|stamp| show(stamp.snapshot));
                }
            });
        }
    }

    #[inline(always)]
    fn found(&mut self) -> &mut Vec<Violation> {
        &mut self.found
    }
}
