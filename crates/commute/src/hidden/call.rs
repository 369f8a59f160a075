//! Calls of methods of somebody's own type, recorded.

use std::cell::RefCell;
use std::panic::Location;
use std::sync::Arc;

use commute_explore::runtime::{is_inside, renew};
use commute_record::{Kind, Method, Order, Raw, Value, action, is_on};

use super::own_object::{OwnObject, at_address};
use crate::explored::object::{self, Step};
use crate::explored::own_model::{Own, own_model};
use crate::identity::Identity;
use crate::model::Model;

/// The model that the user gave a type, if any.
#[derive(Clone, Copy, Debug)]
pub struct Modelled {
    model: Option<fn(&'static str) -> Arc<dyn Own>>,
    returns: bool,
}

impl Modelled {
    /// None.
    pub const NOT: Modelled = Modelled {
        model: None,
        returns: true,
    };

    /// This one.
    pub const fn by<M: Model>() -> Modelled {
        Modelled {
            model: Some(own_model::<M>),
            returns: true,
        }
    }

    /// The same; the method returns nothing.
    #[must_use]
    pub const fn silent(self) -> Modelled {
        Modelled {
            returns: false,
            ..self
        }
    }

    fn of(self, kind: &'static Kind, method: &'static Method) -> Option<Arc<dyn Own>> {
        let model = self.model?(kind.word());
        if !self.returns {
            model.returns_nothing(method.name());
        }
        Some(model)
    }
}

/// A call that is being executed. Calls of one object come one after the other while
/// they are recorded, so that their order is known; what a call does inside to the
/// same object is part of it.
#[derive(Debug)]
pub struct Call {
    running: Option<Running>,
    /// In a test that is explored.
    step: Option<Step>,
}

const NONE: Call = Call {
    running: None,
    step: None,
};

#[derive(Debug)]
struct Running {
    object: Arc<OwnObject>,
    /// Whether it is this call's turn, which it then has to give back.
    has_turn: bool,
    method: &'static Method,
    at: &'static Location<'static>,
    arguments: Vec<Value>,
}

thread_local! {
    /// The objects whose calls this thread is in.
    static INSIDE: RefCell<Vec<Arc<OwnObject>>> = const { RefCell::new(Vec::new()) };
}

impl Call {
    /// Begins a call of an object that is known by its address.
    #[track_caller]
    pub fn begin<T: ?Sized, const N: usize>(
        object: &T,
        kind: &'static Kind,
        model: Modelled,
        method: &'static Method,
        arguments: impl FnOnce() -> [Value; N],
    ) -> Call {
        if !is_on() && !is_inside() {
            return NONE;
        }
        let address = std::ptr::from_ref(object).cast::<()>().addr();
        let object = at_address(address, kind);
        if is_inside() {
            renew(object.tag.mark());
            return Call::explored(&object, kind, model, method, Location::caller(), arguments);
        }
        Call::of(object, method, Location::caller(), arguments)
    }

    /// Begins a call of an object that has an identity.
    #[track_caller]
    pub fn begin_of<const N: usize>(
        identity: &Identity,
        kind: &'static Kind,
        model: Modelled,
        method: &'static Method,
        arguments: impl FnOnce() -> [Value; N],
    ) -> Call {
        if !is_on() && !is_inside() {
            return NONE;
        }
        let object = identity.object(kind);
        if is_inside() {
            return Call::explored(&object, kind, model, method, Location::caller(), arguments);
        }
        Call::of(object, method, Location::caller(), arguments)
    }

    /// In a test that is explored.
    fn explored<const N: usize>(
        object: &OwnObject,
        kind: &'static Kind,
        model: Modelled,
        method: &'static Method,
        at: &'static Location<'static>,
        arguments: impl FnOnce() -> [Value; N],
    ) -> Call {
        let step = object::begin(
            &object.tag,
            kind,
            model.of(kind, method),
            method.name(),
            &arguments(),
            at,
        );
        Call {
            running: None,
            step,
        }
    }

    fn of<const N: usize>(
        object: Arc<OwnObject>,
        method: &'static Method,
        at: &'static Location<'static>,
        arguments: impl FnOnce() -> [Value; N],
    ) -> Call {
        let is_new = INSIDE.try_with(|inside| {
            let mut inside = inside.borrow_mut();
            let is_new = !inside.iter().any(|other| Arc::ptr_eq(other, &object));
            if is_new {
                inside.push(Arc::clone(&object));
            }
            is_new
        });
        // A thread that has no values any more is in no call that we know of.
        if !is_new.unwrap_or(true) {
            return NONE;
        }
        let mut call = Call {
            step: None,
            running: Some(Running {
                object,
                has_turn: false,
                method,
                at,
                arguments: Vec::new(),
            }),
        };
        // Before it is our turn: this may take code of the program.
        let arguments = arguments().into();
        if let Some(running) = &mut call.running {
            running.arguments = arguments;
            running.has_turn = running.object.take_turn();
        }
        call
    }

    /// Ends the call.
    pub fn end(mut self, result: impl FnOnce() -> Value) {
        if let Some(step) = self.step.take() {
            return step.end(result);
        }
        let Some(running) = &mut self.running else {
            return;
        };
        let arguments = std::mem::take(&mut running.arguments);
        let arguments: Vec<Raw<'_>> = arguments.iter().map(Raw::Value).collect();
        let result = result();
        // A method that returns nothing has no result.
        let results: &[Raw<'_>] = match result == Value::unit() {
            true => &[],
            false => &[Raw::Value(&result)],
        };
        let Running {
            object, method, at, ..
        } = running;
        // Others may be in a call, if it is not our turn.
        let order = Order::AmongOthers;
        action(&object.tag, method, order, at, &arguments, results);
    }
}

/// Also of a call that panics: it is over, and was no action.
impl Drop for Call {
    fn drop(&mut self) {
        let Some(running) = self.running.take() else {
            return;
        };
        if running.has_turn {
            running.object.give_turn_back();
        }
        let _ = INSIDE.try_with(|inside| {
            let mut inside = inside.borrow_mut();
            let is = |other: &Arc<OwnObject>| Arc::ptr_eq(other, &running.object);
            if let Some(i) = inside.iter().rposition(is) {
                inside.remove(i);
            }
        });
    }
}
