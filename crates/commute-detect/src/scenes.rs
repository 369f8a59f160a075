//! What happened around findings: a second look at a trace, to be drawn.
//!
//! Every event is taken, because clocks and locks depend on all of them; kept are those
//! near the events of a finding (`windows.rs`), and where its threads begin (`births.rs`).
//! Memory: what is kept, and the state of [`Edges`]. Cost: constant per event, plus the
//! scenes it is in. Traces of more than [`MOST_THREADS_OF_EVENT_CLOCKS`] threads are drawn
//! without clocks.

mod births;
#[cfg(test)]
mod tests;
mod windows;

use std::sync::Arc;

use commute_clock::VectorClock;
use commute_model::{
    Arrow, BlockId, Event, Extent, ExtentKind, Finding, Id, LockId, Moment, Names, ObjectId, Op,
    Scene, ThreadId, TypeId,
};
use commute_spec::Library;
use rustc_hash::FxHashMap;

use crate::edges::{Edges, EventClocks, MOST_THREADS_OF_EVENT_CLOCKS};
use crate::order::InitialStates;
use births::Births;
use windows::{Window, windows};

/// Of a clock the components of so many threads are kept, besides those of the threads that
/// a finding is about, and that of the event itself.
const WIDEST_CLOCK: usize = 64;

/// Collects the scenes of findings.
#[derive(Clone, Debug)]
pub struct Scenes {
    edges: Edges,
    /// None once there are more than [`MOST_THREADS_OF_EVENT_CLOCKS`] threads.
    clocks: Option<EventClocks>,
    index: u64,
    /// What has begun and not ended, by thread, the innermost last.
    open: Vec<Vec<Open>>,
    /// The lock that a thread gave back to wait, and how often it held it inside of itself.
    waits: FxHashMap<ThreadId, (LockId, u32)>,
    shots: Vec<Shot>,
    /// The windows that have not begun, the first last.
    waiting: Vec<Window>,
    /// Those that have begun and not ended.
    current: Vec<Window>,
    /// The scenes that have begun and not ended.
    live: Vec<usize>,
    births: Births,
    /// The scenes that are about a thread of this name, and how many threads were asked for
    /// theirs.
    about: FxHashMap<String, Vec<usize>>,
    asked: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    Lock(LockId),
    SharedLock(LockId),
    Block(Option<BlockId>),
}

#[derive(Clone, Debug)]
struct Open {
    what: What,
    from: u64,
    /// How often it was begun inside of itself.
    again: u32,
    /// The scenes that have an event of it, and began later.
    shots: Vec<usize>,
}

/// A scene in the making.
#[derive(Clone, Debug, Default)]
struct Shot {
    scene: Scene,
    /// The threads of its lanes, and the last event of each that is in it.
    lanes: Vec<(ThreadId, u64)>,
    places: FxHashMap<ThreadId, usize>,
    /// The threads of the finding.
    about: Vec<ThreadId>,
    /// The last event that may be in it.
    until: u64,
}

impl Scenes {
    /// No event yet, and nothing to look for. Types come from `library`.
    pub fn new(library: Arc<Library>) -> Scenes {
        Scenes {
            edges: Edges::new(library.clone()),
            clocks: Some(EventClocks::new(library)),
            index: 0,
            open: Vec::new(),
            waits: FxHashMap::default(),
            shots: Vec::new(),
            waiting: Vec::new(),
            current: Vec::new(),
            live: Vec::new(),
            births: Births::default(),
            about: FxHashMap::default(),
            asked: 0,
        }
    }

    /// Looks for the events around these findings from now on, about `room` of them in
    /// all scenes together. If there is room for all events of the trace in every scene,
    /// of which there are `total`, all are there.
    pub fn watch(&mut self, findings: &[Finding], room: usize, total: Option<u64>) {
        let room = room as u64 / (findings.len() as u64).max(1);
        for (number, finding) in findings.iter().enumerate() {
            let wanted = windows(finding, number, room, total);
            self.births.watch(finding, number);
            for event in &finding.events {
                let about = self.about.entry(event.thread.clone());
                about.or_default().push(number);
            }
            let until = wanted.last().map_or(0, |window| window.to);
            self.waiting.extend(wanted);
            let mut marks: Vec<u64> = finding.events.iter().map(|event| event.index).collect();
            marks.sort_unstable();
            marks.dedup();
            self.shots.push(Shot {
                until,
                scene: Scene {
                    marks,
                    ..Scene::default()
                },
                ..Shot::default()
            });
        }
        let order = |window: &Window| std::cmp::Reverse((window.from, window.shot));
        self.waiting.sort_unstable_by_key(order);
        self.asked = 0;
    }

    /// Uses these initial states where the trace does not record them.
    pub fn set_initial_states(&mut self, states: &Arc<InitialStates>) {
        self.edges.set_initial_states(states);
        if let Some(clocks) = &mut self.clocks {
            clocks.set_initial_states(states);
        }
    }

    /// Declares an object before the first event, as `new` does in a trace.
    pub fn declare(&mut self, object: ObjectId, type_id: TypeId, names: &Names) {
        self.edges.declare(object, type_id, names);
        if let Some(clocks) = &mut self.clocks {
            clocks.declare(object, type_id, names);
        }
    }

    /// Whether no later event is of interest.
    pub fn is_over(&self) -> bool {
        self.waiting.is_empty() && self.live.is_empty()
    }

    /// Takes the next event.
    pub fn step(&mut self, event: &Event, names: &Names) {
        self.index += 1;
        let index = self.index;
        while let Some(window) = self.waiting.pop_if(|window| window.from <= index) {
            if !self.live.contains(&window.shot) {
                self.live.push(window.shot);
            }
            self.current.push(window);
        }
        self.current.retain(|window| index <= window.to);
        let edges = self.edges.step(event, index, names);
        if names.threads.len() > MOST_THREADS_OF_EVENT_CLOCKS {
            self.clocks = None;
        }
        let clock = { self.clocks.as_mut() }.map(|clocks| clocks.step(event, index, names));
        let clock = clock.map_or(&[][..], VectorClock::times);
        while self.asked <= event.thread.index() {
            let thread = ThreadId::from_index(self.asked);
            let name = names.threads.name(thread).to_string();
            for &number in self.about.get(&name).into_iter().flatten() {
                self.shots[number].about.push(thread);
            }
            self.asked += 1;
        }
        let mut births = self.births.step(event, names);
        births.retain(|&number| {
            let is_there = self.current.iter().any(|window| window.shot == number);
            !is_there && index <= self.shots[number].until
        });
        let current = self.current.iter().map(|window| window.shot);
        for number in current.chain(births.iter().copied()) {
            let shot = &mut self.shots[number];
            shot.take(index, event, names, clock);
            for edge in edges {
                if shot.scene.moment(edge.from).is_some() {
                    shot.scene.arrows.push(Arrow {
                        from: edge.from,
                        to: index,
                        why: edge.kind.name().to_owned(),
                    });
                }
            }
        }
        self.remember(event.thread, &births);
        self.follow(event, names);
        self.remember(event.thread, &births);
        let (shots, open) = (&mut self.shots, &self.open);
        self.live.retain(|&number| {
            let shot = &mut shots[number];
            if shot.until <= index {
                shot.close(open, names);
            }
            shot.until > index
        });
    }

    /// The scenes, one for each finding.
    pub fn finish(mut self, names: &Names) -> Vec<Scene> {
        for number in std::mem::take(&mut self.live) {
            self.shots[number].close(&self.open, names);
        }
        let has_clocks = self.clocks.is_some();
        let shots = self.shots.into_iter();
        shots.map(|shot| shot.finish(has_clocks)).collect()
    }

    /// What lasts in this thread has an event in these scenes, which need not have begun.
    fn remember(&mut self, thread: ThreadId, shots: &[usize]) {
        let open = self
            .open
            .get_mut(thread.index())
            .filter(|_| !shots.is_empty());
        for open in open.into_iter().flatten() {
            open.shots.extend(shots);
            open.shots.sort_unstable();
            open.shots.dedup();
        }
    }

    /// Keeps track of what lasts.
    fn follow(&mut self, event: &Event, names: &Names) {
        match event.op {
            Op::Acquire(lock) => self.begin(event.thread, What::Lock(lock), 0),
            Op::ReadAcquire(lock) => self.begin(event.thread, What::SharedLock(lock), 0),
            Op::Begin(block) => self.begin(event.thread, What::Block(block), 0),
            Op::Release(lock) => self.end(event.thread, What::Lock(lock), names),
            Op::Wait(_, lock) => self.wait(event.thread, lock, names),
            Op::Wake(_, lock) => self.wake(event.thread, lock),
            Op::ReadRelease(lock) => self.end(event.thread, What::SharedLock(lock), names),
            Op::End(block) => self.end(event.thread, What::Block(block), names),
            _ => {}
        }
    }

    /// A wait gives a lock back wholly, however often it is held.
    fn wait(&mut self, thread: ThreadId, lock: LockId, names: &Names) {
        let what = What::Lock(lock);
        let mut again = 0;
        if let Some(open) = self.open.get_mut(thread.index())
            && let Some(open) = open.iter_mut().rfind(|open| open.what == what)
        {
            again = std::mem::take(&mut open.again);
        }
        self.waits.insert(thread, (lock, again));
        self.end(thread, what, names);
    }

    /// And a wake takes it as often as it was held.
    fn wake(&mut self, thread: ThreadId, lock: LockId) {
        let before = self.waits.remove(&thread);
        let again = before.filter(|(waited, _)| *waited == lock);
        self.begin(
            thread,
            What::Lock(lock),
            again.map_or(0, |(_, again)| again),
        );
    }

    /// Begins something, and so many times `again` inside of itself.
    fn begin(&mut self, thread: ThreadId, what: What, again: u32) {
        if thread.index() >= self.open.len() {
            self.open.resize_with(thread.index() + 1, Vec::new);
        }
        let open = &mut self.open[thread.index()];
        let same = open.iter_mut().find(|open| open.what == what);
        match same.filter(|_| !matches!(what, What::Block(_))) {
            Some(outer) => outer.again += 1 + again,
            None => open.push(Open {
                what,
                from: self.index,
                again,
                shots: Vec::new(),
            }),
        }
    }

    /// Ends what was begun last of this kind, of locks as often as it was begun.
    fn end(&mut self, thread: ThreadId, what: What, names: &Names) {
        let Some(open) = self.open.get_mut(thread.index()) else {
            return;
        };
        // An end need not say of what.
        let is_it = |open: &Open| match (open.what, what) {
            (What::Block(_), What::Block(_)) => true,
            (one, other) => one == other,
        };
        let Some(place) = open.iter().rposition(is_it) else {
            return;
        };
        if open[place].again > 0 {
            open[place].again -= 1;
            return;
        }
        let ended = open.remove(place);
        let before = ended.shots.iter().filter(|shot| !self.live.contains(shot));
        for &number in self.live.iter().chain(before) {
            self.shots[number].extend(thread, &ended, Some(self.index), names);
        }
    }
}

impl Shot {
    fn take(&mut self, index: u64, event: &Event, names: &Names, clock: &[u32]) {
        let place = *self.places.entry(event.thread).or_insert_with(|| {
            self.lanes.push((event.thread, index));
            let name = names.threads.name(event.thread).to_string();
            self.scene.threads.push(name);
            self.lanes.len() - 1
        });
        self.lanes[place].1 = index;
        self.scene.moments.push(Moment {
            index,
            thread: place,
            action: event.op.display(names).to_string(),
            location: names.locations.name(event.location).to_string(),
            // By the numbers of the threads, until all lanes are known.
            clock: (0..)
                .zip(clock)
                .filter(|(number, time)| **time > 0 && self.keeps(*number, event.thread))
                .map(|(number, time)| (number, *time))
                .collect(),
        });
    }

    /// Whether the component of a thread is kept in clocks of events of another.
    fn keeps(&self, number: u32, of: ThreadId) -> bool {
        let thread = ThreadId::from_index(number as usize);
        thread.index() < WIDEST_CLOCK || thread == of || self.about.contains(&thread)
    }

    /// Adds what lasted until now, if something of it is in the scene.
    fn extend(&mut self, thread: ThreadId, open: &Open, to: Option<u64>, names: &Names) {
        let Some(&place) = self.places.get(&thread) else {
            return;
        };
        if self.lanes[place].1 < open.from {
            return;
        }
        let (kind, name) = match open.what {
            What::Lock(lock) => (ExtentKind::Lock, names.locks.name(lock).to_string()),
            What::SharedLock(lock) => (ExtentKind::SharedLock, names.locks.name(lock).to_string()),
            What::Block(Some(block)) => (ExtentKind::Block, names.blocks.name(block).to_string()),
            What::Block(None) => (ExtentKind::Block, String::new()),
        };
        self.scene.extents.push(Extent {
            thread: place,
            from: open.from,
            to,
            kind,
            name,
        });
    }

    /// The last event that may be in it was seen.
    fn close(&mut self, open: &[Vec<Open>], names: &Names) {
        for (thread, open) in open.iter().enumerate() {
            for open in open {
                self.extend(ThreadId::from_index(thread), open, None, names);
            }
        }
    }

    /// The scene, with clocks unless there were too many threads for those of all events.
    fn finish(mut self, has_clocks: bool) -> Scene {
        for moment in &mut self.scene.moments {
            if !has_clocks {
                moment.clock.clear();
            }
            let lane = |(number, time): &(u32, u32)| {
                let thread = ThreadId::from_index(*number as usize);
                Some((*self.places.get(&thread)? as u32, *time))
            };
            moment.clock = moment.clock.iter().filter_map(lane).collect();
            moment.clock.sort_unstable();
        }
        let mut lanes = self.lanes.iter().map(|(thread, _)| *thread);
        self.scene.are_clocks_cut =
            lanes.any(|lane| lane.index() >= WIDEST_CLOCK && !self.about.contains(&lane));
        self.scene.extents.sort_unstable();
        // What is gone cannot be marked.
        let marks = std::mem::take(&mut self.scene.marks).into_iter();
        let marks = marks.filter(|index| self.scene.moment(*index).is_some());
        self.scene.marks = marks.collect();
        self.scene
    }
}
