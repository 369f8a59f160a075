//! What is to be said about conditions that can be read: that one is not
//! symmetric, that one is outside ECL, that one is missing.

use commute_model::{Code, Diagnostic, Severity};
use rustc_hash::{FxHashMap, FxHashSet};

use super::cursor::shorten;
use super::diagnostics::Diagnostics;
use super::syntax::Name;
use crate::classify::{Class, class, classify};
use crate::explain::short;
use crate::formula::{Formula, Side};
use crate::logic::constants::fold;
use crate::logic::symmetry::asymmetry;
use crate::logic::{equivalent, is_too_large};
use crate::points::AccessPoints;
use crate::specification::Specification;
use crate::variables::Variables;

/// What it costs to do without access points.
const LINEAR: &str = "it is checked pair by pair, in time linear in the object's actions";

/// A pair as written: the methods, and the names of their slots.
pub(super) struct Written {
    pub(super) methods: (usize, usize),
    pub(super) variables: Variables,
}

/// Reports what is to be said about these pairs of a specification. `budget`
/// limits the search for counterexamples in the whole file.
pub(super) fn judge(
    spec: &Specification,
    pairs: &[Written],
    budget: &mut usize,
    diagnostics: &mut Diagnostics,
) {
    let mut points = None;
    // Large specifications repeat their conditions.
    let mut classes: FxHashMap<&Formula, Class> = FxHashMap::default();
    for pair in pairs {
        let (a, b) = pair.methods;
        let (condition, swapped) = spec.pair(a, b);
        if a == b && !report_asymmetry(spec, pair, budget, diagnostics) {
            continue;
        }
        let formula = &condition.formula;
        if *classes.entry(formula).or_insert_with(|| class(formula)) <= Class::Ecl {
            let folded = fold(&condition.formula);
            if is_too_large(&folded) {
                let why = "has too many different parts for access points";
                report_linear(spec, pair, why, diagnostics);
            } else if a == b && equivalent(&folded, &folded.swap()) != Some(true) {
                let why = "could not be proved to be symmetric, so both orders are evaluated";
                report_linear(spec, pair, why, diagnostics);
            }
            continue;
        }
        diagnostics.report(Severity::Note, || {
            let points = points.get_or_insert_with(|| AccessPoints::of(spec));
            let linear = points.linear().contains(&(a.min(b), a.max(b)));
            let found = classify(&condition.formula);
            let culprit = found.culprit.unwrap_or(condition.formula.clone());
            let culprit = if swapped { culprit.swap() } else { culprit };
            let (first, second) = (&spec.methods[a].name, &spec.methods[b].name);
            let culprit = shorten_formula(&culprit.text(&pair.variables));
            let class = found.class;
            let cost = match (linear, class) {
                (true, _) => LINEAR,
                (false, Class::L1) => "traces record no state, so there the rest of it decides",
                (false, _) => "access points express it all the same",
            };
            let message = format!(
                "`{first} ~ {second}` is outside ECL ({class}) because of `{culprit}`; {cost}"
            );
            Diagnostic::warning(Code::CM907, condition.span, message)
        });
    }
}

/// Reports a condition of a method with itself that is not symmetric; whether
/// it is fine.
fn report_asymmetry(
    spec: &Specification,
    pair: &Written,
    budget: &mut usize,
    diagnostics: &mut Diagnostics,
) -> bool {
    let (method, _) = pair.methods;
    let (condition, _) = spec.pair(method, method);
    let slots = spec.methods[method].slots().count();
    let Some(found) = asymmetry(&condition.formula, slots, budget) else {
        return true;
    };
    diagnostics.error(|| {
        let mut values = Vec::new();
        condition.formula.for_each_slot(&mut |side, slot| {
            for side in [side, side.other()] {
                if !values.contains(&(side, slot)) {
                    values.push((side, slot));
                }
            }
        });
        values.sort_unstable();
        let name = |(side, slot): (Side, usize)| match pair.variables.name(side, slot) {
            // A slot that is used on the other side only need not have a name.
            "_" => spec.variables(method, method).name(side, slot).to_string(),
            name => name.to_string(),
        };
        let value = |(side, slot): (Side, usize)| short(&found.slots[side as usize][slot]);
        let mut values: Vec<String> = values
            .into_iter()
            .map(|place| format!("{} = {}", name(place), value(place)))
            .collect();
        values.extend(found.state.iter().map(|s| format!("state = {}", short(s))));
        let method = &spec.methods[method].name;
        let message = format!("the condition of `{method} ~ {method}` is not symmetric");
        let (value, other) = (found.value, !found.value);
        Diagnostic::error(Code::CM906, condition.span, message)
            .label("must not change if the two are exchanged")
            .help(format!(
                "it is {value} for {}, and {other} with the two exchanged",
                values.join(", ")
            ))
    });
    false
}

/// Reports a condition in ECL that is not translated.
fn report_linear(spec: &Specification, pair: &Written, why: &str, diagnostics: &mut Diagnostics) {
    diagnostics.report(Severity::Note, || {
        let [first, second] = [pair.methods.0, pair.methods.1].map(|m| &spec.methods[m].name);
        let message = format!("`{first} ~ {second}` {why}; {LINEAR}");
        let span = spec.pair(pair.methods.0, pair.methods.1).0.span;
        Diagnostic::warning(Code::CM907, span, message)
    });
}

/// A formula of bounded length.
fn shorten_formula(text: &str) -> String {
    match text.chars().count() {
        0..=120 => text.to_string(),
        _ => shorten(text),
    }
}

/// Warns once about all pairs without a condition, but not about those whose
/// condition has an error: what that is was said.
pub(super) fn report_missing(
    name: Name<'_>,
    spec: &Specification,
    failed: &FxHashSet<(usize, usize)>,
    diagnostics: &mut Diagnostics,
) {
    const SHOWN: usize = 20;
    let mut groups: Vec<(usize, Vec<&str>)> = Vec::new();
    let mut count = 0;
    for (a, b, condition) in spec.pairs() {
        if condition.listed || failed.contains(&(a, b)) {
            continue;
        }
        count += 1;
        if count > SHOWN {
            continue;
        }
        if groups.last().is_none_or(|(first, _)| *first != a) {
            groups.push((a, Vec::new()));
        }
        let (_, seconds) = groups.last_mut().expect("pushed above");
        seconds.push(&spec.methods[b].name);
    }
    if count == 0 {
        return;
    }
    let groups: Vec<String> = groups
        .iter()
        .map(|(a, seconds)| format!("{} ~ {}", spec.methods[*a].name, seconds.join(", ")))
        .collect();
    let more = match count - count.min(SHOWN) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    let (s, have) = if count == 1 {
        ("", "has")
    } else {
        ("s", "have")
    };
    diagnostics.report(Severity::Warning, || {
        let message = format!(
            "{count} pair{s} of `{}` {have} no condition, so never commute{}: {}{more}",
            spec.name,
            if count == 1 { "s" } else { "" },
            groups.join("; "),
        );
        Diagnostic::warning(Code::CM905, name.span, message)
            .help("if that is meant, say so with `: false`")
    });
}
