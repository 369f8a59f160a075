//! Critical sections that are open when some events have happened, and which of them are in
//! the way of others.

use super::certify::{Certify, Kind};
use super::facts::{LockOp, LockUse, No};
use super::slice::Lack;

/// A section of a lock that has begun, and not ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Section {
    pub(super) thread: u32,
    pub(super) lock: u32,
    shared: bool,
    /// Where it began; `None` before the window.
    began: Option<No>,
    /// Which one of those that its thread held before the window.
    hold: usize,
    /// The place in its thread after its end, if it ends; from [`OUTSIDE`] on the number of
    /// an event outside of the slice.
    pub(super) end: Option<u32>,
}

/// The first number that is no place in a thread.
pub(super) const OUTSIDE: u32 = 1 << 31;

impl Certify<'_, '_> {
    /// The sections that are open when exactly this set has happened.
    pub(super) fn sections(&mut self, set: &[u32]) -> Vec<Section> {
        for (thread, &count) in set.iter().enumerate() {
            if self.sections[thread]
                .as_ref()
                .is_none_or(|&(of, _)| of != count)
            {
                self.sections[thread] = Some((count, self.sections_of(thread, count)));
            }
        }
        let sections = { self.sections.iter().flatten() }.flat_map(|(_, sections)| sections);
        sections.copied().collect()
    }

    /// The sections of a thread that are open when so many of its events have happened.
    fn sections_of(&self, thread: usize, count: u32) -> Vec<Section> {
        let held = &self.window.held[thread];
        let held = held.iter().enumerate();
        let held = held.map(|(hold, &(lock, shared))| Section {
            thread: thread as u32,
            lock,
            shared,
            began: None,
            hold,
            end: None,
        });
        let mut open: Vec<Section> = held.collect();
        let events = &self.window.lock_uses[thread];
        for &no in events {
            let facts = &self.window.facts[no as usize];
            let Some(LockUse { lock, op, levels }) = facts.lock else {
                continue;
            };
            let inside = facts.place < count;
            let shared = matches!(op, LockOp::ReadAcquire | LockOp::ReadRelease);
            for _ in 0..levels {
                match op {
                    LockOp::Acquire | LockOp::ReadAcquire if inside => open.push(Section {
                        thread: thread as u32,
                        lock,
                        shared,
                        began: Some(no),
                        hold: 0,
                        end: None,
                    }),
                    LockOp::Release | LockOp::ReadRelease => {
                        let mine = |s: &Section| s.lock == lock && s.shared == shared;
                        let mine = |s: &Section| mine(s) && s.end.is_none();
                        let Some(last) = open.iter().rposition(mine) else {
                            continue;
                        };
                        if inside {
                            open.remove(last);
                        } else {
                            open[last].end = Some(facts.place + 1);
                        }
                    }
                    _ => {}
                }
            }
        }
        for section in open.iter_mut().filter(|s| s.end.is_none()) {
            self.end_outside(section);
        }
        // Only the outermost of nested holds says when the lock is free again.
        let outermost = |s: &Section, others: &[Section]| {
            s.end.is_none() || { others.iter() }
                .all(|o| o.lock != s.lock || o.end.is_none() || o.end <= s.end)
        };
        let is_nested = |(i, s): (usize, &Section)| open[..i].iter().any(|o| o.lock == s.lock);
        if open.iter().enumerate().any(is_nested) {
            let all = open.clone();
            open.retain(|section| outermost(section, &all));
        }
        open
    }

    /// Looks for the end of a section outside of the slice.
    fn end_outside(&self, section: &mut Section) {
        let began = section.began.ok_or(section.hold);
        match self.window.end_outside(section.thread, began) {
            Ok(Some(index)) => {
                let mut outside = self.outside.borrow_mut();
                section.end = Some(OUTSIDE + outside.len() as u32);
                outside.push(index);
            }
            Ok(None) => {}
            Err(()) => self.look_for(Lack::Everything),
        }
    }

    /// An open section of a lock that an event of the pair acquires: the section has to
    /// end before the event can execute.
    pub(super) fn waited_for(&self, sections: &[Section]) -> Option<Section> {
        let last = [
            Some(self.earlier),
            (self.kind == Kind::Race).then_some(self.later),
        ];
        let is_waited_for = |section: &&Section| {
            last.iter().flatten().any(|&no| {
                let facts = &self.window.facts[no as usize];
                facts.thread != section.thread
                    && facts.lock.is_some_and(|used| {
                        used.lock == section.lock
                            && match used.op {
                                LockOp::Acquire => true,
                                LockOp::ReadAcquire => !section.shared,
                                LockOp::Release | LockOp::ReadRelease => false,
                            }
                    })
            })
        };
        sections.iter().find(is_waited_for).copied()
    }

    /// A section that must be closed so that a later one of the set can follow:
    /// its end, or `Some(None)` if it has none or may not end.
    pub(super) fn in_the_way(
        &mut self,
        set: &[u32],
        sections: &[Section],
    ) -> Option<Option<(u32, u32)>> {
        for section in sections {
            if self.is_of_pair(section.thread) {
                continue;
            }
            let blocks = |no: &No| {
                let facts = &self.window.facts[*no as usize];
                let later = section.began.is_none_or(|began| began < *no);
                let acquires = |LockUse { op, .. }| {
                    let shared = op == LockOp::ReadAcquire;
                    (shared || op == LockOp::Acquire) && !(shared && section.shared)
                };
                facts.thread != section.thread
                    && facts.place < set[facts.thread as usize]
                    && later
                    && facts.lock.is_some_and(acquires)
            };
            let mut uses = self.window.uses_of[section.lock as usize].iter();
            let by_frozen = sections.iter().any(|other| {
                other.thread != section.thread
                    && other.lock == section.lock
                    && !(other.shared && section.shared)
                    && self.is_of_pair(other.thread)
            });
            if by_frozen || uses.any(blocks) {
                if section.end.is_none() {
                    self.open = true;
                }
                return Some(section.end.map(|end| (section.thread, end)));
            }
        }
        None
    }
}

/// Two open sections that cannot both be open.
pub(super) fn incompatible(sections: &[Section]) -> Option<(Section, Section)> {
    for (i, a) in sections.iter().enumerate() {
        for b in &sections[i + 1..] {
            if a.thread != b.thread && a.lock == b.lock && !(a.shared && b.shared) {
                return Some((*a, *b));
            }
        }
    }
    None
}
