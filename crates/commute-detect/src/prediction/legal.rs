//! What an action of a library object may not notice in a reordering.

use commute_model::{Action, Names, ObjectId, Value};
use commute_spec::models::Model;
use commute_spec::replay::full_size;
use commute_spec::states::{Recorded, States};
use commute_spec::{Invocation, Specification};

use crate::objects::ObjectsAt;

/// When a reordering is one that the program could have run, as far as the
/// results of library actions go. Each is contained in the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Legal {
    /// No two actions that do not commute are swapped, and what came before an
    /// action with which it does not commute stays.
    Order,
    /// The same, but only what changed the object must stay.
    #[default]
    Observe,
    /// The sequential model of the type returns the recorded results. As `Observe`
    /// where there is no model of known size, where it is not known what the object
    /// contained, or where something was opaque that was done with it.
    Replay,
}

/// The model on which the actions of an object can be replayed.
pub(super) fn replayed(objects: ObjectsAt<'_>, o: ObjectId) -> Option<&'static dyn Model> {
    model(&objects.compiled(o)?.specification)
}

/// The model on which objects of a type can be replayed: one of known size, whose new
/// objects are all in the same state. An integer may begin with any value.
pub(super) fn model(specification: &Specification) -> Option<&'static dyn Model> {
    let model = full_size(specification.model.as_deref()?)?;
    (!matches!(model.initial(), Value::Int(_))).then_some(model)
}

/// An action as an invocation, and the specification of its object.
pub(super) fn bind<'a>(
    action: &'a Action,
    objects: ObjectsAt<'a>,
    names: &Names,
) -> Option<(&'a Specification, Invocation<'a>)> {
    let specification = &objects.compiled(action.object)?.specification;
    let method = specification.method(&names.methods.name(action.method).to_string())?;
    let invocation = Invocation::bind(method, &specification.methods[method], action);
    Some((specification, invocation.ok()?))
}

/// An action, to be replayed on a model.
#[derive(Clone, Debug)]
pub(super) struct Call {
    method: String,
    args: Vec<Value>,
    /// What it returned, if that is known.
    results: Option<Vec<Value>>,
}

impl Call {
    pub(super) fn new(action: &Action, objects: ObjectsAt<'_>, names: &Names) -> Option<Call> {
        let (specification, invocation) = bind(action, objects, names)?;
        Some(Call {
            method: specification.methods[invocation.method].name.clone(),
            args: invocation.args().to_vec(),
            results: action
                .result
                .as_ref()
                .map(|_| invocation.results().to_vec()),
        })
    }

    /// Whether something about it is opaque.
    pub(super) fn has_opaque(&self) -> bool {
        let results = self.results.iter().flatten();
        self.args.iter().chain(results).any(Value::has_opaque)
    }

    /// The states in which it leaves an object that is in one of `states`.
    pub(super) fn replay(&self, states: &States) -> States {
        let recorded = match &self.results {
            Some(results) => Recorded::Exactly(results),
            None => Recorded::Nothing,
        };
        states.after(&self.method, &self.args, recorded)
    }
}
