//! Objects of somebody's own type: a call is one step, and what it does inside is part
//! of it.

use std::cell::RefCell;
use std::panic::Location;
use std::sync::Arc;

use commute_explore::Model;
use commute_explore::models::{Specified, Versioned};
use commute_explore::runtime::{Arg, Call, First, Inside, Object, misuse, surprise, visit};
use commute_record::{Kind, Tag, Value};
use smallvec::SmallVec;

use super::own_model::{Own, unknown};
use super::{first, first_of};

/// A call that is a step.
#[derive(Debug)]
pub(crate) struct Step {
    /// What the model says comes of it; none without a model.
    expected: Option<Value>,
    method: &'static str,
    /// Whether the model is one of the user's own.
    is_own: bool,
    _inside: Option<Inside>,
}

/// What says what a call does.
#[derive(Clone, Debug)]
enum Says {
    /// The model of a specification.
    Specification(Specified),
    /// A model that the user gave.
    Own(Arc<dyn Own>),
    /// Nothing.
    Nothing,
}

/// The model of a specification. There are as many as there are types in a test.
fn model_of(kind: &'static Kind) -> Option<Specified> {
    thread_local! {
        static KNOWN: RefCell<Vec<(*const Kind, Option<Specified>)>> =
            const { RefCell::new(Vec::new()) };
    }
    KNOWN.with_borrow_mut(|known| {
        let is = |(other, _): &&(*const Kind, _)| std::ptr::eq(*other, kind);
        if let Some((_, model)) = known.iter().find(is) {
            return *model;
        }
        let model = kind.specification().and_then(Specified::of_type);
        known.push((kind, model));
        model
    })
}

fn describe(tag: &Tag, says: &Says) -> First {
    match says {
        Says::Specification(model) => first(tag, *model, model.initial()),
        Says::Own(model) => {
            let initial = model.initial();
            first_of(tag, Arc::clone(model) as Arc<dyn Model>, initial)
        }
        Says::Nothing => first(tag, Versioned, Versioned::initial()),
    }
}

/// Why such a call cannot be a step of a model.
fn objection(
    says: &Says,
    kind: &'static Kind,
    method: &str,
    arguments: &[Value],
) -> Option<String> {
    let opaque = || {
        let is_opaque = arguments.iter().any(Value::has_opaque);
        is_opaque.then(|| not_comparable(&format!("an argument of `{method}`")))
    };
    match says {
        Says::Specification(model) if !model.has(method, arguments.len()) => Some(format!(
            "the model of `{}` has no method `{method}` with {} arguments",
            kind.specification().unwrap_or_default(),
            arguments.len()
        )),
        Says::Specification(_) => opaque(),
        Says::Own(model) => model.objection().or_else(opaque),
        Says::Nothing => None,
    }
}

fn not_comparable(what: &str) -> String {
    format!("{what} cannot be compared: implement `commute::AsValue` for its type")
}

/// Begins a call. None if it is part of another, or is no step for another reason.
pub(crate) fn begin(
    tag: &Tag,
    kind: &'static Kind,
    own: Option<Arc<dyn Own>>,
    method: &'static str,
    arguments: &[Value],
    at: &'static Location<'static>,
) -> Option<Step> {
    let says = match (own, model_of(kind)) {
        (Some(own), _) => Says::Own(own),
        (None, Some(specified)) => Says::Specification(specified),
        (None, None) => Says::Nothing,
    };
    if let Some(objection) = objection(&says, kind, method, arguments) {
        misuse(objection);
    }
    let mut args: SmallVec<[Arg; 3]> = arguments.iter().cloned().map(Arg::Value).collect();
    if let Says::Nothing = says {
        args.push(Arg::OwnPlace);
    }
    let is = || describe(tag, &says);
    let objects = [Object {
        mark: tag.mark(),
        first: &is,
    }];
    let call = Call::new(&objects, method, &args, at);
    let has_model = !matches!(says, Says::Nothing);
    let expected = visit(&call, |result| has_model.then(|| result.clone()))?;
    Some(Step {
        expected,
        method,
        is_own: matches!(says, Says::Own(_)),
        _inside: Inside::enter(),
    })
}

impl Step {
    /// Ends the call, which returned this.
    pub(crate) fn end(self, result: impl FnOnce() -> Value) {
        let Some(expected) = self.expected else {
            return;
        };
        let (method, result) = (self.method, result());
        if let Some(said) = { self.is_own }.then(|| unknown(&expected)).flatten() {
            misuse(format!("the model cannot do `{method}`: {said}"));
        } else if self.is_own && result.has_opaque() {
            // Nobody would notice if the model were wrong.
            misuse(not_comparable(&format!("what `{method}` returns")));
        } else if !result.may_be(&expected) {
            surprise(
                format!("{method} = {expected}"),
                format!("{method} = {result}"),
            );
        }
    }
}

/// One step of an object of which nothing is known but that it never waits: whatever is
/// done to it next.
#[cfg(any(feature = "crossbeam", feature = "papaya", feature = "arc-swap"))]
pub(crate) fn step(tag: &Tag) {
    let is = || first(tag, Versioned, Versioned::initial());
    let objects = [Object {
        mark: tag.mark(),
        first: &is,
    }];
    visit(
        &Call::new(&objects, "use", &[Arg::OwnPlace], tag.created()),
        |_| (),
    );
}
