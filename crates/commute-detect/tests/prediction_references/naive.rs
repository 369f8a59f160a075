//! The orders of the reference analyses, slowly and from their definitions:
//! explicit edges, all pairs, raw formulas. Shared with the analyses is the
//! specification and nothing else.

use std::collections::{BTreeMap, BTreeSet};

use commute_model::{Action, Event, Id, LockId, Names, Op, ThreadId};
use commute_spec::{Invocation, Library, Specification};
use commute_testkit::traces::Trace;

/// A pair as it is promised: the thread of the earlier event, the later event
/// (counted from 1), and whether it is racy.
pub(crate) type Promised = (ThreadId, u64, bool);

/// Which conflicts order sections.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum By {
    /// Reads and writes; actions read or write their object.
    Wdc,
    /// Communicating conflicts.
    Edc,
}

struct Section {
    thread: ThreadId,
    lock: LockId,
    exclusive: bool,
    begin: usize,
    end: Option<usize>,
    depth: usize,
}

pub(crate) struct Naive<'a> {
    events: &'a [Event],
    names: &'a Names,
    library: &'a Library,
    sections: Vec<Section>,
    /// What is ordered before each event, and before its sections order it.
    before: Vec<BTreeSet<usize>>,
    before_sections: Vec<BTreeSet<usize>>,
}

impl<'a> Naive<'a> {
    pub(crate) fn new(trace: &'a Trace, library: &'a Library, by: By) -> Naive<'a> {
        let mut naive = Naive {
            events: &trace.events,
            names: &trace.names,
            library,
            sections: sections(&trace.events),
            before: Vec::new(),
            before_sections: Vec::new(),
        };
        for j in 0..trace.events.len() {
            let always: Vec<usize> = (0..j).filter(|&i| naive.always(i, j)).collect();
            let hard = naive.closed(&always);
            let soft = naive.closed(&naive.ends_before(j, by));
            naive.before.push(&hard | &soft);
            naive.before_sections.push(hard);
        }
        naive
    }

    /// What WDC leaves open after its own sections were ordered.
    pub(crate) fn wdc(&self) -> BTreeSet<Promised> {
        self.conflicts(|i, j| {
            let variables = variable(&self.events[i].op).is_some();
            (variables && !self.before[j].contains(&i)).then_some(true)
        })
    }

    /// What EDC leaves open: pairs without a lock in common before the event,
    /// the others at the end of their sections.
    pub(crate) fn edc(&self) -> BTreeSet<Promised> {
        self.conflicts(|i, j| {
            let common = self.common(i, j);
            if common.is_empty() {
                return (!self.before_sections[j].contains(&i)).then_some(true);
            }
            let thread = self.events[j].thread;
            let last = self.events.iter().rposition(|e| e.thread == thread);
            let ends = common.iter().map(|&lock| self.let_go(j, lock));
            let end = ends.map(|end| end.or(last)).max().flatten();
            let end = end.expect("the thread has an event");
            (!self.before[end].contains(&i)).then_some(false)
        })
    }

    fn conflicts(&self, open: impl Fn(usize, usize) -> Option<bool>) -> BTreeSet<Promised> {
        let mut found = BTreeSet::new();
        for j in 0..self.events.len() {
            for i in 0..j {
                let (a, b) = (&self.events[i], &self.events[j]);
                if a.thread != b.thread
                    && self.conflict(i, j).is_some()
                    && let Some(racy) = open(i, j)
                {
                    found.insert((a.thread, j as u64 + 1, racy));
                }
            }
        }
        found
    }

    fn closed(&self, edges: &[usize]) -> BTreeSet<usize> {
        let known = edges.iter().flat_map(|&i| self.before[i].iter().copied());
        known.chain(edges.iter().copied()).collect()
    }

    /// Program order, fork and join.
    fn always(&self, i: usize, j: usize) -> bool {
        let (a, b) = (&self.events[i], &self.events[j]);
        match (&a.op, &b.op) {
            _ if a.thread == b.thread => true,
            (Op::Fork(u), _) if *u == b.thread => true,
            (_, Op::Join(u)) if *u == a.thread => true,
            (Op::Fork(u), Op::Join(v)) => u == v,
            _ => false,
        }
    }

    /// The ends of the sections that the sections of `j` come after.
    fn ends_before(&self, j: usize, by: By) -> Vec<usize> {
        let mut ends = Vec::new();
        for inner in self.around(j) {
            for outer in self.sections.iter().filter(|s| s.lock == inner.lock) {
                if let Some(end) = outer.end
                    && end < j
                    && (outer.exclusive || inner.exclusive)
                    && (outer.begin..=end)
                        .any(|i| outer.has(self.events, i) && self.flows(i, j, by))
                {
                    ends.push(end);
                }
            }
        }
        ends
    }

    /// Whether two events communicate.
    fn flows(&self, i: usize, j: usize, by: By) -> bool {
        match (&self.events[i].op, &self.events[j].op) {
            (Op::Notify(c) | Op::NotifyAll(c), Op::Wake(d, _)) => by == By::Edc && c == d,
            (Op::Action(a), Op::Action(b)) if by == By::Wdc => {
                let mutates = |k: usize, action: &Action| {
                    let (specification, invocation) = self.invocation(k, action);
                    specification.mutates(invocation)
                };
                a.object == b.object && self.same_life(i, j) && (mutates(i, a) || mutates(j, b))
            }
            _ => match self.conflict(i, j) {
                Some(order_only) => {
                    let variables = variable(&self.events[i].op).is_some();
                    !order_only || by == By::Wdc && variables
                }
                None => false,
            },
        }
    }

    /// Whether two events are in conflict, and if so whether it is order-only.
    fn conflict(&self, i: usize, j: usize) -> Option<bool> {
        let (a, b) = (&self.events[i].op, &self.events[j].op);
        if let (Some((x, a)), Some((y, b))) = (variable(a), variable(b)) {
            let conflict = x == y && (a, b) != ('r', 'r') && self.same_life(i, j);
            return conflict.then_some(a == 'f' || b == 'f');
        }
        match (a, b) {
            (Op::Wait(c, _), Op::Notify(d) | Op::NotifyAll(d))
            | (Op::Notify(c) | Op::NotifyAll(c), Op::Wait(d, _)) => (c == d).then_some(true),
            (Op::Action(a), Op::Action(b)) if a.object == b.object && self.same_life(i, j) => {
                let (specification, first) = self.invocation(i, a);
                let (_, second) = self.invocation(j, b);
                let order_only = specification.pair(first.method, second.method).0.order;
                (!specification.commutes(first, second)).then_some(order_only)
            }
            _ => None,
        }
    }

    fn same_life(&self, i: usize, j: usize) -> bool {
        let ends = |event: &Event| match (&event.op, &self.events[i].op) {
            (Op::Alloc(x), op) => variable(op).is_some_and(|(y, _)| y == x.index()),
            (Op::New(o, _) | Op::Drop(o), Op::Action(action)) => *o == action.object,
            _ => false,
        };
        !self.events[i..j].iter().any(ends)
    }

    fn invocation<'b>(&self, k: usize, action: &'b Action) -> (&Specification, Invocation<'b>) {
        let declared = self.events[..k]
            .iter()
            .rev()
            .find_map(|event| match event.op {
                Op::New(o, t) if o == action.object => Some(self.names.types.name(t).to_string()),
                _ => None,
            });
        let specification = self.library.specification(&declared.expect("declared"));
        let specification = specification.expect("a known type");
        let name = self.names.methods.name(action.method).to_string();
        let method = specification.method(&name).expect("a known method");
        let bound = Invocation::bind(method, &specification.methods[method], action);
        (specification, bound.expect("it fits"))
    }

    /// The sections that an event is in.
    fn around(&self, j: usize) -> impl Iterator<Item = &Section> {
        self.sections.iter().filter(move |s| s.has(self.events, j))
    }

    /// The locks that keep two events apart.
    fn common(&self, i: usize, j: usize) -> BTreeSet<LockId> {
        let pairs = self
            .around(i)
            .flat_map(|s| self.around(j).map(move |r| (s, r)));
        let apart = pairs.filter(|(s, r)| s.lock == r.lock && (s.exclusive || r.exclusive));
        apart.map(|(s, _)| s.lock).collect()
    }

    /// The event after which the thread of `j` does not hold the lock any more.
    fn let_go(&self, j: usize, lock: LockId) -> Option<usize> {
        let thread = self.events[j].thread;
        let mut at = j;
        loop {
            let later = self.sections.iter().find(|s| {
                let open = s.begin <= at && s.end.is_none_or(|end| end > at);
                s.thread == thread && s.lock == lock && open
            });
            match later {
                Some(section) => at = section.end?,
                None => return Some(at),
            }
        }
    }
}

impl Section {
    fn has(&self, events: &[Event], i: usize) -> bool {
        let within = self.begin <= i && self.end.is_none_or(|end| i <= end);
        within && events[i].thread == self.thread
    }
}

fn variable(op: &Op) -> Option<(usize, char)> {
    match op {
        Op::Read(x) => Some((x.index(), 'r')),
        Op::Write(x) => Some((x.index(), 'w')),
        Op::Free(x) => Some((x.index(), 'f')),
        _ => None,
    }
}

fn sections(events: &[Event]) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let mut waiting: BTreeMap<(ThreadId, LockId), usize> = BTreeMap::new();
    for (i, event) in events.iter().enumerate() {
        let thread = event.thread;
        let (lock, exclusive, acquires) = match event.op {
            Op::Acquire(l) | Op::Wake(_, l) => (l, true, true),
            Op::Release(l) | Op::Wait(_, l) => (l, true, false),
            Op::ReadAcquire(l) => (l, false, true),
            Op::ReadRelease(l) => (l, false, false),
            _ => continue,
        };
        let open = sections.iter_mut().find(|s| {
            let same = (s.thread, s.lock, s.exclusive) == (thread, lock, exclusive);
            same && s.end.is_none()
        });
        match open {
            Some(section) if acquires => section.depth += 1,
            Some(section) => {
                if let Op::Wait(..) = event.op {
                    waiting.insert((thread, lock), section.depth);
                    section.depth = 1;
                }
                section.depth -= 1;
                section.end = (section.depth == 0).then_some(i);
            }
            None if acquires => sections.push(Section {
                thread,
                lock,
                exclusive,
                begin: i,
                end: None,
                depth: match event.op {
                    Op::Wake(..) => waiting.remove(&(thread, lock)).unwrap_or(1),
                    _ => 1,
                },
            }),
            None => {}
        }
    }
    sections
}
