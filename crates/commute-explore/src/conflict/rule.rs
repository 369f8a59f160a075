//! By which rule two actions do not commute, in words.

use commute_model::Value;
use commute_spec::{Invocation, Specification, shipped};

use crate::act::{Act, Invoked};

/// What is true of locks, whatever they are around.
const SECTIONS: &str = "both are sections of one lock: one that may change what is inside does \
                        not commute with one that reads it";

/// The same of what is set once.
const ONCE: &str = "both are of something that is set once: to set it does not commute with \
                    looking whether it is set";

/// What is said where nothing is known.
const USES: &str = "what is done to the object there is not known, so no two uses of it count as \
                    commuting";

/// What is said of two actions on one object.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Ruled {
    /// That they commute.
    Commute,
    /// That they do not, by this rule.
    Conflict(String),
    /// Nothing.
    Unknown,
}

pub(super) fn rule(a: &Act, b: &Act) -> Ruled {
    match (a, b) {
        (Act::Call(a), Act::Call(b)) => formula(a, b),
        (Act::Section { changes: false }, Act::Section { changes: false }) => Ruled::Commute,
        (Act::Section { .. }, Act::Section { .. }) => Ruled::Conflict(SECTIONS.to_owned()),
        (Act::Once { sets: false }, Act::Once { sets: false }) => Ruled::Commute,
        (Act::Once { .. }, Act::Once { .. }) => Ruled::Conflict(ONCE.to_owned()),
        (Act::Use, Act::Use) => Ruled::Conflict(USES.to_owned()),
        _ => Ruled::Unknown,
    }
}

/// What the condition of a shipped specification says, which is shown as it is written.
fn formula(a: &Invoked, b: &Invoked) -> Ruled {
    let Some((spec, first, second)) = specification(a, b) else {
        return Ruled::Unknown;
    };
    if first > second {
        return formula(b, a);
    }
    let line = spec.pair_text(first, second);
    // What somebody's own function does is not known here.
    if !spec.pair(first, second).0.listed || line.contains("app(") {
        return Ruled::Unknown;
    }
    let commute = |with: fn(usize) -> Value| {
        let (a, b) = (filled(a, 0, with), filled(b, a.slots(), with));
        let a = Invocation::new(first, &a.args, &a.results);
        let b = Invocation::new(second, &b.args, &b.results);
        spec.commutes(a, b)
    };
    // Values that nobody knows may all differ, or be the same.
    let differ = |slot: usize| Value::symbol(&format!("unknown{slot}"));
    let holds = match (commute(differ), commute(|_| Value::symbol("unknown"))) {
        (true, true) => return Ruled::Commute,
        (false, false) => "does not hold",
        _ => "is not known to hold",
    };
    let a = Invocation::new(first, &a.args, &a.results);
    let b = Invocation::new(second, &b.args, &b.results);
    let values = spec.values_text(a, b).join(", ");
    let with = if values.is_empty() { "" } else { " with " };
    Ruled::Conflict(format!("`{line}` {holds}{with}{values}"))
}

/// The call with other values in place of those that are there, but not known. The slots
/// are counted from `from`.
fn filled(call: &Invoked, from: usize, with: fn(usize) -> Value) -> Invoked {
    let fill = |(slot, value): (usize, &Value)| match value {
        Value::Opaque => with(from + slot),
        value => value.clone(),
    };
    let mut slots = call.args.iter().chain(&call.results).enumerate().map(fill);
    let args: Vec<Value> = slots.by_ref().take(call.args.len()).collect();
    Invoked::new(&call.model, &call.method, args, slots)
}

/// The first shipped specification of the model that has both methods.
fn specification(a: &Invoked, b: &Invoked) -> Option<(&'static Specification, usize, usize)> {
    let method = |spec: &Specification, call: &Invoked| {
        let index = spec.method(&call.method)?;
        let declared = &spec.methods[index];
        let fits =
            (declared.args.len(), declared.results.len()) == (call.args.len(), call.results.len());
        fits.then_some(index)
    };
    let of_model = |spec: &&Specification| spec.model.as_deref() == Some(&a.model);
    let both = |spec: &'static Specification| Some((spec, method(spec, a)?, method(spec, b)?));
    { shipped::all().iter() }
        .filter(of_model)
        .find_map(both)
        .filter(|_| a.model == b.model)
}
