//! Bounded tracking of critical sections (thesis §3.5, Definition 3.5.1 and
//! Algorithm 3).
//!
//! Claims: with unbounded memory, the same pairs as [`edc`](super::edc). With
//! bounds, some of them and no others: the order that can no longer be told is
//! assumed, so that clocks know more, never less.
//!
//! Symbols: a mutex-access shadow word ⟨t, m, a, w⟩ → `Word`, with the touch for
//! the write bit; S_x → `Place::words`; N_m, M_t → `Section::number`; H_m →
//! `Lock::releases`.
//!
//! Deviations. Line 8 puts the acquiring count into the word, not H_m. As
//! printed, a word that finds no empty place is not stored at all, and then the
//! order is lost, which reports more than there is; here the oldest word goes,
//! and its lock is marked: from then on whoever touches the place in a section
//! of this lock comes after all its earlier sections, as in happens-before. A
//! release time that is not kept any more is replaced by the join of all that
//! are not. As printed, a write replaces every word it conflicts with, and a
//! read of a thread that reads again is stored twice; here a word is replaced by
//! one that stands for it: whatever communicates with the old access
//! communicates with the new one, which comes after it. Words are per place,
//! which is a variable, a condition variable or a key of an object. Candidates
//! and last accesses are those of [`edc`](super::edc) and not bounded here, and the
//! pass around all reference analyses keeps every event to name it at the end: what
//! is bounded is the tracking of critical sections, not the analysis, and nothing is
//! reported while the trace is read.
//!
//! Cost: per event, the words of the places it touches × the locks held × the
//! width of a clock; per release, a clock.

use std::collections::BTreeMap;

use commute_clock::VectorClock;
use commute_model::{LockId, ThreadId};
use rustc_hash::FxHashMap;

use super::edc::SectionOrder;
use super::places::{PlaceId, Touch, Touched};
use super::threads::{Section, Threads};

/// How much is remembered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Shadow words per variable.
    pub words: usize,
    /// Release times per lock.
    pub releases: usize,
}

impl Bounds {
    /// Everything is remembered, for comparison.
    pub const NONE: Bounds = Bounds {
        words: usize::MAX,
        releases: usize::MAX,
    };
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            words: 4,
            releases: 8,
        }
    }
}

/// The state of Algorithm 3.
#[derive(Clone, Debug)]
pub(super) struct ShadowWords {
    bounds: Bounds,
    places: FxHashMap<PlaceId, Place>,
    locks: FxHashMap<LockId, Lock>,
    assumed: u64,
}

#[derive(Clone, Debug, Default)]
struct Place {
    /// Oldest first.
    words: Vec<Word>,
    /// The locks of which words were given up, as bits. Locks that share a bit
    /// are all marked.
    lost: u64,
}

/// An access inside a critical section.
#[derive(Clone, Debug)]
struct Word {
    thread: ThreadId,
    section: Section,
    touch: Touch,
}

/// The release times of one lock; by whether the section was exclusive where
/// there are two.
#[derive(Clone, Debug, Default)]
struct Lock {
    releases: BTreeMap<u64, (bool, VectorClock)>,
    /// The join of those that are not in `releases` any more.
    gone: [VectorClock; 2],
    /// The join of all.
    all: [VectorClock; 2],
}

impl ShadowWords {
    pub(super) fn new(bounds: Bounds) -> ShadowWords {
        ShadowWords {
            bounds,
            places: FxHashMap::default(),
            locks: FxHashMap::default(),
            assumed: 0,
        }
    }
}

impl SectionOrder for ShadowWords {
    fn touch(&mut self, t: ThreadId, touched: &Touched, threads: &mut Threads) {
        let mut learned = VectorClock::default();
        for (place, touch) in &touched.points {
            // Nothing communicates with these: there is nothing to learn.
            if matches!(touch, Touch::Free | Touch::Wait) || threads.open(t).is_empty() {
                continue;
            }
            let place = self.places.entry(*place).or_default();
            let communicates = |old: &Word| {
                let conflict = touched.conflict(&old.touch, touch);
                conflict.is_some_and(|conflict| conflict.communicates)
            };
            for section in threads.open(t) {
                let lock = self.locks.entry(section.lock).or_default();
                if place.has_lost(section) {
                    self.assumed += 1;
                    lock.learn_all(section, &mut learned);
                    continue;
                }
                for old in &place.words {
                    if old.thread != t && old.excludes(section) && communicates(old) {
                        let told = lock.learn(&old.section, &mut learned);
                        self.assumed += u64::from(!told);
                    }
                }
            }
            if *touch == Touch::Wake {
                continue; // It learns, but nobody learns of it.
            }
            for &section in threads.open(t) {
                let word = Word {
                    thread: t,
                    section,
                    touch: touch.clone(),
                };
                let comes_after = |old: &Word| {
                    old.thread == t || old.excludes(&word.section) && communicates(old)
                };
                let replaced = |old: &Word| word.stands_for(old) && comes_after(old);
                place.words.retain(|old| !replaced(old));
                place.add(word, self.bounds.words);
            }
        }
        threads.learn(t, &learned);
    }

    fn released(&mut self, section: &Section, clock: &VectorClock) {
        let lock = self.locks.entry(section.lock).or_default();
        let exclusive = section.exclusive;
        lock.all[usize::from(exclusive)].join(clock);
        let release = (exclusive, clock.clone());
        lock.releases.insert(section.number, release);
        if lock.releases.len() > self.bounds.releases
            && let Some((_, (exclusive, clock))) = lock.releases.pop_first()
        {
            lock.gone[usize::from(exclusive)].join(&clock);
        }
    }

    fn forget(&mut self, place: PlaceId) {
        self.places.remove(&place);
    }

    fn assumed(&self) -> u64 {
        self.assumed
    }
}

impl Place {
    /// Whether words of the section's lock may have been given up.
    fn has_lost(&self, section: &Section) -> bool {
        self.lost & bit(section.lock) != 0
    }

    /// Adds a word; gives up the oldest if there are too many, and then all of
    /// its lock, because they say nothing any more.
    fn add(&mut self, word: Word, most: usize) {
        if self.has_lost(&word.section) {
            return;
        }
        self.words.push(word);
        if self.words.len() > most {
            self.lost |= bit(self.words[0].section.lock);
            let lost = self.lost;
            self.words.retain(|word| lost & bit(word.section.lock) == 0);
        }
    }
}

/// The bit of a lock in [`Place::lost`].
fn bit(lock: LockId) -> u64 {
    1 << (lock.0 % 64)
}

impl Word {
    /// Whether the word's section and an open one are of the same lock and
    /// cannot be open at the same time.
    fn excludes(&self, open: &Section) -> bool {
        let exclusive = self.section.exclusive || open.exclusive;
        self.section.lock == open.lock && exclusive
    }

    /// Whether everybody who comes after `old` also comes after this word.
    fn stands_for(&self, old: &Word) -> bool {
        let (mine, theirs) = (&self.section, &old.section);
        let touch =
            self.touch == old.touch || self.touch == Touch::Write && old.touch == Touch::Read;
        mine.lock == theirs.lock && (mine.exclusive || !theirs.exclusive) && touch
    }
}

impl Lock {
    /// Adds the release time of a section to `learned`; if it is not kept any
    /// more, at least that. Whether it is kept.
    fn learn(&self, section: &Section, learned: &mut VectorClock) -> bool {
        match self.releases.get(&section.number) {
            Some((_, clock)) => learned.join(clock),
            None => learned.join(&self.gone[usize::from(section.exclusive)]),
        }
        self.releases.contains_key(&section.number)
    }

    /// Adds all release times that somebody in an open section may come after.
    fn learn_all(&self, open: &Section, learned: &mut VectorClock) {
        learned.join(&self.all[1]);
        if open.exclusive {
            learned.join(&self.all[0]);
        }
    }
}
