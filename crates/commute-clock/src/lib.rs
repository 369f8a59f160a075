//! Vector clocks and epochs.
//!
//! A vector clock maps every thread to a number: how much of that thread's
//! past is known. Threads are given by *slot*, a small dense index, so that a
//! clock is a plain vector; what is beyond its end is 0.
//!
//! An [`Epoch`] is one component of a clock: a thread and its own time. An
//! event with epoch `c@t` is known to clock `C` iff `c ≤ C(t)`, so one event
//! is compared with a clock in constant time (FastTrack's observation).
//!
//! ```
//! use commute_clock::{Epoch, VectorClock};
//!
//! let mut main = VectorClock::default();
//! main.tick(0);
//! let mut child = main.clone();
//! child.tick(1);
//! main.tick(0);
//! let in_main = Epoch { slot: 0, time: main.get(0) };
//! assert!(!child.knows(in_main));
//! child.join(&main);
//! assert!(child.knows(in_main));
//! ```

use std::fmt;

/// A point in time of one thread.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Epoch {
    /// The slot of the thread.
    pub slot: u32,
    /// Its own component at that time; 0 is before everything.
    pub time: u32,
}

/// How much of every thread's past is known.
#[derive(Clone, Eq, Default)]
pub struct VectorClock {
    times: Vec<u32>,
}

impl VectorClock {
    /// The component of `slot`.
    #[inline]
    pub fn get(&self, slot: u32) -> u32 {
        self.times.get(slot as usize).copied().unwrap_or(0)
    }

    /// Sets the component of `slot`.
    pub fn set(&mut self, slot: u32, time: u32) {
        let slot = slot as usize;
        if slot >= self.times.len() {
            self.times.resize(slot + 1, 0);
        }
        self.times[slot] = time;
    }

    /// Advances the component of `slot` by one (the papers' `inc`).
    ///
    /// # Panics
    /// After 2³² − 1 steps of one thread: a clock that wrapped round would
    /// order events that are not ordered.
    #[inline]
    pub fn tick(&mut self, slot: u32) {
        let time = self.get(slot).checked_add(1);
        let time = time.expect("a thread synchronised more than four billion times");
        self.set(slot, time);
    }

    /// Whether an event at `epoch` is known (`epoch ⊑ self`).
    #[inline]
    pub fn knows(&self, epoch: Epoch) -> bool {
        epoch.time <= self.get(epoch.slot)
    }

    /// Learns everything `other` knows (`self ⊔ other`).
    #[inline]
    pub fn join(&mut self, other: &VectorClock) {
        if other.times.len() > self.times.len() {
            self.times.resize(other.times.len(), 0);
        }
        for (mine, theirs) in self.times.iter_mut().zip(&other.times) {
            *mine = (*mine).max(*theirs);
        }
    }

    /// The same, and whether there was anything new.
    #[inline]
    pub fn join_grows(&mut self, other: &VectorClock) -> bool {
        if other.times.len() > self.times.len() {
            self.times.resize(other.times.len(), 0);
        }
        let mut new = 0;
        for (mine, theirs) in self.times.iter_mut().zip(&other.times) {
            let more = (*mine).max(*theirs);
            new |= *mine ^ more;
            *mine = more;
        }
        new != 0
    }

    /// Keeps what `other` knows, too (`self ⊓ other`).
    pub fn meet(&mut self, other: &VectorClock) {
        self.times.truncate(other.times.len());
        for (mine, theirs) in self.times.iter_mut().zip(&other.times) {
            *mine = (*mine).min(*theirs);
        }
    }

    /// Becomes a copy of `other`, keeping its own memory.
    #[inline]
    pub fn copy_from(&mut self, other: &VectorClock) {
        self.times.clear();
        self.times.extend_from_slice(&other.times);
    }

    /// Forgets everything (⊥).
    pub fn clear(&mut self) {
        self.times.clear();
    }

    /// Whether every component is 0.
    pub fn is_bottom(&self) -> bool {
        self.times.iter().all(|&t| t == 0)
    }

    /// Whether everything this clock knows, `other` knows (`self ⊑ other`).
    pub fn le(&self, other: &VectorClock) -> bool {
        let mut slots = self.times.iter().enumerate();
        slots.all(|(slot, &time)| time <= other.get(slot as u32))
    }

    /// The components, without trailing zeros.
    pub fn times(&self) -> &[u32] {
        let end = self.times.iter().rposition(|&t| t != 0);
        &self.times[..end.map_or(0, |i| i + 1)]
    }
}

impl PartialEq for VectorClock {
    fn eq(&self, other: &VectorClock) -> bool {
        self.times() == other.times()
    }
}

/// Prints the clock as the papers do: `⟨2,1,0⟩`.
impl fmt::Display for VectorClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = f.width().unwrap_or(0).max(self.times().len());
        f.write_str("⟨")?;
        for slot in 0..width {
            let comma = if slot > 0 { "," } else { "" };
            write!(f, "{comma}{}", self.get(slot as u32))?;
        }
        f.write_str("⟩")
    }
}

impl fmt::Debug for VectorClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(times: &[u32]) -> VectorClock {
        let mut clock = VectorClock::default();
        for (slot, &time) in times.iter().enumerate() {
            clock.set(slot as u32, time);
        }
        clock
    }

    /// All clocks with three components up to 2: enough for every law below.
    fn clocks() -> Vec<VectorClock> {
        let range = || 0..3u32;
        let pairs = range().flat_map(move |a| range().map(move |b| (a, b)));
        pairs
            .flat_map(|(a, b)| (0..3).map(move |c| clock(&[a, b, c])))
            .collect()
    }

    #[test]
    fn join_is_the_least_upper_bound() {
        for a in clocks() {
            for b in clocks() {
                let mut join = a.clone();
                join.join(&b);
                assert!(a.le(&join) && b.le(&join));
                let mut again = a.clone();
                assert_eq!(again.join_grows(&b), !b.le(&a));
                assert_eq!(again, join);
                for c in clocks() {
                    if a.le(&c) && b.le(&c) {
                        assert!(join.le(&c), "{a} ⊔ {b} = {join} ⋢ {c}");
                    }
                }
            }
        }
    }

    #[test]
    fn knowing_an_epoch_is_one_component_of_le() {
        for a in clocks() {
            for b in clocks() {
                let all = (0..3).all(|slot| {
                    b.knows(Epoch {
                        slot,
                        time: a.get(slot),
                    })
                });
                assert_eq!(all, a.le(&b));
            }
        }
    }

    #[test]
    fn trailing_zeros_do_not_matter() {
        assert_eq!(clock(&[1, 0, 0]), clock(&[1]));
        assert!(clock(&[0, 0]).is_bottom());
        assert_eq!(clock(&[2, 1, 0]).to_string(), "⟨2,1⟩");
        assert_eq!(format!("{:3}", clock(&[2, 1])), "⟨2,1,0⟩");
    }

    #[test]
    #[should_panic(expected = "four billion")]
    fn a_clock_never_wraps_round() {
        clock(&[u32::MAX]).tick(0);
    }
}
