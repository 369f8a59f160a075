//! What the observed trace says about pairs of its events.

use std::collections::BTreeSet;

use commute_model::{CondvarId, Event, LockId, Name, Names, ObjectId, Op, Value, VariableId};
use commute_spec::models::{self, Model};
use commute_spec::{Invocation, Library, Matching, OrderRule, Specification};

use super::Legal;
use crate::oracle::synchronisation::{Permits, permits, requires};
use crate::oracle::{invocation, object_types};

/// Models of which the program chooses the size or the initial value.
const CHOSEN: [&str; 6] = [
    "atomic",
    "bounded_queue",
    "counter",
    "register",
    "semaphore",
    "union_find",
];

/// The observed trace and how its objects may be reordered.
pub(super) struct Observed<'a> {
    pub(super) events: &'a [Event],
    names: &'a Names,
    types: Vec<Option<&'a Specification>>,
    lives: Vec<Vec<Life>>,
    /// The models that actions are replayed on.
    models: Vec<Option<&'static dyn Model>>,
    /// For each action the earlier ones without which it does not happen, because of the
    /// order that they imply.
    requires: Vec<BTreeSet<usize>>,
    permits: Permits,
    legal: Legal,
}

/// One life of memory or of an object: from its `alloc` or `new`, or from the
/// start of the trace, to the next one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Life {
    of: Subject,
    begin: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Subject {
    /// What has the name of this variable: the variable, the lock and the
    /// condition variable.
    Memory(VariableId),
    Object(ObjectId),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Conflict {
    Communicating,
    OrderOnly,
}

/// What an action does with a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Send,
    Receive,
}

/// The rule by which the objects of a type pass messages on.
fn message_rule(specification: &Specification) -> Option<&OrderRule> {
    specification.rules().find(|rule| {
        let passes = matches!(rule.matching, Matching::Fifo | Matching::Counting(_));
        passes && rule.after.iter().all(|pattern| pattern.key.len() == 1)
    })
}

/// What an operation uses, makes or ends.
fn subjects(op: &Op, names: &Names) -> BTreeSet<Subject> {
    let named = |name: Name<'_>| names.variables.lookup(&name.to_string());
    let lock = |l: &LockId| named(names.locks.name(*l)).map(Subject::Memory);
    let condvar = |c: &CondvarId| named(names.condvars.name(*c)).map(Subject::Memory);
    let subjects = match op {
        Op::Read(x) | Op::Write(x) | Op::Alloc(x) | Op::Free(x) => {
            [Some(Subject::Memory(*x)), None]
        }
        Op::Acquire(l) | Op::Release(l) | Op::ReadAcquire(l) | Op::ReadRelease(l) => {
            [lock(l), None]
        }
        Op::Wait(c, l) | Op::Wake(c, l) => [condvar(c), lock(l)],
        Op::Notify(c) | Op::NotifyAll(c) => [condvar(c), None],
        Op::New(o, _) | Op::Drop(o) => [Some(Subject::Object(*o)), None],
        Op::Action(action) => [Some(Subject::Object(action.object)), None],
        _ => [None, None],
    };
    subjects.into_iter().flatten().collect()
}

fn begins_life(op: &Op) -> bool {
    matches!(op, Op::Alloc(_) | Op::New(..))
}

fn lives(events: &[Event], names: &Names, e: usize) -> Vec<Life> {
    let life = |of: Subject| {
        let begins = |op: &Op| begins_life(op) && subjects(op, names).contains(&of);
        let begin = events[..=e].iter().rposition(|b| begins(&b.op));
        Life { of, begin }
    };
    { subjects(&events[e].op, names).into_iter() }
        .map(life)
        .collect()
}

/// Whether the operation notifies waiters of the condition variable.
pub(super) fn notifies(op: &Op, condvar: CondvarId) -> bool {
    matches!(op, Op::Notify(c) | Op::NotifyAll(c) if *c == condvar)
}

impl<'a> Observed<'a> {
    pub(super) fn new(
        events: &'a [Event],
        names: &'a Names,
        library: &'a Library,
        legal: Legal,
    ) -> Observed<'a> {
        let mut observed = Observed {
            events,
            names,
            types: object_types(events, names, library),
            lives: { 0..events.len() }
                .map(|e| lives(events, names, e))
                .collect(),
            models: Vec::new(),
            requires: requires(events, names, library),
            permits: permits(events, names, library),
            legal,
        };
        let models = (0..events.len()).map(|e| observed.find_model(e));
        observed.models = models.collect();
        observed
    }

    /// The lives that event `e` belongs to; it belongs to the one it begins. Only a
    /// wait and a wake belong to two: that of the condition variable and that of
    /// the lock.
    pub(super) fn lives(&self, e: usize) -> &[Life] {
        &self.lives[e]
    }

    /// Whether event `e` finds a permit when it comes after the events `before`, if it takes
    /// one and their number is recorded.
    pub(super) fn has_permit(&self, before: impl Iterator<Item = usize>, e: usize) -> bool {
        let Some((permits, -1)) = self.permits.changes[e] else {
            return true;
        };
        let changes = before.filter_map(|b| self.permits.changes[b]);
        let changes = changes.filter(|change| change.0 == permits);
        self.permits.initial[permits] + changes.map(|change| change.1).sum::<i64>() > 0
    }

    /// Whether both events are about the same life of the same thing.
    pub(super) fn share_life(&self, a: usize, b: usize) -> bool {
        self.lives[a]
            .iter()
            .any(|life| self.lives[b].contains(life))
    }

    /// Whether event `e` cannot happen before event `b`, which is earlier in the
    /// trace: the fork of its thread, the beginning of the life it belongs to,
    /// all of what is joined and its fork, all of what happened to what is
    /// dropped.
    pub(super) fn needs(&self, e: usize, b: usize) -> bool {
        let (before, event) = (&self.events[b], &self.events[e]);
        b < e
            && match (&before.op, &event.op) {
                (Op::Fork(u), _) if *u == event.thread => true,
                (_, Op::Join(u)) if *u == before.thread => true,
                (Op::Fork(u), Op::Join(v)) if u == v => true,
                (_, Op::Drop(_)) => self.share_life(b, e),
                (op, _) => begins_life(op) && self.share_life(b, e),
            }
    }

    /// How the events at places `a` < `b` conflict, if they do and are of
    /// different threads.
    pub(super) fn conflict(&self, a: usize, b: usize) -> Option<Conflict> {
        use Conflict::{Communicating, OrderOnly};
        if self.events[a].thread == self.events[b].thread {
            return None;
        }
        match (&self.events[a].op, &self.events[b].op) {
            (Op::Free(_), op) | (op, Op::Free(_)) => {
                (!begins_life(op) && self.share_life(a, b)).then_some(OrderOnly)
            }
            (Op::Wait(c, _), op) | (op, Op::Wait(c, _)) => notifies(op, *c).then_some(OrderOnly),
            (Op::Write(_), Op::Read(_) | Op::Write(_)) | (Op::Read(_), Op::Write(_)) => {
                self.share_life(a, b).then_some(Communicating)
            }
            (Op::Action(_), Op::Action(_)) if !self.commute(a, b) => {
                let order_only = self.marked_order(a, b);
                Some(if order_only { OrderOnly } else { Communicating })
            }
            _ => None,
        }
    }

    /// All pairs that conflict, the earlier event first.
    pub(super) fn conflicts(&self) -> BTreeSet<(usize, usize)> {
        let pairs = (0..self.events.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        { pairs }
            .filter(|&(a, b)| self.conflict(a, b).is_some())
            .collect()
    }

    fn act(&self, e: usize) -> Option<(&'a Specification, Invocation<'a>)> {
        let Op::Action(action) = &self.events[e].op else {
            return None;
        };
        let specification = self.types[e]?;
        Some((specification, invocation(specification, action, self.names)))
    }

    /// Whether two actions commute; those of different lives do.
    fn commute(&self, a: usize, b: usize) -> bool {
        if !self.share_life(a, b) {
            return true;
        }
        match (self.act(a), self.act(b)) {
            (Some((specification, first)), Some((_, second))) => {
                specification.commutes(first, second)
            }
            _ => true,
        }
    }

    /// Whether the methods of two actions of one life are marked `order`.
    fn marked_order(&self, a: usize, b: usize) -> bool {
        let (Some((specification, first)), Some((_, second))) = (self.act(a), self.act(b)) else {
            return false;
        };
        specification.pair(first.method, second.method).0.order
    }

    /// Whether action `e` changes its object, if what is opaque is the right thing.
    fn may_mutate(&self, e: usize) -> bool {
        let act = self.act(e);
        act.is_some_and(|(specification, invocation)| specification.may_mutate(invocation))
    }

    /// Whether it does so whatever that is.
    fn surely_mutates(&self, e: usize) -> bool {
        let act = self.act(e);
        act.is_some_and(|(specification, invocation)| specification.surely_mutates(invocation))
    }

    /// Whether actions `b` < `a` must stay in this order where both happen.
    pub(super) fn keeps_order(&self, b: usize, a: usize) -> bool {
        self.model(a).is_none() && (!self.may_swap(b, a) || self.requires[a].contains(&b))
    }

    /// Whether two actions commute whatever was where they are opaque. An opaque
    /// message, if nothing else is opaque, is a message, and none of
    /// those that look the same; but it may be one that does not look the same.
    fn may_swap(&self, b: usize, a: usize) -> bool {
        if !self.share_life(b, a) {
            return true;
        }
        let (Some((specification, first)), Some((_, second))) = (self.act(b), self.act(a)) else {
            return true;
        };
        if let (Some((end, one)), Some((other_end, other))) = (self.passed(b), self.passed(a))
            && end != other_end
            && one != other
            && one.may_be(other)
        {
            return specification.surely_commutes(first, second);
        }
        let passes_opaque =
            |e: usize| { self.passed(e) }.is_some_and(|(_, message)| message.has_opaque());
        let show = |e: usize, invocation: Invocation<'_>, own: &str| {
            let mut slots = [invocation.args(), invocation.results()].concat();
            let opaque = slots.iter().filter(|value| value.has_opaque()).count();
            if opaque == 1 && passes_opaque(e) {
                slots
                    .iter_mut()
                    .filter(|value| value.has_opaque())
                    .for_each(|value| {
                        *value = Value::symbol(own);
                    });
            }
            slots
        };
        let (one, other) = (show(b, first, "own of b"), show(a, second, "own of a"));
        let (args, results) = one.split_at(first.args().len());
        let (others, returned) = other.split_at(second.args().len());
        let first = Invocation::new(first.method, args, results);
        let second = Invocation::new(second.method, others, returned);
        specification.surely_commutes(first, second)
    }

    /// Whether action `a` happens only where the earlier action `b` does.
    pub(super) fn depends(&self, b: usize, a: usize) -> bool {
        let exempt = || self.marked_order(b, a) && self.surely_mutates(a);
        if self.model(a).is_some() {
            return false;
        }
        let changes = || self.legal == Legal::Order || self.may_mutate(b);
        self.requires[a].contains(&b) || !self.may_swap(b, a) && changes() && !exempt()
    }

    /// The message that is sent or received by `e`, opaque or not.
    fn passed(&self, e: usize) -> Option<(End, &'a Value)> {
        let (specification, invocation) = self.act(e)?;
        let rule = message_rule(specification)?;
        let method = invocation.method;
        let (end, patterns) = match (rule.has_before(method), rule.has_after(method)) {
            (true, false) => (End::Send, &rule.before),
            (false, true) => (End::Receive, &rule.after),
            _ => return None,
        };
        let mut patterns = patterns.iter().filter(|pattern| pattern.method == method);
        let pattern = if end == End::Send {
            patterns.next()
        } else {
            patterns.find(|pattern| specification.takes(method) && pattern.matches(invocation))
        };
        Some((end, invocation.slot(*pattern?.key.first()?)))
    }

    /// The model that action `e` is replayed on, if it is replayed: nothing was opaque in
    /// its life up to then, and its life is one of an object that was new.
    pub(super) fn model(&self, e: usize) -> Option<&'static dyn Model> {
        self.models[e]
    }

    fn find_model(&self, e: usize) -> Option<&'static dyn Model> {
        let (specification, _) = self.act(e)?;
        let name = specification.model.as_deref()?;
        let of_life = |b: &usize| self.act(*b).is_some() && self.share_life(*b, e);
        let is_opaque = |b: usize| self.act(b).is_some_and(|(_, action)| action.has_opaque());
        let is_new = self.lives[e].iter().all(|life| life.begin.is_some());
        let is_chosen = CHOSEN.contains(&name);
        if self.legal != Legal::Replay || !is_new || is_chosen {
            return None;
        }
        if (0..=e).filter(of_life).any(is_opaque) {
            return None;
        }
        let model = models::named(name)?;
        let life = (0..self.events.len()).filter(of_life);
        let mut states = BTreeSet::from([model.initial()]);
        for b in life.take_while(|&b| !is_opaque(b)) {
            states = self.replay(b, model, &states).collect();
        }
        (!states.is_empty()).then_some(model)
    }

    /// The states the model can be in after action `e` has returned what was
    /// recorded; `before` are those it can be in now.
    pub(super) fn replay<'s>(
        &self,
        e: usize,
        model: &dyn Model,
        before: impl IntoIterator<Item = &'s Value>,
    ) -> impl Iterator<Item = Value> {
        let (specification, invocation) = self.act(e).expect("an action");
        let method = &specification.methods[invocation.method].name;
        let recorded = |results: &[Value]| results == invocation.results();
        let outcomes = before
            .into_iter()
            .flat_map(|state| model.step(state, method, invocation.args()));
        let possible: Vec<Value> = outcomes
            .filter(|outcome| recorded(&outcome.results))
            .map(|outcome| outcome.state)
            .collect();
        possible.into_iter()
    }
}
