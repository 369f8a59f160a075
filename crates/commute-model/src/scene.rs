//! A part of a run, to be drawn: who did what, and what put it in order.
//!
//! All positions are those of events in the trace, counted from 1 (of a schedule:
//! of its steps), so that a scene may leave out what nobody wants to see.

/// The events around a finding.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scene {
    /// The names of the threads that do something in it, in the order of their first event.
    pub threads: Vec<String>,
    /// What they do, in the order of the trace.
    pub moments: Vec<Moment>,
    /// What orders events of two threads.
    pub arrows: Vec<Arrow>,
    /// Locks that are held, and blocks that should be atomic.
    pub extents: Vec<Extent>,
    /// The positions of the events that the finding is about, in order.
    pub marks: Vec<u64>,
    /// Whether clocks have not all threads, because there are too many.
    pub are_clocks_cut: bool,
}

/// An event of a scene.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moment {
    /// Its position in the trace.
    pub index: u64,
    /// Its thread, as a place in [`Scene::threads`].
    pub thread: usize,
    /// What was done, as text traces write it.
    pub action: String,
    /// Where; empty if the trace does not say.
    pub location: String,
    /// How many events of other threads and its own do not come after it: places in
    /// [`Scene::threads`] in order, with numbers that are not 0. Empty if nobody knows.
    pub clock: Vec<(u32, u32)>,
}

/// One event comes before another one of another thread.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Arrow {
    /// The position of the earlier one.
    pub from: u64,
    /// And of the later one.
    pub to: u64,
    /// What orders them, in a word: `fork`, `lock`.
    pub why: String,
}

/// What lasts from one event of a thread to another.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Extent {
    /// The thread, as a place in [`Scene::threads`].
    pub thread: usize,
    /// The position of the event that begins it, which need not be in the scene.
    pub from: u64,
    /// The one that ends it; `None` if it does not end in what was seen.
    pub to: Option<u64>,
    /// What it is.
    pub kind: ExtentKind,
    /// The lock, or the block; empty if it has no name.
    pub name: String,
}

/// What lasts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ExtentKind {
    /// A lock is held by one thread.
    Lock,
    /// A lock is held together with others who only read.
    SharedLock,
    /// A block that should be atomic.
    Block,
}

impl Scene {
    /// The event at this position, if it is in the scene.
    pub fn moment(&self, index: u64) -> Option<&Moment> {
        let place = self.moments.binary_search_by_key(&index, |m| m.index);
        place.ok().map(|place| &self.moments[place])
    }

    /// The place of a thread of this name, new if there is none.
    pub fn lane(&mut self, thread: &str) -> usize {
        let known = self.threads.iter().position(|name| name == thread);
        known.unwrap_or_else(|| {
            self.threads.push(thread.to_owned());
            self.threads.len() - 1
        })
    }
}
