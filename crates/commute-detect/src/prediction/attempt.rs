//! One attempt to certify a candidate: a witness is looked for in larger and larger windows,
//! and in each of them in [slices](super::slice).

use std::collections::BTreeSet;

use commute_model::{Event, Op, Value};
use rustc_hash::FxHashMap;

use super::access::Candidate;
use super::argument::Argument;
use super::candidates::{Predicted, Reason};
use super::certify::{Certified, Kind, argument, certify};
use super::facts::{NONE, No, Touch};
use super::history::{Claim, History};
use super::links::Links;
use super::options::Options;
use super::recent::{Before, Born, Recent};
use super::slice::Slice;
use super::window::{Context, Window};

/// How many refutations by one argument are complete: after that, larger windows are not
/// looked at for what a small one refutes in the same way.
const COMPLETE: u32 = 8;
/// How many events are kept of a witness, to be shown.
const MOST_SHOWN: usize = 400;

/// In a window of at most so many events, all of them are looked at.
const LEAST_SLICED: u64 = 64;
/// So many slices are looked at before the whole window is.
const MOST_SLICES: usize = 16;

/// What is known of the last events, for all windows.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    links: Links,
    history: History,
}

/// The event before which a witness begins to differ from the trace.
pub(super) fn start(candidate: &Candidate) -> u64 {
    let outermost = |index: u64, inside: u32| index - u64::from(inside);
    let (earlier, later) = (&candidate.earlier, &candidate.later);
    outermost(earlier.index(), earlier.inside).min(outermost(later.index(), later.inside))
}

/// How an attempt to certify a candidate ended.
pub(super) enum Attempt {
    Shown(Box<Predicted>),
    /// There is no witness, for this reason.
    Refuted(Argument),
}

/// What an attempt has cost.
#[derive(Default)]
pub(super) struct Work {
    /// The events of the windows.
    pub(super) events: usize,
    pub(super) states: usize,
}

/// Looks for a witness, in larger and larger windows.
pub(super) fn attempt(
    candidate: &Candidate,
    recent: &Recent,
    context: &Context<'_>,
    options: &Options,
    (now, refuted): (u64, &FxHashMap<Argument, u32>),
    (known, work): (&mut Known, &mut Work),
) -> Result<Attempt, Reason> {
    let first = start(candidate) - 1;
    let least = recent.gone().max(now.saturating_sub(options.window as u64));
    if first < least {
        return Err(Reason::Window);
    }
    let mut budget = options.budget;
    let mut reason = None;
    let mut last = None;
    let mut why = None;
    for back in [0, 64, 512, options.window as u64] {
        let prefix = first.saturating_sub(back).max(least);
        // Hundreds of events more will hardly show what is refuted already.
        let is_refuted = back > 512 && reason.is_none();
        if last.replace(prefix) == Some(prefix) || is_refuted {
            continue;
        }
        let before = recent.before(prefix, context.objects, context.names);
        let left = budget;
        let sought = (
            candidate.kind,
            candidate.earlier.index(),
            candidate.later.index(),
        );
        let links = &mut known.links;
        let (window, certified) =
            certify_in_slices(sought, (recent, &before), context, links, &mut budget);
        let pair = pair(&window, sought);
        work.events += window.len;
        work.states += left - budget;
        if let Certified::Yes(order) = &certified {
            let claim = Claim {
                prefix,
                order: order.iter().map(|&no| window.index(no)).collect(),
                kind: candidate.kind,
                pair: (candidate.earlier.index(), candidate.later.index()),
            };
            if known.history.holds(&claim, recent, &before, context) {
                let predicted = predicted(candidate, &window, order, options);
                return Ok(Attempt::Shown(Box::new(predicted)));
            }
            // Of what is opaque, the points may be more certain than the formula.
            let is_opaque = || window.events.iter().any(|event| has_opaque(event));
            debug_assert!(is_opaque(), "a witness that does not hold: {order:?}");
        }
        let argument = *why.get_or_insert_with(|| argument(&window, candidate.kind, pair));
        match certified {
            Certified::No => {
                let times = refuted.get(&argument).copied().unwrap_or(0);
                if back == 0 && times >= COMPLETE {
                    break;
                }
            }
            Certified::Open => reason = Some(Reason::OpenSection),
            Certified::Budget => {
                reason = Some(Reason::Budget);
                if budget == 0 {
                    break;
                }
            }
            Certified::Yes(_) | Certified::Beyond(_) => {}
        }
    }
    match (reason, why) {
        (Some(reason), _) => Err(reason),
        (None, Some(argument)) => Ok(Attempt::Refuted(argument)),
        (None, None) => Err(Reason::Window),
    }
}

/// What is to be shown of which two events.
type Sought = (Kind, u64, u64);

/// Looks for a witness in slices of a window, or in all of it. Returns what it looked in.
fn certify_in_slices<'a>(
    sought: Sought,
    (recent, before): (&'a Recent, &Before<'_>),
    context: &Context<'_>,
    links: &mut Links,
    budget: &mut usize,
) -> (Window<'a>, Certified) {
    let (kind, earlier, later) = sought;
    let prefix = before.prefix();
    if recent.last() - prefix > LEAST_SLICED && links.cover(prefix, recent) {
        let mut slice = Slice::new(links, before, kind, (earlier, later));
        for _ in 0..MOST_SLICES {
            let window = Window::of_slice(prefix, &slice, recent, before, context);
            let mut left = *budget;
            match certify(&window, kind, pair(&window, sought), &mut left) {
                Certified::Beyond(lack) if slice.grow(&lack) => {}
                Certified::Beyond(_) => break,
                certified => {
                    *budget = left;
                    return (window, certified);
                }
            }
        }
    }
    let window = Window::new(prefix, recent.after(prefix), before, context);
    let certified = certify(&window, kind, pair(&window, sought), budget);
    (window, certified)
}

/// The numbers of the two events in a window.
fn pair(window: &Window<'_>, (_, earlier, later): Sought) -> (No, No) {
    let no = |index| window.no(index).unwrap_or(NONE);
    (no(earlier), no(later))
}

fn predicted(
    candidate: &Candidate,
    window: &Window<'_>,
    order: &[u32],
    options: &Options,
) -> Predicted {
    let (earlier, later) = (candidate.earlier.index(), candidate.later.index());
    let mut steps: Vec<u64> = order.iter().map(|&no| window.index(no)).collect();
    let event = |no: u32| window.events[no as usize].clone();
    let shown = order.iter().skip(order.len().saturating_sub(MOST_SHOWN));
    let shown = shown.map(|&no| (window.index(no), event(no))).collect();
    let replayed = order
        .iter()
        .filter_map(|&no| match window.facts[no as usize].touch {
            Touch::Replay(o) => Some(window.born[o as usize]),
            _ => None,
        });
    let replayed: BTreeSet<Born> = replayed.collect();
    let replayed = replayed.into_iter().collect();
    steps.push(earlier);
    if candidate.kind == Kind::Race {
        steps.push(later);
    }
    let (first, second) = pair(window, (candidate.kind, earlier, later));
    Predicted {
        kind: candidate.kind,
        earlier,
        later,
        order_only: candidate.order_only,
        unconfirmed: options.lax.then_some(Reason::Lax),
        prefix: window.prefix,
        steps,
        candidate: *candidate,
        pair: Some((event(first), event(second))),
        replayed,
        shown,
        count: 1,
    }
}

/// Whether something about an action is opaque.
fn has_opaque(event: &Event) -> bool {
    match &event.op {
        Op::Action(action) => {
            let mut values = action.args.iter().chain(&action.result);
            values.any(Value::has_opaque)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests;
