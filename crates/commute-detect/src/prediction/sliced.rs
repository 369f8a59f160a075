//! A window that has only the events of a [slice](super::slice).

use commute_model::{CondvarId, Event, Op};

use super::facts::No;
use super::recent::{Before, Recent};
use super::slice::Slice;
use super::window::{Building, Context, Window};

/// What a window knows of the events outside of its slice.
pub(super) struct Sliced {
    /// The indices of the events, and for each the one that ends its critical section.
    pub(super) indices: Vec<u64>,
    ends: Vec<u64>,
    /// How many events of each thread may be in a set.
    known: Vec<u32>,
    /// The condition variables, and how many notifications of each there are in all.
    condvars: Vec<(CondvarId, usize)>,
    /// Whether the window has more threads; only known of slices with at most two.
    has_others: bool,
}

impl<'a> Window<'a> {
    /// The window of the events of a slice.
    pub(super) fn of_slice(
        prefix: u64,
        slice: &Slice<'_>,
        recent: &'a Recent,
        before: &Before<'_>,
        context: &Context<'_>,
    ) -> Window<'a> {
        let indices = slice.indices();
        let sliced = Sliced {
            ends: indices.iter().map(|&index| slice.end(index)).collect(),
            indices: indices.clone(),
            known: Vec::new(),
            condvars: Vec::new(),
            has_others: false,
        };
        let mut window = Window::empty(prefix, Some(sliced));
        window.len = (recent.last() - prefix) as usize;
        window.events.reserve(indices.len());
        window.facts.reserve(indices.len());
        let mut building = Building::new(before);
        building.lives.reserve(indices.len() / 2);
        let threads = slice.threads(before);
        for &t in &threads {
            building.thread(t, &mut window);
        }
        for event in indices.iter().filter_map(|&index| recent.get(index)) {
            window.add(event, before, &mut building, context);
        }
        window.finish(before, &mut building);
        let is_outside = |event: &Event| {
            let joined = match event.op {
                Op::Join(u) => Some(u),
                _ => None,
            };
            let mut mentioned = [event.thread].into_iter().chain(joined);
            mentioned.any(|t| !building.knows(t))
        };
        let has_others = window.threads.len() <= 2 && recent.after(prefix).any(is_outside);
        if let Some(sliced) = &mut window.slice {
            sliced.known = threads.iter().map(|&t| slice.known(t)).collect();
            sliced.known.resize(window.threads.len(), 0);
            let mut condvars = vec![(CondvarId(0), 0); window.notifies.len()];
            // order: each has its own place.
            for (&condvar, &number) in &building.condvars {
                let condvar = CondvarId(condvar);
                condvars[number as usize] = (condvar, slice.notifies(condvar));
            }
            sliced.condvars = condvars;
            sliced.has_others = has_others;
        }
        window
    }

    /// Whether the events of a thread up to this place may be in a set.
    pub(super) fn knows(&self, thread: u32, count: u32) -> bool {
        let known = |slice: &Sliced| count <= slice.known[thread as usize];
        self.slice.as_ref().is_none_or(known)
    }

    /// A number for the threads that are not in the slice, if there are any and each thread of
    /// the slice may be one of the pair.
    pub(super) fn others(&self) -> Option<u32> {
        let slice = self.slice.as_ref()?;
        slice.has_others.then_some(u32::MAX)
    }

    /// The notifications of a condition variable, if some are outside of the slice.
    pub(super) fn notified_outside(&self, condvar: u32) -> Option<CondvarId> {
        let (c, count) = self.slice.as_ref()?.condvars[condvar as usize];
        (self.notifies[condvar as usize].len() < count).then_some(c)
    }

    /// The event outside of the slice that ends a critical section of a thread, which began
    /// with this event or is one of those that it held; `Err` if it should be inside.
    pub(super) fn end_outside(
        &self,
        thread: u32,
        began: Result<No, usize>,
    ) -> Result<Option<u64>, ()> {
        let Some(slice) = &self.slice else {
            return Ok(None);
        };
        let end = match began {
            Ok(no) => slice.ends[no as usize],
            Err(hold) => self.ends[thread as usize][hold],
        };
        let last = self.threads[thread as usize].last();
        let last = last.map_or(self.prefix, |&no| self.index(no));
        match end {
            0 => Ok(None),
            end if end > last => Ok(Some(end)),
            _ => Err(()),
        }
    }
}
