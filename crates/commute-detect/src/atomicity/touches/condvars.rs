//! Condition variables: a wait that ends comes after the notifications since it began.
//!
//! A notification before the wait is lost, and no wake learns of it; of several since
//! then, each may be the one that ended the wait. While no thread waits, nothing is kept.

use commute_model::{CondvarId, Id};

use super::{Order, Touch};

/// All condition variables.
#[derive(Clone, Debug)]
pub(super) struct Condvars<S>(Vec<Condvar<S>>);

#[derive(Clone, Debug)]
struct Condvar<S> {
    /// How many notifications there were.
    count: u64,
    /// The threads that wait, and how many notifications there were when they began.
    waiting: Vec<(u32, u64)>,
    /// The last notification of every thread since the first wait began, numbered from 1.
    notifications: Vec<(u64, Touch<S>)>,
}

impl<S> Default for Condvars<S> {
    fn default() -> Condvars<S> {
        Condvars(Vec::new())
    }
}

impl<S: Clone> Condvars<S> {
    /// `t` begins to wait.
    pub(super) fn wait(&mut self, t: u32, c: CondvarId) {
        let condvar = self.condvar(c);
        condvar.waiting.retain(|(thread, _)| *thread != t);
        condvar.waiting.push((t, condvar.count));
    }

    /// `notify(c)` or `notify_all(c)` by `t`.
    pub(super) fn notify(&mut self, t: u32, c: CondvarId, order: &mut impl Order<Stamp = S>) {
        let condvar = self.condvar(c);
        condvar.count += 1;
        if condvar.waiting.is_empty() {
            return;
        }
        let stamp = order.stamp(t);
        // A wake after an earlier notification that this one knows is after this one, too.
        condvar.notifications.retain(|(_, earlier)| {
            earlier.thread != t && !order.knows(t, earlier.thread, &earlier.stamp)
        });
        let notification = (condvar.count, Touch { thread: t, stamp });
        condvar.notifications.push(notification);
    }

    /// The wait of `t` ends.
    pub(super) fn wake(&mut self, t: u32, c: CondvarId, order: &mut impl Order<Stamp = S>) {
        let condvar = self.condvar(c);
        let Some(before) = condvar.leave(t) else {
            return;
        };
        for (number, notification) in &condvar.notifications {
            if *number > before {
                order.after(t, notification.thread, &notification.stamp);
            }
        }
        if condvar.waiting.is_empty() {
            condvar.notifications.clear();
        }
    }

    /// The wait of `t` ends, and what comes before that is not asked for.
    pub(super) fn forget(&mut self, t: u32, c: CondvarId) {
        self.condvar(c).leave(t);
    }

    /// Calls `visit` with every stamp.
    pub(super) fn for_each(&mut self, mut visit: impl FnMut(&mut S)) {
        let notifications = { self.0.iter_mut() }.flat_map(|condvar| &mut condvar.notifications);
        notifications.for_each(|(_, touch)| visit(&mut touch.stamp));
    }

    fn condvar(&mut self, c: CondvarId) -> &mut Condvar<S> {
        let place = c.index();
        if place >= self.0.len() {
            self.0.resize_with(place + 1, || Condvar {
                count: 0,
                waiting: Vec::new(),
                notifications: Vec::new(),
            });
        }
        &mut self.0[place]
    }
}

impl<S> Condvar<S> {
    /// Ends the wait of `t`: how many notifications there were when it began.
    fn leave(&mut self, t: u32) -> Option<u64> {
        let wait = self.waiting.iter().position(|(thread, _)| *thread == t)?;
        Some(self.waiting.remove(wait).1)
    }
}
