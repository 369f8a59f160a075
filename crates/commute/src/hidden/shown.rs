//! Values of whatever type an argument has: by [`AsValue`](crate::AsValue) if it has
//! it, else as wrappers see it, else by `Debug`, else not at all. What is in an
//! `Option` is shown as it is, and `None` as nil. Method resolution chooses, by the
//! number of references that it has to take away.

#[cfg(commute)]
use std::fmt;

use crate::values::Value;

/// Something to be shown.
#[derive(Debug)]
pub struct Shown<'a, T: ?Sized>(pub &'a T);

/// Choices, the first one first.
macro_rules! choices {
    ($($Choice:ident)*) => {
        $(/// One of the ways to show something.
        pub trait $Choice {
            /// The value.
            fn show(&self) -> Value;
        })*
    };
}

choices!(ShownOptionAsValue ShownOptionByDebug ShownAsValue ShownByDebug ShownOpaque);

#[cfg(commute)]
impl<T: crate::AsValue> ShownOptionAsValue for &&&&Shown<'_, Option<T>> {
    fn show(&self) -> Value {
        self.0.as_ref().map_or(Value::Nil, T::as_value)
    }
}

#[cfg(commute)]
impl<T: fmt::Debug> ShownOptionByDebug for &&&Shown<'_, Option<T>> {
    fn show(&self) -> Value {
        self.0.as_ref().map_or(Value::Nil, known_or_debug)
    }
}

#[cfg(commute)]
impl<T: crate::AsValue> ShownAsValue for &&Shown<'_, T> {
    fn show(&self) -> Value {
        self.0.as_value()
    }
}

#[cfg(commute)]
impl<T: fmt::Debug> ShownByDebug for &Shown<'_, T> {
    fn show(&self) -> Value {
        known_or_debug(self.0)
    }
}

/// A text, because there may be anything in it.
#[cfg(commute)]
fn known_or_debug<T: fmt::Debug>(value: &T) -> Value {
    match commute_record::value_of(value).to_value() {
        Value::Opaque => Value::str(&format!("{value:?}")),
        known => known,
    }
}

#[cfg(commute)]
impl<T> ShownOpaque for Shown<'_, T> {
    fn show(&self) -> Value {
        commute_record::value_of(self.0).to_value()
    }
}

#[cfg(not(commute))]
impl<T> ShownOpaque for Shown<'_, T> {
    fn show(&self) -> Value {
        Value::unit()
    }
}
