//! The messages of a channel in a test that is explored. The model says what happens;
//! here the same is done to the messages themselves.

use std::collections::VecDeque;

use commute_explore::runtime::current_thread;

/// What the model of a channel has values for.
pub(super) struct Store<T> {
    /// In a channel with room. A place that is promised has no message yet.
    queue: VecDeque<(u64, Option<T>)>,
    /// In a channel without: senders that wait, receivers that do, and what was given to
    /// them.
    offers: VecDeque<(u32, T)>,
    waiting: VecDeque<u32>,
    handed: Vec<(u32, u64, Option<T>)>,
    /// Of places.
    last: u64,
    /// Whether the receiving end was looked at without waiting, or used in a selection,
    /// and the same of the sending end.
    used: [Used; 2],
}

#[derive(Clone, Copy, Default)]
struct Used {
    tried: bool,
    selected: bool,
}

impl<T> Default for Store<T> {
    fn default() -> Store<T> {
        Store {
            queue: VecDeque::new(),
            offers: VecDeque::new(),
            waiting: VecDeque::new(),
            handed: Vec::new(),
            last: 0,
            used: [Used::default(); 2],
        }
    }
}

fn me() -> u32 {
    current_thread().map_or(0, |thread| thread.0)
}

impl<T> Store<T> {
    fn next_place(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    pub(super) fn len(&self) -> usize {
        self.queue.len()
    }

    pub(super) fn push(&mut self, value: T) {
        let place = self.next_place();
        self.queue.push_back((place, Some(value)));
    }

    /// None if there is nothing, or it has yet to come.
    pub(super) fn pop(&mut self) -> Option<T> {
        let value = self.queue.front_mut()?.1.take()?;
        self.queue.pop_front();
        Some(value)
    }

    /// Promises a place for a message that comes later.
    pub(super) fn promise(&mut self) -> u64 {
        let place = self.next_place();
        self.queue.push_back((place, None));
        place
    }

    /// The same for the receiver that waits longest.
    pub(super) fn promise_to_hand(&mut self) -> Option<u64> {
        let to = self.waiting.pop_front()?;
        let place = self.next_place();
        self.handed.push((to, place, None));
        Some(place)
    }

    /// Puts a message where it was promised, if anybody is still there who wants it.
    pub(super) fn fill(&mut self, place: u64, value: T) -> Option<T> {
        let queued = self.queue.iter_mut().find(|(other, _)| *other == place);
        let mut handed = self.handed.iter_mut();
        let handed = handed.find(|(_, other, _)| *other == place);
        match (queued, handed) {
            (Some((_, message)), _) | (_, Some((_, _, message))) => message.replace(value),
            (None, None) => Some(value),
        }
    }

    /// Gives a message to the receiver that waits longest; gives it back if there is none.
    pub(super) fn hand(&mut self, value: T) -> Result<(), T> {
        let Some(to) = self.waiting.pop_front() else {
            return Err(value);
        };
        let place = self.next_place();
        self.handed.push((to, place, Some(value)));
        Ok(())
    }

    /// Gives it to a receiver, or waits for one.
    pub(super) fn offer(&mut self, value: T) {
        if let Err(value) = self.hand(value) {
            self.offers.push_back((me(), value));
        }
    }

    /// Takes back what this thread has offered.
    pub(super) fn withdraw(&mut self) -> Option<T> {
        let me = me();
        let place = self.offers.iter().position(|(by, _)| *by == me)?;
        Some(self.offers.remove(place)?.1)
    }

    /// Takes the message of the sender that waits longest.
    pub(super) fn take(&mut self) -> Option<T> {
        Some(self.offers.pop_front()?.1)
    }

    /// Takes a message, or waits for one.
    pub(super) fn wait(&mut self) {
        match self.take() {
            Some(value) => {
                let place = self.next_place();
                self.handed.push((me(), place, Some(value)));
            }
            None => self.waiting.push_back(me()),
        }
    }

    /// What this thread was given.
    pub(super) fn given(&mut self) -> Option<T> {
        let me = me();
        let place = self.handed.iter().position(|(to, ..)| *to == me)?;
        self.handed.swap_remove(place).2
    }

    /// This thread waits no longer.
    pub(super) fn give_up(&mut self) {
        let me = me();
        self.waiting.retain(|waits| *waits != me);
    }

    /// What nobody will receive.
    pub(super) fn leave(&mut self) -> VecDeque<(u64, Option<T>)> {
        std::mem::take(&mut self.queue)
    }

    /// Notes that an end of a channel without room is used in a selection, or looked at
    /// without waiting. Whether two may have met that are not waited for by each other:
    /// a selection does not say that it waits.
    pub(super) fn meet(&mut self, sends: bool, selects: bool) -> bool {
        let used = &mut self.used[usize::from(sends)];
        match selects {
            true => used.selected = true,
            false => used.tried = true,
        }
        let [receives, sends] = self.used;
        receives.selected && (sends.selected || sends.tried) || sends.selected && receives.tried
    }
}
