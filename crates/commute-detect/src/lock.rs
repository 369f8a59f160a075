//! One lock: what its releases published, and who holds it.

use commute_clock::{Epoch, VectorClock};
use commute_model::ThreadId;

/// A lock.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lock {
    pub(crate) clock: VectorClock,
    /// The last release: whoever knows it knows all of `clock`.
    pub(crate) last: Epoch,
    pub(crate) readers: VectorClock,
    /// Who holds it exclusively, and how often.
    owner: Option<(ThreadId, u32)>,
    /// How many shared holds there are.
    shared: u32,
    /// Threads that wait, with how often they held it beyond the first time.
    waiting: Vec<(ThreadId, u32)>,
}

impl Lock {
    /// Notes an acquisition; says what is wrong with it.
    #[inline]
    pub(crate) fn taken(&mut self, t: ThreadId, exclusive: bool) -> Option<&'static str> {
        match &mut self.owner {
            Some((holder, depth)) if *holder == t => {
                if exclusive {
                    *depth += 1;
                } else {
                    self.shared += 1;
                }
                None
            }
            Some(_) => Some("acquires a lock that another thread holds:"),
            None if exclusive => {
                self.owner = Some((t, 1));
                (self.shared > 0).then_some("acquires a lock that readers hold:")
            }
            None => {
                self.shared += 1;
                None
            }
        }
    }

    /// Notes a release; says what is wrong with it.
    #[inline]
    pub(crate) fn given_back(&mut self, t: ThreadId, exclusive: bool) -> Option<&'static str> {
        match &mut self.owner {
            _ if !exclusive && self.shared > 0 => {
                self.shared -= 1;
                None
            }
            Some((holder, depth)) if exclusive && *holder == t => {
                *depth -= 1;
                if *depth == 0 {
                    self.owner = None;
                }
                None
            }
            _ => Some("releases a lock that its thread does not hold:"),
        }
    }

    /// `wait` releases the lock however often its thread holds it; called after
    /// one release.
    pub(crate) fn give_up(&mut self, t: ThreadId) {
        if let Some((holder, depth)) = self.owner
            && holder == t
        {
            self.owner = None;
            self.waiting.push((t, depth));
        }
    }

    /// `wake` gets the lock back as often as it was held; called after one
    /// acquisition.
    pub(crate) fn restore(&mut self, t: ThreadId) {
        let place = self.waiting.iter().position(|&(u, _)| u == t);
        let more = place.map_or(0, |place| self.waiting.swap_remove(place).1);
        if let Some((holder, depth)) = &mut self.owner
            && *holder == t
        {
            *depth += more;
        }
    }
}
