//! Objects of somebody's own type: a call is one step, and what it does inside is part
//! of it.

use std::cell::RefCell;
use std::panic::Location;

use commute_explore::models::{Specified, Versioned};
use commute_explore::runtime::{Arg, Call, First, Inside, Object, misuse, surprise, visit};
use commute_record::{Kind, Tag, Value};
use smallvec::SmallVec;

use super::first;

/// A call that is a step.
#[derive(Debug)]
pub(crate) struct Step {
    /// What the model says comes of it; none without a model.
    expected: Option<Value>,
    method: &'static str,
    _inside: Option<Inside>,
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

fn describe(tag: &Tag, model: Option<Specified>) -> First {
    match model {
        Some(model) => {
            let initial = model.initial();
            first(tag, model, initial)
        }
        None => first(tag, Versioned, Versioned::initial()),
    }
}

/// Begins a call. None if it is part of another, or is no step for another reason.
pub(crate) fn begin(
    tag: &Tag,
    kind: &'static Kind,
    method: &'static str,
    arguments: &[Value],
    at: &'static Location<'static>,
) -> Option<Step> {
    let specification = kind.specification().unwrap_or_default();
    let model = model_of(kind);
    let mut args: SmallVec<[Arg; 3]> = arguments.iter().cloned().map(Arg::Value).collect();
    match &model {
        Some(model) if !model.has(method, arguments.len()) => misuse(format!(
            "the model of `{specification}` has no method `{method}` with {} arguments",
            arguments.len()
        )),
        Some(_) if arguments.iter().any(Value::has_opaque) => misuse(format!(
            "an argument of `{method}` cannot be compared: implement `commute::AsValue` for \
             its type"
        )),
        Some(_) => {}
        None => args.push(Arg::Place),
    }
    let is = || describe(tag, model);
    let objects = [Object {
        mark: tag.mark(),
        first: &is,
    }];
    let call = Call::new(&objects, method, &args, at);
    let expected = visit(&call, |result| model.map(|_| result.clone()))?;
    Some(Step {
        expected,
        method,
        _inside: Inside::enter(),
    })
}

impl Step {
    /// Ends the call, which returned this.
    pub(crate) fn end(self, result: impl FnOnce() -> Value) {
        let Some(expected) = self.expected else {
            return;
        };
        let result = result();
        if !result.may_be(&expected) {
            let method = self.method;
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
        &Call::new(&objects, "use", &[Arg::Place], tag.created()),
        |_| (),
    );
}
