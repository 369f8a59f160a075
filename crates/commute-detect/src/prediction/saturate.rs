//! What must come before what, if exactly these events are to happen.
//!
//! Some of it is known from the start: program order, what an event needs, what
//! does not commute. The rest follows from that, and is added until nothing more
//! follows: a write that comes before a read comes before the write that the read
//! sees, and one that comes after the latter comes after the read; of two
//! sections of a lock one ends before the other begins. If something would have
//! to come before itself, there is no such order. If not, there may still be
//! none, but a search finds out soon.

use super::facts::{LockOp, LockUse, NONE, No, Touch};
use super::window::Window;

/// For every event of the window those that come before it, as far as they do
/// not follow from others.
pub(super) type Before = Vec<Vec<No>>;

/// A section of a lock.
#[derive(Clone, Copy, Debug)]
struct Section {
    thread: u32,
    shared: bool,
    /// Its first event; [`NONE`] if it began before the window.
    acquire: No,
    /// Its last; [`NONE`] if it does not end in the set.
    release: No,
}

struct Saturate<'a, 'w> {
    window: &'a Window<'w>,
    set: &'a [u32],
    before: Before,
    /// For every event how many events of each thread come before it or are it.
    clocks: Vec<u32>,
    grown: bool,
    /// Whether there will be no other events.
    whole: bool,
}

/// What must come before what; `None` if that is impossible. Sections of threads
/// that `may_go_on` may have an end that is not in the set.
pub(super) fn saturate(
    window: &Window<'_>,
    set: &[u32],
    may_go_on: impl Fn(u32) -> bool,
) -> Option<Before> {
    let threads = 0..window.threads.len() as u32;
    let mut saturate = Saturate {
        window,
        set,
        before: vec![Vec::new(); window.events.len()],
        clocks: vec![0; window.events.len() * window.threads.len()],
        grown: true,
        whole: !threads.chain(window.others()).any(&may_go_on),
    };
    let mut sections = saturate.sections();
    for sections in &mut sections {
        sections.retain(|section| section.release != NONE || !may_go_on(section.thread));
    }
    saturate.start();
    while saturate.grown {
        saturate.grown = false;
        if !saturate.order() {
            return None;
        }
        saturate.variables();
        saturate.condvars();
        for sections in &sections {
            if !saturate.lock(sections) {
                return None;
            }
        }
    }
    Some(saturate.before)
}

impl Saturate<'_, '_> {
    fn within(&self, no: No) -> bool {
        let facts = &self.window.facts[no as usize];
        facts.place < self.set[facts.thread as usize]
    }

    fn events(&self) -> impl Iterator<Item = No> {
        let threads = self.window.threads.iter().zip(self.set);
        threads.flat_map(|(events, &count)| events[..count as usize].iter().copied())
    }

    /// `a` comes before `b`.
    fn add(&mut self, a: No, b: No) {
        if !self.comes_before(a, b) && !self.before[b as usize].contains(&a) {
            self.before[b as usize].push(a);
            self.grown = true;
        }
    }

    /// Whether `a` is known to come before `b`.
    fn comes_before(&self, a: No, b: No) -> bool {
        let facts = &self.window.facts[a as usize];
        let threads = self.window.threads.len();
        let clock = self.clocks[b as usize * threads + facts.thread as usize];
        a != b && clock > facts.place
    }

    fn start(&mut self) {
        let events: Vec<No> = self.events().collect();
        for &no in &events {
            let facts = &self.window.facts[no as usize];
            let earlier = facts
                .after
                .iter()
                .chain(&facts.sees)
                .chain(&facts.conflicts);
            let earlier = earlier.copied().filter(|&earlier| self.within(earlier));
            self.before[no as usize] = earlier.collect();
        }
    }

    /// Brings the clocks up to date; whether nothing comes before itself.
    fn order(&mut self) -> bool {
        let threads = self.window.threads.len();
        let mut at = vec![0; threads];
        let mut left: usize = self.set.iter().map(|&count| count as usize).sum();
        let mut moved = true;
        while moved {
            moved = false;
            for t in 0..threads {
                while at[t] < self.set[t] {
                    let no = self.window.threads[t][at[t] as usize];
                    let done = |no: &No| {
                        let facts = &self.window.facts[*no as usize];
                        at[facts.thread as usize] > facts.place
                    };
                    if !self.before[no as usize].iter().all(done) {
                        break;
                    }
                    self.clock(no, t);
                    at[t] += 1;
                    left -= 1;
                    moved = true;
                }
            }
        }
        left == 0
    }

    fn clock(&mut self, no: No, thread: usize) {
        let threads = self.window.threads.len();
        let place = self.window.facts[no as usize].place;
        let mut clock = vec![0; threads];
        let previous = place.checked_sub(1);
        let previous = previous.map(|place| self.window.threads[thread][place as usize]);
        for &earlier in previous.iter().chain(&self.before[no as usize]) {
            let from = earlier as usize * threads;
            let known = &self.clocks[from..from + threads];
            clock
                .iter_mut()
                .zip(known)
                .for_each(|(mine, theirs)| *mine = (*mine).max(*theirs));
        }
        clock[thread] = place + 1;
        let from = no as usize * threads;
        self.clocks[from..from + threads].copy_from_slice(&clock);
    }

    fn variables(&mut self) {
        let window = self.window;
        for (x, variable) in window.variables.iter().enumerate() {
            let inside = |list: &[No]| -> Vec<No> {
                let inside = list.iter().copied().filter(|&no| self.within(no));
                inside.collect()
            };
            let (reads, writes) = (inside(&variable.reads), inside(&variable.writes));
            let frees = inside(&variable.frees);
            for &read in &reads {
                let Touch::Read(_, writer, _) = window.facts[read as usize].touch else {
                    continue;
                };
                for &other in writes.iter().filter(|&&other| other != writer) {
                    if writer == NONE || self.comes_before(writer, other) {
                        self.add(read, other);
                    } else if self.comes_before(other, read) {
                        self.add(other, writer);
                    }
                }
            }
            if frees.is_empty() {
                continue;
            }
            for access in variable.notice() {
                let mut lives = window.facts[access as usize].lives();
                let freed = lives.any(|(life, freed)| life as usize == x && freed);
                if freed || !self.within(access) {
                    continue;
                }
                for &free in frees.iter().filter(|&&free| free != access) {
                    self.add(access, free);
                }
            }
        }
    }

    fn condvars(&mut self) {
        for thread in 0..self.window.threads.len() {
            let mut wait = NONE;
            for place in 0..self.set[thread] as usize {
                let no = self.window.threads[thread][place];
                match self.window.facts[no as usize].touch {
                    Touch::Wait(_) => wait = no,
                    Touch::Wake(condvar, notified) => {
                        let before = wait == NONE && self.window.waiting[thread].1;
                        self.wake((wait, no), condvar, notified, before);
                    }
                    _ => {}
                }
            }
        }
    }

    fn wake(&mut self, (wait, wake): (No, No), condvar: u32, notified: bool, before: bool) {
        let notifies = &self.window.notifies[condvar as usize];
        let is_only = notifies.len() == 1 && self.window.notified_outside(condvar).is_none();
        let inside: Vec<No> = { notifies.iter() }
            .copied()
            .filter(|&no| self.within(no))
            .collect();
        match (notified, before, &inside[..]) {
            // If there is another one, it may be added.
            (true, false, &[notify]) if is_only || self.whole => {
                self.add(notify, wake);
                if wait != NONE {
                    self.add(wait, notify);
                }
            }
            (false, ..) => {
                for &notify in &inside {
                    if wait == NONE || self.comes_before(wait, notify) {
                        self.add(wake, notify);
                    } else if self.comes_before(notify, wake) {
                        self.add(notify, wait);
                    }
                }
            }
            _ => {}
        }
    }

    /// The outermost sections of each lock.
    fn sections(&self) -> Vec<Vec<Section>> {
        let mut all: Vec<Vec<Section>> = vec![Vec::new(); self.window.locks];
        for thread in 0..self.window.threads.len() {
            let mut open: Vec<(u32, u32, Section)> = Vec::new();
            let begin = |open: &mut Vec<(u32, u32, Section)>, lock, shared, levels, acquire| {
                let mine = |o: &&mut (u32, u32, Section)| o.0 == lock && o.2.shared == shared;
                match open.iter_mut().find(mine) {
                    Some((_, depth, _)) => *depth += levels,
                    None => {
                        let section = Section {
                            thread: thread as u32,
                            shared,
                            acquire,
                            release: NONE,
                        };
                        open.push((lock, levels, section));
                    }
                }
            };
            for &(lock, shared) in &self.window.held[thread] {
                begin(&mut open, lock, shared, 1, NONE);
            }
            for &no in &self.window.threads[thread][..self.set[thread] as usize] {
                let Some(LockUse { lock, op, levels }) = self.window.facts[no as usize].lock else {
                    continue;
                };
                let shared = matches!(op, LockOp::ReadAcquire | LockOp::ReadRelease);
                if matches!(op, LockOp::Acquire | LockOp::ReadAcquire) {
                    begin(&mut open, lock, shared, levels, no);
                } else if let Some(place) =
                    { open.iter() }.position(|o| o.0 == lock && o.2.shared == shared)
                {
                    open[place].1 = open[place].1.saturating_sub(levels);
                    if open[place].1 == 0 {
                        let (_, _, mut section) = open.remove(place);
                        section.release = no;
                        all[lock as usize].push(section);
                    }
                }
            }
            for (lock, _, section) in open {
                all[lock as usize].push(section);
            }
        }
        all
    }

    /// Orders the sections of a lock; whether that is possible.
    fn lock(&mut self, sections: &[Section]) -> bool {
        for x in sections {
            for y in sections {
                if x.thread == y.thread || (x.shared && y.shared) {
                    continue;
                }
                let first = x.acquire == NONE || y.release == NONE;
                let first = first || self.comes_before(x.acquire, y.release);
                if !first {
                    continue;
                }
                if x.release == NONE || y.acquire == NONE {
                    return false;
                }
                self.add(x.release, y.acquire);
            }
        }
        true
    }
}
