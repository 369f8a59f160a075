//! Values of whatever type an argument has: by [`AsValue`](crate::AsValue) if it has
//! it, else as wrappers see it, else by `Debug`, else not at all. Method resolution
//! chooses, by the number of references that it has to take away.

#[cfg(commute)]
use std::fmt;

use crate::values::Value;

/// Something to be shown.
#[derive(Debug)]
pub struct Shown<'a, T: ?Sized>(pub &'a T);

/// The first choice.
pub trait ShownAsValue {
    /// The value.
    fn show(&self) -> Value;
}

/// The second choice.
pub trait ShownByDebug {
    /// The value.
    fn show(&self) -> Value;
}

/// The last choice.
pub trait ShownOpaque {
    /// The value.
    fn show(&self) -> Value;
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
        match commute_record::value_of(self.0).to_value() {
            Value::Opaque => Value::symbol(&format!("{:?}", self.0)),
            known => known,
        }
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
