//! What every thread did and got: a tuple of histories.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::relations::Labelled;
use crate::code::{Next, NodeId};
use crate::knowledge::Knowledge;
use crate::run::Places;
use crate::words::{OpId, ResultId, ThreadId};

/// An operation and its result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Event {
    pub(super) op: OpId,
    pub(super) result: ResultId,
}

impl Event {
    pub(super) fn labelled(self) -> Labelled {
        Labelled {
            op: self.op,
            result: Some(self.result),
        }
    }
}

/// What one thread did and got.
#[derive(Clone, Debug)]
pub(super) struct History {
    pub(super) events: Rc<[Event]>,
    /// Where it was before each event, and after the last. Nowhere if it was not started.
    pub(super) nodes: Rc<[NodeId]>,
    /// Whose event started it, and which.
    pub(super) started: Option<(usize, usize)>,
    /// Who has to have begun before, because the two may be exchanged.
    pub(super) follows: Option<usize>,
    /// Before which events it waits for whom to have ended; only where the events that
    /// say so are left out.
    pub(super) awaits: Rc<[(usize, usize)]>,
}

impl History {
    pub(super) fn len(&self) -> usize {
        self.events.len()
    }

    pub(super) fn exists(&self) -> bool {
        !self.nodes.is_empty()
    }
}

/// Which threads may do what the other does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Kin {
    /// None may do what this one does.
    Alone(usize),
    /// Those that this one starts in a row, from that event on.
    Of(usize, usize),
}

/// One history for each thread.
#[derive(Clone, Debug)]
pub(super) struct Histories {
    pub(super) threads: Vec<History>,
}

type Path = (Rc<[Event]>, Rc<[NodeId]>);

/// Histories by where they end; threads often do the same in many runs.
#[derive(Debug, Default)]
pub(super) struct Paths {
    known: FxHashMap<NodeId, Path>,
}

impl Paths {
    fn path(&mut self, known: &Knowledge, end: NodeId) -> Path {
        let path = self.known.entry(end).or_insert_with(|| {
            let (mut events, mut nodes) = (Vec::new(), vec![end]);
            let mut node = end;
            while let Some((before, result)) = known.before(node) {
                let Some(Next::Op(op)) = known.next(before) else {
                    unreachable!("something was done there");
                };
                events.push(Event { op: *op, result });
                nodes.push(before);
                node = before;
            }
            events.reverse();
            nodes.reverse();
            (events.into(), nodes.into())
        });
        path.clone()
    }
}

impl Histories {
    /// Those that lead to these places.
    pub(super) fn new(known: &Knowledge, places: &Places, paths: &mut Paths) -> Histories {
        let nowhere = || (Rc::from([]), Rc::from([]));
        let threads = places.iter().map(|place| {
            let (events, nodes) = place.map_or_else(nowhere, |end| paths.path(known, end));
            History {
                events,
                nodes,
                started: None,
                follows: None,
                awaits: Rc::from([]),
            }
        });
        let mut histories = Histories {
            threads: threads.collect(),
        };
        histories.find_starts(known);
        histories.find_likes(known);
        histories
    }

    fn find_starts(&mut self, known: &Knowledge) {
        for parent in 0..self.threads.len() {
            let events = Rc::clone(&self.threads[parent].events);
            for (index, event) in events.iter().enumerate() {
                if let Some(child) = known.operation(event.op).spawns
                    && let Some(child) = self.threads.get_mut(child.index())
                {
                    child.started = Some((parent, index));
                }
            }
        }
    }

    fn find_likes(&mut self, known: &Knowledge) {
        for thread in 0..self.threads.len() {
            let before = known.follows(ThreadId(thread as u32)).map(ThreadId::index);
            let does_something = |before: &usize| {
                let root = self.threads.get(*before).and_then(|h| h.nodes.first());
                root.is_some_and(|root| matches!(known.next(*root), Some(Next::Op(_))))
            };
            self.threads[thread].follows = before.filter(does_something);
        }
    }

    /// Whether a thread was started, when all have come so far.
    pub(super) fn is_there(&self, thread: usize, positions: &[usize]) -> bool {
        let history = &self.threads[thread];
        match history.started {
            Some((parent, index)) => positions[parent] > index,
            None => history.exists(),
        }
    }

    /// Whether it may do something, too: it waits for nobody.
    pub(super) fn may_go(&self, thread: usize, positions: &[usize]) -> bool {
        let follows = self.threads[thread].follows;
        let may_begin = positions[thread] > 0 || follows.is_none_or(|other| positions[other] > 0);
        may_begin
            && self.is_there(thread, positions)
            && self.awaited(thread, positions).next().is_none()
    }

    /// For whom a thread waits that has not ended.
    pub(super) fn awaited<'h>(
        &'h self,
        thread: usize,
        positions: &'h [usize],
    ) -> impl Iterator<Item = usize> + 'h {
        let awaits = self.threads[thread].awaits.iter();
        let now = awaits.filter(move |(index, _)| *index == positions[thread]);
        let others = now.map(|(_, other)| *other);
        others.filter(|other| !self.has_ended(*other, positions))
    }

    fn has_ended(&self, thread: usize, positions: &[usize]) -> bool {
        positions[thread] == self.threads[thread].len() && self.may_go(thread, positions)
    }

    /// The same, but a thread returns something else at an event, and that is all it
    /// does.
    pub(super) fn with(
        &self,
        known: &mut Knowledge,
        thread: usize,
        index: usize,
        event: Event,
    ) -> Histories {
        let mut histories = self.clone();
        let changed = &mut histories.threads[thread];
        let mut nodes = changed.nodes[..=index].to_vec();
        nodes.push(known.after(nodes[index], event.result));
        let mut events = changed.events[..index].to_vec();
        events.push(event);
        changed.events = events.into();
        changed.nodes = nodes.into();
        histories.drop_orphans();
        histories
    }

    /// The same, but a thread does only so much.
    pub(super) fn cut(&self, thread: usize, length: usize) -> Histories {
        let mut histories = self.clone();
        let cut = &mut histories.threads[thread];
        cut.events = Rc::from(&cut.events[..length]);
        cut.nodes = Rc::from(&cut.nodes[..=length]);
        histories.drop_orphans();
        histories
    }

    /// Threads that are not started any more are gone, and those that they started.
    fn drop_orphans(&mut self) {
        loop {
            let is_orphan = |history: &History| {
                let started = history.started;
                history.exists() && started.is_some_and(|(t, i)| i >= self.threads[t].len())
            };
            let Some(orphan) = self.threads.iter().position(is_orphan) else {
                break;
            };
            let orphan = &mut self.threads[orphan];
            orphan.events = Rc::from([]);
            orphan.nodes = Rc::from([]);
            orphan.started = None;
            orphan.follows = None;
        }
    }

    /// How much of each thread comes before another is started.
    pub(super) fn before_start(&self, thread: usize) -> Vec<usize> {
        let mut before = vec![0; self.threads.len()];
        let mut thread = thread;
        while let Some((parent, index)) = self.threads[thread].started {
            before[parent] = index + 1;
            thread = parent;
        }
        before
    }

    /// Threads with the same number may do what the other does: they are started in a
    /// row, so that all can be there when one of them goes on.
    pub(super) fn kin(&self, known: &Knowledge) -> Vec<Kin> {
        let is_bound = |thread: usize| {
            let is_followed = self
                .threads
                .iter()
                .any(|other| other.follows == Some(thread));
            is_followed || self.threads[thread].follows.is_some()
        };
        let any_bound = self.threads.iter().any(|history| history.follows.is_some());
        let kin = self.threads.iter().enumerate().map(|(thread, history)| {
            let alone = Kin::Alone(thread);
            let Some((parent, index)) = history.started else {
                return alone;
            };
            if any_bound && is_bound(thread) {
                return alone;
            }
            let events = &self.threads[parent].events;
            let is_start = |at: &usize| known.operation(events[*at].op).spawns.is_some();
            let first = (0..=index).rev().take_while(is_start).last();
            Kin::Of(parent, first.unwrap_or(index))
        });
        kin.collect()
    }

    /// The same order of events, but whoever is to go on is started before, if those who
    /// are in a row with it were.
    pub(super) fn in_time(&self, schedule: &[ThreadId]) -> Vec<ThreadId> {
        let mut in_time = Vec::with_capacity(schedule.len());
        let mut positions = vec![0; self.threads.len()];
        let mut ahead = vec![0; self.threads.len()];
        for thread in schedule {
            while let Some((parent, _)) = self.threads[thread.index()].started
                && !self.is_there(thread.index(), &positions)
            {
                in_time.push(ThreadId(parent as u32));
                positions[parent] += 1;
                ahead[parent] += 1;
            }
            if ahead[thread.index()] > 0 {
                ahead[thread.index()] -= 1;
                continue;
            }
            in_time.push(*thread);
            positions[thread.index()] += 1;
        }
        in_time
    }

    /// Leaves nothing of threads whose start is not among so much of the others.
    pub(super) fn limit_to_started(&self, most: &mut [usize]) {
        let mut changed = true;
        while changed {
            changed = false;
            for (thread, history) in self.threads.iter().enumerate() {
                let is_started = { history.started }.is_none_or(|(by, index)| most[by] > index);
                if !is_started && most[thread] > 0 {
                    most[thread] = 0;
                    changed = true;
                }
            }
        }
    }

    /// How much there is of each.
    pub(super) fn lengths(&self) -> Vec<usize> {
        self.threads.iter().map(History::len).collect()
    }
}
