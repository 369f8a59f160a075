//! Checks a witness, from the definition alone: it shares nothing with the
//! search but the question whether two actions commute.
//!
//! A reordering is correct if (1) it has a prefix of every thread, (2) threads
//! begin after their fork and are joined after their end, (3) locks are well
//! used, and (4) every event has its outcome from the trace. The events of the pair
//! that come next may have another outcome, but must be able to execute: a lock that
//! one of them acquires is free.

use commute_model::{CondvarId, Event, LockId, Names, ObjectId, Op, ThreadId, VariableId};
use commute_spec::states::States;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use super::certify::Kind;
use super::legal::{Call, Legal, bind, replayed};
use super::opaque::may_swap;
use super::permits;
use super::recent::Before;
use super::window::Context;

/// What is claimed: after the events `order` of `events`, `kind` holds of the
/// pair. All numbers are places in `events`.
pub(super) struct Claim<'a> {
    pub(super) events: &'a [&'a Event],
    pub(super) order: &'a [u32],
    pub(super) kind: Kind,
    pub(super) pair: (u32, u32),
}

/// Whether the claim holds.
pub(super) fn holds(claim: &Claim<'_>, before: &Before<'_>, context: &Context<'_>) -> bool {
    let memory = memory(claim.events, context.names);
    is_prefix_of_every_thread(claim)
        && are_threads_begun_and_over(claim, &memory)
        && are_locks_well_used(claim, before)
        && are_outcomes_the_same(claim, &memory, before, context)
        && are_actions_legal(claim, before, context)
        && are_permits_there(claim, before)
}

/// Whether every acquisition of a permit finds one, where their number is recorded; an
/// event of the pair that comes next, too.
fn are_permits_there(claim: &Claim<'_>, before: &Before<'_>) -> bool {
    let mut permits = before.permits();
    let apply = |place: u32, permits: &mut FxHashMap<ObjectId, i64>| {
        let object = match &claim.events[place as usize].op {
            Op::New(o, _) => *o,
            Op::Action(action) => action.object,
            _ => return true,
        };
        if let Some(change) = before.permit_change(place) {
            permits::apply(permits, object, change);
        }
        permits.get(&object).is_none_or(|count| *count >= 0)
    };
    claim.order.iter().all(|place| apply(*place, &mut permits))
        && pair_next(claim).all(|place| apply(place, &mut permits.clone()))
}

/// Whether the order has a prefix of every thread, after which the earlier event is next,
/// and the later one next or done.
fn is_prefix_of_every_thread(claim: &Claim<'_>) -> bool {
    let mut numbers: FxHashMap<ThreadId, usize> = FxHashMap::default();
    // The last event of each thread, and for every event the one of its thread before it.
    let mut last: Vec<Option<u32>> = Vec::new();
    let previous = (0..).zip(claim.events).map(|(place, event)| {
        let thread = *numbers.entry(event.thread).or_insert(last.len());
        if thread == last.len() {
            last.push(None);
        }
        (thread, last[thread].replace(place))
    });
    let previous: Vec<(usize, Option<u32>)> = previous.collect();
    let mut done: Vec<Option<u32>> = vec![None; last.len()];
    let is_next = |place: u32, done: &[Option<u32>]| {
        let previous = previous.get(place as usize);
        previous.is_some_and(|&(thread, previous)| done[thread] == previous)
    };
    let is_prefix = claim.order.iter().all(|&place| {
        let is_next = is_next(place, &done);
        if is_next {
            done[previous[place as usize].0] = Some(place);
        }
        is_next
    });
    let (earlier, later) = claim.pair;
    is_prefix
        && earlier < later
        && is_next(earlier, &done)
        && match claim.kind {
            Kind::Race => is_next(later, &done),
            Kind::Order => claim.order.contains(&later),
        }
}

/// The events of the pair that come next.
fn pair_next(claim: &Claim<'_>) -> impl Iterator<Item = u32> {
    let later = (claim.kind == Kind::Race).then_some(claim.pair.1);
    [claim.pair.0].into_iter().chain(later)
}

/// The memory that an event uses.
type Used = SmallVec<[VariableId; 1]>;

/// For every event the memory that it uses or frees: a variable, and what is called
/// by the name of one that is allocated or freed here.
fn memory(events: &[&Event], names: &Names) -> Vec<Used> {
    let freed = events.iter().filter_map(|event| match event.op {
        Op::Alloc(x) | Op::Free(x) => Some((names.variables.name(x).to_string(), x)),
        _ => None,
    });
    let freed: FxHashMap<String, VariableId> = freed.collect();
    let lock = |l: LockId| freed.get(&names.locks.name(l).to_string());
    let condvar = |c: CondvarId| freed.get(&names.condvars.name(c).to_string());
    let used = |event: &&Event| match event.op {
        Op::Read(x) | Op::Write(x) | Op::Free(x) => smallvec![x],
        _ if freed.is_empty() => Used::new(),
        Op::Acquire(l) | Op::Release(l) | Op::ReadAcquire(l) | Op::ReadRelease(l) => {
            lock(l).into_iter().copied().collect()
        }
        Op::Wait(c, l) | Op::Wake(c, l) => condvar(c).into_iter().chain(lock(l)).copied().collect(),
        Op::Notify(c) | Op::NotifyAll(c) => condvar(c).into_iter().copied().collect(),
        _ => Used::new(),
    };
    events.iter().map(used).collect()
}

/// Forks, joins, allocations and the making of objects.
fn are_threads_begun_and_over(claim: &Claim<'_>, memory: &[Used]) -> bool {
    let needs = needs(claim.events, memory);
    let mut done = vec![false; claim.events.len()];
    let ready = |place: u32, done: &[bool]| needs[place as usize].iter().all(|&need| done[need]);
    let in_order = claim.order.iter().all(|&place| {
        let ready = ready(place, &done);
        done[place as usize] = true;
        ready
    });
    in_order && pair_next(claim).all(|place| ready(place, &done))
}

/// The places of events that must come before another.
type Needs = SmallVec<[usize; 1]>;

/// For every event those that must come before it, whatever the order, and that no earlier
/// one of its thread needs.
fn needs(events: &[&Event], memory: &[Used]) -> Vec<Needs> {
    let mut forks: FxHashMap<ThreadId, Needs> = FxHashMap::default();
    let mut last: FxHashMap<ThreadId, usize> = FxHashMap::default();
    // The events of the current life of a variable or an object.
    let mut lives: FxHashMap<Subject, Vec<usize>> = FxHashMap::default();
    let of_life = |e: &&Event| matches!(e.op, Op::Alloc(_) | Op::New(..) | Op::Drop(_));
    let has_lives = events.iter().any(of_life);
    let joins = { events.iter() }.any(|e| matches!(e.op, Op::Join(_)));
    let mut needs = Vec::with_capacity(events.len());
    for (place, event) in events.iter().enumerate() {
        let mut own = forks.remove(&event.thread).unwrap_or_default();
        match &event.op {
            Op::Fork(u) => forks.entry(*u).or_default().push(place),
            Op::Join(u) => {
                own.extend(last.get(u).copied());
                own.extend(forks.get(u).into_iter().flatten().copied());
            }
            Op::Alloc(x) => {
                lives.insert(Subject::Variable(*x), vec![place]);
            }
            Op::New(o, _) => {
                lives.insert(Subject::Object(*o), vec![place]);
            }
            _ => {}
        }
        let variables = { memory[place].iter() }.map(|x| Subject::Variable(*x));
        for subject in variables.chain(object(event)).filter(|_| has_lives) {
            let life = lives.entry(subject).or_default();
            let begins = |place: &&usize| matches!(events[**place].op, Op::Alloc(_) | Op::New(..));
            match event.op {
                Op::Drop(_) => own.extend(life.iter().copied()),
                _ => own.extend(life.first().filter(begins).copied()),
            }
            life.push(place);
        }
        if joins {
            last.insert(event.thread, place);
        }
        needs.push(own);
    }
    needs
}

#[derive(PartialEq, Eq, Hash)]
enum Subject {
    Variable(VariableId),
    Object(ObjectId),
}

fn object(event: &Event) -> Option<Subject> {
    match &event.op {
        Op::Action(action) => Some(Subject::Object(action.object)),
        Op::Drop(o) => Some(Subject::Object(*o)),
        _ => None,
    }
}

fn are_locks_well_used(claim: &Claim<'_>, before: &Before<'_>) -> bool {
    let mut held: Vec<(ThreadId, LockId, bool)> = before.held.clone();
    // Whoever waits gives back all its holds, and gets as many again.
    let mut given_back = before.given_back.clone();
    let well_used = claim.order.iter().all(|&place| {
        let event = claim.events[place as usize];
        let t = event.thread;
        let (lock, shared, acquires) = match event.op {
            Op::Acquire(l) => (l, false, 1),
            Op::Wake(_, l) => (l, false, given_back.remove(&(t, l)).unwrap_or(1)),
            Op::ReadAcquire(l) => (l, true, 1),
            Op::Release(l) => (l, false, 0),
            Op::Wait(_, l) => {
                let before = held.len();
                held.retain(|h| *h != (t, l, false));
                let levels = before - held.len();
                given_back.insert((t, l), levels as u32);
                return levels > 0;
            }
            Op::ReadRelease(l) => (l, true, 0),
            _ => return true,
        };
        if acquires > 0 {
            let clash = |h: &(ThreadId, LockId, bool)| h.0 != t && h.1 == lock && !(h.2 && shared);
            let free = !held.iter().any(clash);
            held.extend((0..acquires).map(|_| (t, lock, shared)));
            free
        } else {
            let mine = held.iter().position(|h| *h == (t, lock, shared));
            mine.map(|place| held.swap_remove(place)).is_some()
        }
    });
    well_used
        && pair_next(claim).all(|place| {
            let event = claim.events[place as usize];
            let (lock, shared) = match event.op {
                Op::Acquire(l) | Op::Wake(_, l) => (l, false),
                Op::ReadAcquire(l) => (l, true),
                _ => return true,
            };
            let mut others = held
                .iter()
                .filter(|hold| hold.0 != event.thread && hold.1 == lock);
            others.all(|hold| hold.2 && shared)
        })
}

/// What an event's thread can learn from it, apart from results of actions.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Outcome {
    seen: Seen,
    /// Whether what it uses was freed.
    freed: SmallVec<[bool; 1]>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Seen {
    Nothing,
    Write(Option<u32>),
    Notified(bool),
}

/// The outcomes of events in some order. Events of a variable's next life do
/// not see those of the last.
fn outcomes(
    events: &[&Event],
    lives: &Lives,
    order: impl Iterator<Item = u32>,
    before: &Before<'_>,
    context: &Context<'_>,
) -> Vec<Option<Outcome>> {
    let mut writers: Vec<Option<u32>> = vec![None; lives.freed.len()];
    let mut freed = lives.freed.clone();
    let frees = |event: &&Event| matches!(event.op, Op::Free(_));
    let is_freeing = !context.lax && (freed.contains(&true) || events.iter().any(frees));
    // Who waits for what, and whether a notification came.
    let waiting = before.waiting.iter();
    let mut waits: FxHashMap<ThreadId, (CondvarId, bool)> =
        waiting.map(|(t, w)| (*t, *w)).collect();
    let mut outcomes = vec![None; events.len()];
    for place in order {
        let event = events[place as usize];
        let used = &lives.used[place as usize];
        let was_freed = if is_freeing {
            used.iter().map(|&life| freed[life]).collect()
        } else {
            SmallVec::new()
        };
        let mut seen = Seen::Nothing;
        match &event.op {
            Op::Read(_) => seen = Seen::Write(writers[used[0]]),
            Op::Write(_) => writers[used[0]] = Some(place),
            Op::Free(_) => freed[used[0]] = true,
            Op::Wait(c, _) => {
                waits.insert(event.thread, (*c, false));
            }
            Op::Notify(c) | Op::NotifyAll(c) => {
                // order: each has a flag of its own.
                for (condvar, notified) in waits.values_mut() {
                    *notified |= condvar == c;
                }
            }
            Op::Wake(..) => {
                let wait = waits.remove(&event.thread);
                seen = Seen::Notified(wait.is_some_and(|wait| wait.1));
            }
            _ => {}
        }
        let outcome = Outcome {
            seen,
            freed: was_freed,
        };
        outcomes[place as usize] = Some(outcome);
    }
    outcomes
}

/// Memory from one allocation to the next, in the events of a claim.
#[derive(Default)]
struct Lives {
    /// The lives of what each event uses.
    used: Vec<SmallVec<[usize; 1]>>,
    /// Of each life, whether it was freed before these events.
    freed: Vec<bool>,
}

fn lives(events: &[&Event], memory: &[Used], before: &Before<'_>) -> Lives {
    let mut lives = Lives::default();
    let mut numbers: FxHashMap<VariableId, usize> = FxHashMap::default();
    for (event, used) in events.iter().zip(memory) {
        if let Op::Alloc(x) = event.op {
            numbers.insert(x, lives.freed.len());
            lives.freed.push(false);
        }
        let life = |x: &VariableId| {
            *numbers.entry(*x).or_insert_with(|| {
                lives.freed.push(before.is_freed(*x));
                lives.freed.len() - 1
            })
        };
        let used = used.iter().map(life).collect();
        lives.used.push(used);
    }
    lives
}

fn are_outcomes_the_same(
    claim: &Claim<'_>,
    memory: &[Used],
    before: &Before<'_>,
    context: &Context<'_>,
) -> bool {
    let lives = lives(claim.events, memory, before);
    let trace = 0..claim.events.len() as u32;
    let truth = outcomes(claim.events, &lives, trace, before, context);
    let order = claim.order.iter().copied();
    let found = outcomes(claim.events, &lives, order, before, context);
    let mut pairs = found.iter().zip(&truth);
    pairs.all(|(found, truth)| found.is_none() || found == truth)
}

/// Results of library actions, by the reading that was asked for.
fn are_actions_legal(claim: &Claim<'_>, before: &Before<'_>, context: &Context<'_>) -> bool {
    let mut places: Vec<Option<usize>> = vec![None; claim.events.len()];
    for (at, &place) in claim.order.iter().enumerate() {
        places[place as usize] = Some(at);
    }
    let mut objects: FxHashMap<ObjectId, Vec<u32>> = FxHashMap::default();
    let mut lives: Vec<Vec<u32>> = Vec::new();
    for (place, event) in claim.events.iter().enumerate() {
        match &event.op {
            Op::New(o, _) => lives.extend(objects.insert(*o, Vec::new())),
            Op::Action(action) => {
                objects.entry(action.object).or_default().push(place as u32);
            }
            Op::Drop(o) => objects.entry(*o).or_default().push(place as u32),
            _ => {}
        }
    }
    // order: all of them must be legal.
    lives.extend(objects.into_values());
    lives.iter().all(|life| {
        let clear = clear(claim, life, before, context);
        let disturbable: Vec<u32> = { life.iter().copied() }
            .filter(|place| !clear.contains(place))
            .collect();
        is_replayed(claim, &clear, before, context) && { disturbable.iter() }
            .all(|&a| is_undisturbed(claim, (life, a), &places, before, context))
    })
}

/// The actions of a life that are replayed: if that was asked for, and there is a
/// model, those before which nothing is opaque, from the beginning of the life on.
fn clear(claim: &Claim<'_>, life: &[u32], before: &Before<'_>, context: &Context<'_>) -> Vec<u32> {
    let is_clear = |place: &u32| match &claim.events[*place as usize].op {
        Op::Action(action) => {
            let objects = context.objects.at(before.index(*place));
            let fits = bind(action, objects, context.names);
            let known = contents(claim, life, action.object, before, context).is_some();
            known && fits.is_some_and(|(_, invocation)| !invocation.has_opaque())
        }
        _ => true,
    };
    match context.legal {
        Legal::Replay => life.iter().copied().take_while(is_clear).collect(),
        _ => Vec::new(),
    }
}

/// The states in which the object may have been before its life in the window, if it has
/// a model and that is known.
fn contents(
    claim: &Claim<'_>,
    life: &[u32],
    object: ObjectId,
    before: &Before<'_>,
    context: &Context<'_>,
) -> Option<States> {
    let made = |e: &&Event| matches!(e.op, Op::New(o, _) if o == object);
    let made = claim.events[..life[0] as usize].iter().rposition(made);
    let model = replayed(context.objects.at(before.index(life[0])), object)?;
    let contents = before.contents(object, made.map(|place| place as u32), model);
    contents.map(|(_, states)| states)
}

/// Whether the model returns for these actions of a life what was recorded.
fn is_replayed(
    claim: &Claim<'_>,
    life: &[u32],
    before: &Before<'_>,
    context: &Context<'_>,
) -> bool {
    let mut places = life.iter().copied();
    let first = places.find_map(|place| match &claim.events[place as usize].op {
        Op::Action(action) => Some((place, action.object)),
        _ => None,
    });
    let Some((first, object)) = first else {
        return true;
    };
    let objects = context.objects.at(before.index(first));
    let Some(mut states) = contents(claim, life, object, before, context) else {
        return false;
    };
    for place in claim.order.iter().filter(|place| life.contains(place)) {
        if let Op::Action(action) = &claim.events[*place as usize].op {
            let Some(call) = Call::new(action, objects, context.names) else {
                return false;
            };
            states = call.replay(&states);
        }
    }
    !states.is_empty()
}

/// Whether an action of a life is not swapped with one with which it does not commute,
/// and what it saw is there.
fn is_undisturbed(
    claim: &Claim<'_>,
    (life, a): (&[u32], u32),
    places: &[Option<usize>],
    before: &Before<'_>,
    context: &Context<'_>,
) -> bool {
    let Some(at) = places[a as usize] else {
        return true;
    };
    let is_before = |first: u32| places[first as usize].is_some_and(|there| there < at);
    if !before.required(a).all(is_before) {
        return false;
    }
    for b in life.iter().filter(|&&b| b < a) {
        let there = places[*b as usize];
        if there.is_some_and(|there| there < at) {
            continue;
        }
        let (first, second) = (claim.events[*b as usize], claim.events[a as usize]);
        let (Op::Action(first), Op::Action(second)) = (&first.op, &second.op) else {
            return false;
        };
        let objects = context.objects.at(before.index(a));
        let first = bind(first, objects, context.names);
        let second = bind(second, objects, context.names);
        let (Some((specification, first)), Some((_, second))) = (first, second) else {
            return false;
        };
        let order = specification.pair(first.method, second.method).0.order;
        if may_swap(specification, first, second) || (order && context.lax) {
            continue;
        }
        let exempt = order && specification.surely_mutates(second);
        let seen = context.legal == Legal::Order || specification.may_mutate(first);
        if there.is_some() || (seen && !exempt) {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use commute_spec::Library;
    use commute_testkit::oracle::prediction::{self as oracle, is_correct_reordering};
    use commute_testkit::random::Random;
    use commute_testkit::traces::{Family, Trace};

    use super::*;
    use crate::pass::Pass;
    use crate::prediction::{Options, Prediction};

    /// Some order of some events that keeps to the order of every thread, and
    /// mostly to that of the trace.
    fn shuffled(trace: &Trace, random: &mut Random) -> (Vec<u32>, Vec<u32>) {
        let mut left: Vec<u32> = (0..trace.events.len() as u32).collect();
        let mut order = Vec::new();
        for _ in 0..random.below(trace.events.len()) {
            let chosen = if random.chance(60) {
                0
            } else {
                random.below(left.len())
            };
            let thread = trace.events[left[chosen] as usize].thread;
            let next = { left.iter() }.position(|&p| trace.events[p as usize].thread == thread);
            order.push(left.remove(next.expect("the chosen one, if no other")));
        }
        (order, left)
    }

    /// Nothing is accepted that the definition does not accept, and much is.
    #[test]
    fn what_is_accepted_is_correct() {
        let library = Arc::new(Library::shipped());
        for (name, family) in Family::all() {
            let (mut accepted, mut wrong) = (0, 0);
            for seed in 0..300 {
                let (trace, mut random) = (family.trace(seed, &library), Random::new(seed));
                let mut pass = Prediction::new(library.clone(), Options::default());
                pass.steps(&trace.events, &trace.names)
                    .expect("well-formed");
                let before = pass.recent.before(0, &pass.objects, &trace.names);
                let context = Context {
                    names: &trace.names,
                    objects: &pass.objects,
                    namesakes: &pass.namesakes,
                    legal: Legal::Observe,
                    lax: false,
                };
                let events: Vec<&Event> = trace.events.iter().collect();
                for _ in 0..10 {
                    let (order, left) = shuffled(&trace, &mut random);
                    let thread = |place: u32| trace.events[place as usize].thread;
                    let first = left[0];
                    let Some(&second) = left.iter().find(|&&p| thread(p) != thread(first)) else {
                        continue;
                    };
                    let claim = Claim {
                        events: &events,
                        order: &order,
                        kind: Kind::Race,
                        pair: (first, second),
                    };
                    let rho: Vec<usize> = order.iter().map(|&place| place as usize).collect();
                    let legal = oracle::Legal::Observe;
                    let names = &trace.names;
                    let truth = is_correct_reordering(&trace.events, names, &library, legal, &rho);
                    let next = |e: u32| {
                        oracle::can_execute(&trace.events, names, &library, &rho, e as usize)
                    };
                    let truth = truth.and(next(first)).and(next(second));
                    let holds = holds(&claim, &before, &context);
                    assert!(
                        !holds || truth.is_ok(),
                        "{name}, {seed}: {order:?} {truth:?}\n{}",
                        trace.text()
                    );
                    accepted += u32::from(holds);
                    wrong += u32::from(truth.is_err());
                }
            }
            assert!(accepted > 50 && wrong > 50, "{name}: {accepted}, {wrong}");
        }
    }
}
