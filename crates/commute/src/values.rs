//! Values of one's own types, for reports and specifications.

#[cfg(commute)]
pub use commute_record::{AsValue, Value};

/// What a trace shows of a value. A normal build has no traces: here a value is
/// nothing.
#[cfg(not(commute))]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Value(());

#[cfg(not(commute))]
impl Value {
    /// The empty tuple.
    pub fn unit() -> Value {
        Value(())
    }

    /// A tuple of these values.
    pub fn tuple(_values: impl IntoIterator<Item = Value>) -> Value {
        Value(())
    }

    /// A string.
    pub fn str(_text: &str) -> Value {
        Value(())
    }

    /// A word.
    pub fn symbol(_text: &str) -> Value {
        Value(())
    }

    /// The integer, if it is one.
    pub fn as_int(&self) -> Option<i128> {
        None
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        None
    }

    /// The string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        None
    }

    /// The values in it, if it is a tuple.
    pub fn as_tuple(&self) -> Option<&[Value]> {
        None
    }
}

#[cfg(not(commute))]
macro_rules! from {
    ($($kind:ty),*) => {
        $(impl From<$kind> for Value {
            fn from(_: $kind) -> Value {
                Value(())
            }
        })*
    };
}

#[cfg(not(commute))]
from!(
    bool,
    i8,
    i16,
    i32,
    i64,
    i128,
    isize,
    u8,
    u16,
    u32,
    u64,
    usize,
    &str,
    ()
);

/// `None` is nil.
#[cfg(not(commute))]
impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(_: Option<T>) -> Value {
        Value(())
    }
}

/// A type whose values a trace can show. Equal values must have equal pictures, and
/// different values different ones.
#[cfg(not(commute))]
pub trait AsValue {
    /// The picture.
    fn as_value(&self) -> Value;
}

/// Lets maps and channels of `T` show what is in them. They know integers, strings
/// and booleans; a type that they do not know is opaque, equal to nothing.
///
/// ```
/// use commute::{AsValue, Value};
///
/// #[derive(PartialEq, Eq, Hash)]
/// struct Host { name: String, port: u16 }
///
/// impl AsValue for Host {
///     fn as_value(&self) -> Value {
///         Value::tuple([Value::str(&self.name), self.port.into()])
///     }
/// }
///
/// commute::values::<Host>();
/// ```
pub fn values<T: AsValue>() {
    #[cfg(commute)]
    commute_record::register_value::<T>();
}
