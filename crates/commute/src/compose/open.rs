//! Checks in an open environment whose collections nobody has named: they are found while
//! the method runs.

use std::panic::Location;
use std::rc::Rc;

use super::attack::{objections, run_as_it_is};
use super::check::{Check, Operation, Role};
use super::checked::Outcome;
use super::done::Done;
use super::finds::{Finds, Found};
use super::made::{self, Sample};
use super::named::no_values;
use super::offered;
use super::table::deeds;

/// So often more collections or keys may come to light.
const ROUNDS: usize = 6;

/// So many keys of a collection are tried, beside those that its domain has.
const KEYS: usize = 4;

/// What to do about a collection of which nothing is known.
const SAY: &str = "name it with `.collection(|object| &object.map)`, or with \
                   `.collection_of_keys(…)` if its values cannot be made";

/// What comes of using something that is not there any more.
const GONE: &str = "(it is gone)";

/// First nobody does anything, to see what there is; then others use it, until nothing
/// more is found.
pub(super) fn run<T: 'static>(check: &mut Check<T>, at: &'static Location<'static>) -> Done {
    let search = offered::search();
    let steps = std::mem::take(&mut check.steps);
    let mut done = run_as_it_is(check, at);
    check.steps = steps;
    let mut known = Finds::default();
    for _ in 0..ROUNDS {
        let finds = search.finds();
        if finds.found.is_empty() {
            return Done::nothing(Outcome::Inconclusive(nothing(&finds, &done)));
        }
        if is_known(&finds, &known) {
            return done;
        }
        let (cuts, notes) = (check.cuts.len(), check.notes.len());
        add(check, &finds);
        let objections = objections(check);
        if !objections.is_empty() {
            return Done::nothing(Outcome::Inconclusive(objections.join("; ")));
        }
        done = run_as_it_is(check, at);
        check.cuts.truncate(cuts);
        check.notes.truncate(notes);
        known = finds;
    }
    let reason = "the method uses other keys in each round that is tried";
    Done::nothing(Outcome::Inconclusive(reason.to_owned()))
}

/// Why there is nothing that others could do.
fn nothing(finds: &Finds, alone: &Done) -> String {
    if let Outcome::Inconclusive(reason) = &alone.checked.outcome {
        return reason.clone();
    }
    let mut why = finds.unusable.clone();
    if why.is_empty() {
        why.push("the method uses none that is known".to_owned());
    }
    format!(
        "an open environment needs a collection: {} ({SAY})",
        why.join(", ")
    )
}

fn is_known(finds: &Finds, known: &Finds) -> bool {
    let keys = |finds: &Finds| -> Vec<usize> {
        { finds.found.iter() }
            .map(|found| found.keys.len().min(KEYS + 1))
            .collect()
    };
    keys(finds) == keys(known) && finds.unusable.len() == known.unusable.len()
}

/// What can be done to what was found.
fn add<T: 'static>(check: &mut Check<T>, finds: &Finds) {
    let is_other = |(role, _): &(Role, Operation<T>)| !matches!(role, Role::Collection(_));
    check.operations.retain(is_other);
    check
        .cuts
        .extend(finds.unusable.iter().map(|text| format!("{text} ({SAY})")));
    for (index, found) in finds.found.iter().enumerate() {
        let name = match finds.found.len() {
            1 => String::new(),
            _ => format!("{}#{}.", found.word, index + 1),
        };
        add_one(check, found, &name);
    }
}

fn add_one<T: 'static>(check: &mut Check<T>, found: &Found, name: &str) {
    let Found {
        path, kind, keys, ..
    } = found;
    let (path, kind) = (*path, *kind);
    let known = made::samples(kind.types[0].0);
    if known.is_none() && keys.is_empty() {
        check.cuts.push(format!(
            "keys of type `{}` cannot be made, so nobody else used one: derive `Domain` for it, \
             and let it be an argument of the method or of a peer",
            kind.types[0].1
        ));
    }
    let mut all = known.unwrap_or_default();
    let is_new = |key: &&Sample| all.iter().all(|known| known.shown != key.shown);
    let more: Vec<Sample> = keys.iter().filter(is_new).cloned().collect();
    if more.len() > KEYS {
        let text = "more keys are used than are tried: of those beside the domain of their type";
        check.cuts.push(format!("{text}, {KEYS} are"));
    }
    all.extend(more.into_iter().take(KEYS));
    let values = made::samples(kind.types[1].0).unwrap_or_else(|| {
        check.notes.push(no_values(kind.types[1].1));
        Vec::new()
    });
    for deed in deeds(&all, &values, kind.is_set) {
        let text = |sample: &Sample| sample.shown.clone();
        let operation = Operation {
            name: deed.name(kind.is_set).to_owned(),
            shown: format!("{name}{}", deed.shown(kind.is_set, text, text)),
            run: Rc::new({
                let deed = deed.clone();
                move |object: &T| {
                    // SAFETY: the path was found in an object of this type, and what is at
                    // its end is of this kind.
                    #[expect(unsafe_code, reason = "that is how collections are found")]
                    unsafe {
                        let there = path.of(object);
                        there.map_or(GONE.to_owned(), |there| kind.act(there, &deed))
                    }
                }
            }),
        };
        check
            .operations
            .push((Role::Collection(deed.looks()), operation));
    }
}
