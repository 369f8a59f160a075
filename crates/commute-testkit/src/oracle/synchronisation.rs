//! The order between threads that actions of synchronising objects imply.
//!
//! Slow, and written from the definition of `orders` in specifications: every life of
//! every object is looked at on its own, every action B is compared with all actions
//! before it, and the receives of `fifo` are matched with messages in all possible ways.
//!
//! An action that matches both sides of a rule, as `force_push` of a bounded queue,
//! first comes after others, then others come after it.
//!
//! An initial state that the trace does not record is inferred from the whole trace: the
//! least count, the numbers of parties with which no thread leaves an incomplete round.

mod barrier;
mod fifo;
mod race;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use commute_model::{Event, Names, Op, ThreadId, Value};
use commute_spec::{
    InitialCount, Invocation, Key, Library, Matching, OrderRule, Orders, Specification,
    type_argument,
};

use super::{invocation, life, type_name};

pub(super) use race::is_meant;
pub use race::is_waiting;

/// For every action the positions of the earlier actions that it comes directly after,
/// of its own thread and of others.
pub fn comes_after(events: &[Event], names: &Names, library: &Library) -> Vec<BTreeSet<usize>> {
    collect(events, names, library, |life, edges| {
        for orders in &life.specification.orders {
            match orders {
                Orders::Atomic => all_earlier(life, edges),
                Orders::Barrier => barrier::leaves(life, edges),
                Orders::Rule(rule) => rule_edges(life, rule, edges),
            }
        }
    })
}

/// For every action the positions of the earlier actions that it conflicts with because of
/// a rule or a round. Actions on an atomic conflict only if they do not commute.
pub fn conflicts(events: &[Event], names: &Names, library: &Library) -> Vec<BTreeSet<usize>> {
    collect(events, names, library, |life, edges| {
        for orders in &life.specification.orders {
            match orders {
                Orders::Atomic => {}
                Orders::Barrier => barrier::leaves(life, edges),
                Orders::Rule(rule) => rule_edges(life, rule, edges),
            }
        }
    })
}

/// What actions do to permits whose initial count is recorded.
pub struct Permits {
    /// The initial count of each life.
    pub initial: Vec<i64>,
    /// For each event the life whose permits it changes, and by how many.
    pub changes: Vec<Option<(usize, i64)>>,
}

/// The permits of the lives of which the trace records the initial count: no prefix of a
/// correct reordering has more acquisitions than permits and releases.
pub fn permits(events: &[Event], names: &Names, library: &Library) -> Permits {
    let mut permits = Permits {
        initial: Vec::new(),
        changes: vec![None; events.len()],
    };
    for life in lives(events, names, library) {
        let Some(initial) = life.argument else {
            continue;
        };
        for rule in life
            .specification
            .rules()
            .filter(|rule| counts(rule, &life))
        {
            permits.initial.push(initial as i64);
            let number = permits.initial.len() - 1;
            for action in &life.actions {
                let acquires = rule.after(action.invocation).is_some() && life.takes(action);
                let releases = rule.before(action.invocation).is_some();
                let by = i64::from(releases) - i64::from(acquires);
                if by != 0 {
                    permits.changes[action.position] = Some((number, by));
                }
            }
        }
    }
    permits
}

/// Whether the rule counts from a number that the trace records.
fn counts(rule: &OrderRule, life: &Life<'_>) -> bool {
    let parameter = Matching::Counting(InitialCount::Parameter);
    rule.matching == parameter && !rule.is_keyed() && life.argument.is_some()
}

/// For every action the positions of the earlier actions without which it is in no correct
/// reordering, and which it does not overtake, because of what the actions order.
pub fn requires(events: &[Event], names: &Names, library: &Library) -> Vec<BTreeSet<usize>> {
    collect(events, names, library, |life, edges| {
        for orders in &life.specification.orders {
            match orders {
                Orders::Atomic => {}
                Orders::Barrier => {
                    barrier::leaves(life, edges);
                    barrier::rounds(life, edges);
                }
                // The count is required of every prefix instead.
                Orders::Rule(rule) if counts(rule, life) => {}
                Orders::Rule(rule) => {
                    rule_edges(life, rule, edges);
                    if rule.matching == Matching::Fifo {
                        fifo::receives_in_order(life, rule, edges);
                    }
                }
            }
        }
    })
}

/// Whether every receive of a `fifo` rule has exactly one possible message in every prefix
/// of the trace that it is in.
pub fn is_unambiguous(events: &[Event], names: &Names, library: &Library) -> bool {
    lives(events, names, library).iter().all(|life| {
        let mut rules = life.specification.rules();
        rules.all(|rule| rule.matching != Matching::Fifo || fifo::is_unambiguous(life, rule))
    })
}

/// Whether all that receives of `fifo` rules received was sent in the trace, in the order
/// of each sender.
pub fn is_explained(events: &[Event], names: &Names, library: &Library) -> bool {
    lives(events, names, library).iter().all(|life| {
        let mut rules = life.specification.rules();
        rules.all(|rule| rule.matching != Matching::Fifo || fifo::is_explained(life, rule))
    })
}

/// Direct edges by position in the trace: each action, and those it comes after.
type Edges = Vec<BTreeSet<usize>>;

/// The actions of one life of an object: from its `new`, or the start of the trace, to the
/// next `new` or `drop`.
struct Life<'a> {
    specification: &'a Specification,
    /// The recorded argument of the type: 2 in `semaphore(2)`.
    argument: Option<u64>,
    /// The actions in trace order.
    actions: Vec<Act<'a>>,
}

#[derive(Clone, Copy)]
struct Act<'a> {
    position: usize,
    thread: ThreadId,
    invocation: Invocation<'a>,
}

impl Life<'_> {
    /// Whether the action takes what it comes after.
    fn takes(&self, action: &Act<'_>) -> bool {
        self.specification.takes(action.invocation.method)
    }
}

fn lives<'a>(events: &'a [Event], names: &Names, library: &'a Library) -> Vec<Life<'a>> {
    let mut lives: BTreeMap<_, Life<'a>> = BTreeMap::new();
    for (position, event) in events.iter().enumerate() {
        let Op::Action(action) = &event.op else {
            continue;
        };
        let Some(name) = type_name(events, names, position) else {
            continue;
        };
        let Some(specification) = library.specification(&name) else {
            continue;
        };
        let begin = life(events, position, action);
        let empty = || Life {
            specification,
            argument: type_argument(&name),
            actions: Vec::new(),
        };
        let of_life = lives.entry((action.object, begin)).or_insert_with(empty);
        of_life.actions.push(Act {
            position,
            thread: event.thread,
            invocation: invocation(specification, action, names),
        });
    }
    lives.into_values().collect()
}

fn collect(
    events: &[Event],
    names: &Names,
    library: &Library,
    mut add: impl FnMut(&Life<'_>, &mut Edges),
) -> Edges {
    let mut edges = vec![BTreeSet::new(); events.len()];
    for life in lives(events, names, library) {
        add(&life, &mut edges);
    }
    edges
}

fn all_earlier(life: &Life<'_>, edges: &mut Edges) {
    for (n, b) in life.actions.iter().enumerate() {
        edges[b.position].extend(life.actions[..n].iter().map(|a| a.position));
    }
}

fn rule_edges(life: &Life<'_>, rule: &OrderRule, edges: &mut Edges) {
    match rule.matching {
        Matching::Pending if rule.is_keyed() => pending(life, rule, edges),
        Matching::Pending => unkeyed_pending(life, rule, edges),
        Matching::Counting(_) if rule.is_keyed() => claiming(life, rule, edges),
        Matching::Counting(initial) => counting(life, rule, initial, edges),
        Matching::Fifo => fifo::messages(life, rule, edges),
    }
}

/// Every B comes after all earlier A.
fn unkeyed_pending(life: &Life<'_>, rule: &OrderRule, edges: &mut Edges) {
    for (n, b) in life.actions.iter().enumerate() {
        if rule.after(b.invocation).is_some() {
            let earlier = life.actions[..n].iter();
            let before = earlier.filter(|a| rule.before(a.invocation).is_some());
            edges[b.position].extend(before.map(|a| a.position));
        }
    }
}

/// Of these earlier A, those with an equal key; if there are none, those whose key may be
/// equal.
fn with_key<'k>(of: &'k [(usize, Key)], key: &Key) -> Vec<&'k (usize, Key)> {
    let equal: Vec<_> = of.iter().filter(|(_, other)| other == key).collect();
    if !equal.is_empty() {
        return equal;
    }
    let possible = of.iter().filter(|(_, other)| may_be(other, key));
    possible.collect()
}

/// Whether two keys may be equal, component by component.
fn may_be(key: &Key, other: &Key) -> bool {
    key.len() == other.len() && key.iter().zip(other).all(|(x, y)| x.may_be(y))
}

/// Every B comes after all A with an equal key since the last moment at which there were
/// as many taking B as A with that key.
fn pending(life: &Life<'_>, rule: &OrderRule, edges: &mut Edges) {
    let mut outstanding: BTreeMap<Key, usize> = BTreeMap::new();
    let mut pending: Vec<(usize, Key)> = Vec::new();
    for action in &life.actions {
        if let Some(key) = rule.after(action.invocation) {
            let before = with_key(&pending, &key);
            edges[action.position].extend(before.iter().map(|(a, _)| a));
            let count = outstanding.entry(key.clone()).or_default();
            if life.takes(action) {
                *count = count.saturating_sub(1);
            }
            if *count == 0 {
                pending.retain(|(_, other)| *other != key);
            }
        }
        if let Some(key) = rule.before(action.invocation) {
            *outstanding.entry(key.clone()).or_default() += 1;
            pending.push((action.position, key));
        }
    }
}

/// Of each key, how many taking B need no A: the trace is impossible with fewer. Then every
/// other B comes after the first unclaimed A with an equal key, and claims it if it takes.
fn claiming(life: &Life<'_>, rule: &OrderRule, edges: &mut Edges) {
    // An A that was there before the trace has no position.
    let mut initial: Vec<(Option<usize>, Key)> = Vec::new();
    loop {
        match claim(life, rule, initial.clone()) {
            Ok(found) => {
                for (position, before) in found {
                    edges[position].extend(before);
                }
                return;
            }
            Err(missing) => initial.push((None, missing)),
        }
    }
}

/// Returns the A that each B comes after if these are unclaimed at first, or the key of a B
/// without an unclaimed A.
fn claim(
    life: &Life<'_>,
    rule: &OrderRule,
    mut unclaimed: Vec<(Option<usize>, Key)>,
) -> Result<Vec<(usize, Vec<usize>)>, Key> {
    let mut found = Vec::new();
    for action in &life.actions {
        if let Some(key) = rule.after(action.invocation) {
            let of_trace = |(a, other): &(Option<usize>, Key)| a.is_some() && may_be(other, &key);
            let equal = |a: &(Option<usize>, Key)| a.1 == key;
            let is_unclear = !unclaimed.iter().any(|a| a.0.is_some() && equal(a))
                && (key.iter().any(Value::has_opaque) || unclaimed.iter().any(of_trace));
            if is_unclear {
                let all = unclaimed.iter().filter(|a| of_trace(a));
                found.push((action.position, all.filter_map(|a| a.0).collect()));
            } else if let Some(first) = unclaimed.iter().position(equal) {
                found.push((action.position, unclaimed[first].0.into_iter().collect()));
                if life.takes(action) {
                    unclaimed.remove(first);
                }
            } else {
                return Err(key);
            }
        }
        if let Some(key) = rule.before(action.invocation) {
            unclaimed.push((Some(action.position), key));
        }
    }
    Ok(found)
}

/// The j-th taking B comes after the (j - k)-th A, where k is the initial count, or as much
/// more as the whole trace needs. A B that does not take counts as the next one that does.
fn counting(life: &Life<'_>, rule: &OrderRule, initial: InitialCount, edges: &mut Edges) {
    let known = match initial {
        InitialCount::Is(count) => Some(count),
        InitialCount::Parameter => life.argument,
        InitialCount::Least => None,
    };
    let known = known.map_or(0, |count| usize::try_from(count).unwrap_or(usize::MAX));
    // Of each B its number, and how many A came before it.
    let (mut numbers, mut taken, mut before) = (Vec::new(), 0, Vec::new());
    for action in &life.actions {
        if rule.after(action.invocation).is_some() {
            numbers.push((action.position, taken + 1, before.len()));
            taken += usize::from(life.takes(action));
        }
        if rule.before(action.invocation).is_some() {
            before.push(action.position);
        }
    }
    let needed = { numbers.iter() }.map(|(_, number, before)| number.saturating_sub(*before));
    let k = known.max(needed.max().unwrap_or(0));
    for (position, number, _) in numbers {
        if number > k {
            edges[position].insert(before[number - k - 1]);
        }
    }
}
