//! Why what a thread did was not one step: what others did meanwhile can neither be moved
//! before it nor behind it.
//!
//! Something of the thread came before something that others did, and later something of
//! the others, the same or what came after it, before something of the thread; and the
//! two do not commute, both times.

mod action;
mod rule;
#[cfg(test)]
mod tests;

use self::action::{Action, actions};
use self::rule::{Ruled, rule};
use crate::knowledge::Knowledge;
use crate::report::{Conflict, Part};
use crate::run::Step;
use crate::story::commute;
use crate::words::ThreadId;
use crate::world::World;

/// The two pairs that do not commute, if there are such: of `inner`, and of `outer`, who
/// each did all that they did without a break of their own. Of several, those that made
/// a difference, of which there is a rule, and that lie nearest to each other.
pub fn conflicts(
    steps: &[Step],
    known: &mut Knowledge,
    inner: impl Fn(ThreadId) -> bool,
    outer: impl Fn(ThreadId) -> bool,
) -> Vec<Conflict> {
    let worlds = worlds(steps, known);
    let all = actions(steps, &worlds, known);
    let (mut before, mut behind) = (Vec::new(), Vec::new());
    for one in all.iter().filter(|action| inner(action.thread)) {
        for other in all.iter().filter(|action| outer(action.thread)) {
            let (first, second, pairs) = match one.first < other.first {
                true => (one, other, &mut before),
                false => (other, one, &mut behind),
            };
            pairs.extend(clash(first, second, steps, &worlds, known));
        }
    }
    let both = { before.iter() }.flat_map(|one| behind.iter().map(move |other| (one, other)));
    let nearest = both
        .filter(|(one, other)| is_between(one, other))
        .min_by_key(|(one, other)| rank(one, other));
    nearest.map_or(Vec::new(), |(one, other)| vec![one.told(), other.told()])
}

/// Two actions that do not commute.
struct Clash<'a> {
    first: &'a Action,
    second: &'a Action,
    rule: Option<String>,
    /// Whether it makes a difference in the state that there was.
    is_seen: bool,
}

impl Clash<'_> {
    fn told(&self) -> Conflict {
        Conflict {
            first: part(self.first),
            second: part(self.second),
            rule: self.rule.clone(),
        }
    }
}

/// Whether what others did is kept between two actions of the thread: there is no place
/// for all that the thread did.
fn is_between(before: &Clash<'_>, behind: &Clash<'_>) -> bool {
    let (begin, earlier) = (before.first, before.second);
    let (later, end) = (behind.first, behind.second);
    let is_in_order = earlier.thread == later.thread || earlier.first < later.first;
    begin.first < end.first && is_in_order
}

/// Less is better.
fn rank(before: &Clash<'_>, behind: &Clash<'_>) -> impl Ord {
    let (earlier, later) = (before.second, behind.first);
    let both = [before, behind];
    (
        both.iter().filter(|clash| !clash.is_seen).count(),
        both.iter().filter(|clash| clash.rule.is_none()).count(),
        earlier.first != later.first,
        earlier.thread != later.thread,
        behind.second.first - before.first.first,
    )
}

/// What was there before each step.
fn worlds(steps: &[Step], known: &mut Knowledge) -> Vec<World> {
    let mut world = World::default();
    let mut worlds = Vec::with_capacity(steps.len());
    for step in steps {
        worlds.push(world.clone());
        known.step(&mut world, step.op);
    }
    worlds
}

fn part(action: &Action) -> Part {
    Part {
        from: action.first,
        to: action.shown_to(),
        call: action.call(),
    }
}

/// Two actions, the earlier first, if they do not commute.
fn clash<'a>(
    first: &'a Action,
    second: &'a Action,
    steps: &[Step],
    worlds: &[World],
    known: &mut Knowledge,
) -> Option<Clash<'a>> {
    if first.object != second.object {
        return None;
    }
    let op = |place: usize| steps[place].op;
    let ends = |action: &Action| [action.first, action.last];
    let is_seen = ends(first).into_iter().any(|one| {
        let mut others = ends(second).into_iter();
        others.any(|other| !commute(&worlds[one], op(one), op(other), known))
    });
    let rule = match rule(&first.does, &second.does) {
        Ruled::Commute => return None,
        Ruled::Conflict(rule) => Some(rule),
        Ruled::Unknown if is_seen => None,
        Ruled::Unknown => return None,
    };
    // Specifications do not know what was there: two stores of one value commute. Of two
    // steps with nothing between them that is certain.
    let uses = |place: &usize| known.operation(op(*place)).objects.contains(&first.object);
    let is_next = (first.first + 1..second.last).filter(uses).count() == 0;
    (is_seen || !is_next).then_some(Clash {
        first,
        second,
        rule,
        is_seen,
    })
}
