//! Looks at a synchronising object that found nothing.
//!
//! A `try_recv` that returns 'empty' does not commute with a `send`, nor with the end
//! of the last sender: a moment later there is something to be found. But a thread that
//! looks again has decided nothing by it, and that is what most programs do, in a
//! loop. So a race with such a look is held back. It is one if nothing else is
//! found at the object any more, except that the same thread looks and finds
//! nothing: then what was sent came too late, or the look too early. The same holds for
//! `try_acquire` of a semaphore and `pop` of a queue.

use commute_model::{Finding, ObjectId, ThreadId};
use rustc_hash::FxHashMap;

use crate::groups::Site;
use crate::order::Look;

/// All channels.
#[derive(Clone, Debug, Default)]
pub(crate) struct Looks {
    channels: FxHashMap<ObjectId, Channel>,
    /// How many are held back.
    held: usize,
    /// Races that were neither held back nor told.
    pub(crate) dropped: u64,
}

#[derive(Clone, Debug, Default)]
struct Channel {
    /// Who looked last, and since when it found nothing.
    looker: Option<(ThreadId, u64)>,
    undecided: Vec<Undecided>,
}

/// A race between two places that may turn out to be none.
#[derive(Clone, Debug)]
pub(crate) struct Undecided {
    pub(crate) sites: [Site; 2],
    pub(crate) finding: Finding,
    /// The pairs of events, by index.
    pub(crate) pairs: Vec<(u64, u64)>,
}

/// More than this are only counted, of places and of pairs between two places.
const MOST: usize = 10_000;

impl Looks {
    /// A thread has looked.
    pub(crate) fn look(&mut self, o: ObjectId, look: Look, t: ThreadId, index: u64) {
        let channel = self.channels.entry(o).or_default();
        let looker = match (look, channel.looker) {
            (Look::FoundNothing, Some((looker, _))) if looker == t => return,
            (Look::FoundNothing, _) => Some((t, index)),
            _ => None,
        };
        channel.looker = looker;
        self.held -= channel.undecided.len();
        channel.undecided.clear();
    }

    /// Whether the look at `index` of this thread is the last word.
    pub(crate) fn is_last(&self, o: ObjectId, t: ThreadId, index: u64) -> bool {
        let looker = self.channels.get(&o).and_then(|channel| channel.looker);
        looker.is_some_and(|(looker, since)| looker == t && index >= since)
    }

    /// Holds a race with the last look back.
    pub(crate) fn hold(
        &mut self,
        o: ObjectId,
        sites: [Site; 2],
        pair: (u64, u64),
        build: impl FnOnce() -> Finding,
    ) {
        let channel = self.channels.entry(o).or_default();
        let known = channel.undecided.iter_mut().find(|u| u.sites == sites);
        match known {
            Some(undecided) if undecided.pairs.len() < MOST => undecided.pairs.push(pair),
            None if self.held < MOST => {
                self.held += 1;
                channel.undecided.push(Undecided {
                    sites,
                    finding: build(),
                    pairs: vec![pair],
                });
            }
            _ => self.dropped += 1,
        }
    }

    /// The channel is no more: what was held back is so.
    pub(crate) fn end(&mut self, o: ObjectId) -> Vec<Undecided> {
        let channel = self.channels.remove(&o).unwrap_or_default();
        self.held -= channel.undecided.len();
        channel.undecided
    }

    /// The trace is over: the channels of which something was held back, in the order
    /// of the first events.
    pub(crate) fn left(&self) -> Vec<ObjectId> {
        let first = |(o, channel): (&ObjectId, &Channel)| {
            let pair = channel.undecided.first()?.pairs[0];
            Some((pair.1, *o))
        };
        // order: they are sorted.
        let mut left: Vec<_> = self.channels.iter().filter_map(first).collect();
        left.sort_unstable();
        left.into_iter().map(|(_, o)| o).collect()
    }
}
