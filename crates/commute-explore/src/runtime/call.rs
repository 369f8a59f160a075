//! Operations of real objects, as their types tell them.

use std::panic::Location;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use commute_model::Value;

use super::pointers::Pointers;
use super::statics::Whole;

use crate::model::Model;
use crate::words::ThreadId;

/// What an object carries: the number of the run in which it was named, and its name
/// there. Zeros for an object that nobody named.
pub type Mark = [AtomicU32; 2];

/// An object of an operation.
#[derive(Clone, Copy)]
pub struct Object<'a> {
    /// What it carries.
    pub mark: &'a Mark,
    /// What it is, asked when it is not known.
    pub first: &'a dyn Fn() -> First,
}

/// What an object is when it is first used.
pub struct First {
    /// What it does.
    pub model: Arc<dyn Model>,
    /// Its state.
    pub initial: Value,
    /// What people call such a thing.
    pub word: &'static str,
    /// Where it was made.
    pub created: Option<&'static Location<'static>>,
    /// Its memory, if it is a static.
    pub(super) whole: Option<Whole>,
    /// The address that it holds, in place of the state.
    pub(super) pointer: Option<usize>,
}

impl First {
    /// An object that is not a static.
    pub fn new(
        model: Arc<dyn Model>,
        initial: Value,
        word: &'static str,
        created: Option<&'static Location<'static>>,
    ) -> First {
        First {
            model,
            initial,
            word,
            created,
            whole: None,
            pointer: None,
        }
    }

    /// The same; it holds this address.
    #[must_use]
    pub fn pointing(self, address: usize) -> First {
        First {
            pointer: Some(address),
            ..self
        }
    }

    /// The same; this is all of the object, and may be a static.
    #[must_use]
    pub fn all_of<T: ?Sized>(self, object: &T) -> First {
        First {
            whole: Whole::of(object),
            ..self
        }
    }
}

/// An argument of an operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Arg {
    /// The thread itself.
    Me,
    /// The place in the code: the version of what is written there. What is written must
    /// follow from what the thread has got before; then it is the same for threads that
    /// do the same.
    Place,
    /// The same for what also depends on what is found there, by the same operation: no
    /// other thread has such a place.
    OwnPlace,
    /// The place, and that there was a panic.
    Panic,
    /// A number.
    Int(i128),
    /// `true` or `false`.
    Bool(bool),
    /// Anything.
    Value(Value),
    /// An address, which has another name in every run: see `pointers.rs`.
    Pointer(usize),
}

/// Who asks, and where.
pub(super) struct Asked<'a> {
    pub(super) me: ThreadId,
    /// The digest of the place.
    pub(super) place: u64,
    /// The same, of this thread only.
    pub(super) own: u64,
    pub(super) pointers: &'a mut Pointers,
}

impl Arg {
    /// Whether no other thread has the same.
    pub(super) fn is_own(&self) -> bool {
        matches!(self, Arg::OwnPlace | Arg::Pointer(_))
    }

    /// Whether it is this value.
    pub(super) fn is(&self, value: &Value, asked: &mut Asked<'_>) -> bool {
        let Asked { me, place, own, .. } = *asked;
        match (self, value) {
            (Arg::Me, Value::Int(n)) => *n == i128::from(me.0),
            (Arg::Place, Value::Int(n)) => *n == i128::from(place),
            (Arg::OwnPlace, Value::Int(n)) => *n == i128::from(own),
            (Arg::Int(a), Value::Int(b)) => a == b,
            (Arg::Bool(a), Value::Bool(b)) => a == b,
            (Arg::Value(a), b) => a == b,
            (Arg::Pointer(address), Value::Int(name)) => asked.pointers.is(*address, *name),
            (Arg::Panic, Value::Tuple(parts)) => {
                matches!(&**parts, [Value::Symbol(_), Value::Int(n)] if *n == i128::from(place))
            }
            _ => false,
        }
    }

    pub(super) fn value(&self, asked: &mut Asked<'_>) -> Value {
        let Asked { me, place, own, .. } = *asked;
        match self {
            Arg::Me => Value::Int(me.0.into()),
            Arg::Place => Value::Int(place.into()),
            Arg::OwnPlace => Value::Int(own.into()),
            Arg::Panic => Value::tuple([Value::symbol("panicked"), Value::Int(place.into())]),
            Arg::Int(n) => Value::Int(*n),
            Arg::Bool(b) => Value::Bool(*b),
            Arg::Value(value) => value.clone(),
            Arg::Pointer(address) => Value::Int(asked.pointers.name(*address, own)),
        }
    }
}

/// What a thread is about to do.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    /// The object whose model says what happens, and maybe a second one.
    pub objects: &'a [Object<'a>],
    /// What is called.
    pub method: &'static str,
    /// The arguments.
    pub args: &'a [Arg],
    /// Where in the source.
    pub at: &'static Location<'static>,
    /// The thread that begins to run, if one does.
    pub(super) starts: Option<Starts>,
}

/// A thread that begins to run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Starts {
    /// Any.
    One,
    /// One that does the same as so many that were started just before.
    Like(u32),
    /// One that has this number wherever it is started, and nothing from who starts it.
    Numbered(u32),
}

impl<'a> Call<'a> {
    /// A call.
    pub fn new(
        objects: &'a [Object<'a>],
        method: &'static str,
        args: &'a [Arg],
        at: &'static Location<'static>,
    ) -> Call<'a> {
        Call {
            objects,
            method,
            args,
            at,
            starts: None,
        }
    }
}
