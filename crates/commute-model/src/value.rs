//! Values: what actions take and return.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::text::Text;

/// An argument or a result of an action, or a state of a sequential model.
///
/// `==` compares structure, so that values can be keys of maps. Whether two
/// values are equal *in a specification* is [`Value::same`]: there an opaque
/// value is equal to nothing, not even to itself. [`Value::may_be`] asks whether they
/// may be equal.
#[derive(Eq, PartialOrd, Ord, Debug)]
pub enum Value {
    /// No value: what a dictionary returns for an absent key.
    Nil,
    /// `true` or `false`.
    Bool(bool),
    /// An integer; wide enough for every 64-bit one, signed or not.
    Int(i128),
    /// A quoted string.
    Str(Text),
    /// A bare word: a name the trace gives to something it cannot print.
    Symbol(Text),
    /// Several values; `()` is the empty tuple.
    Tuple(Arc<[Value]>),
    /// Something that was there but could not be observed.
    Opaque,
}

impl Value {
    /// The empty tuple.
    pub fn unit() -> Value {
        Value::Tuple(Arc::from([]))
    }

    /// A tuple of these values.
    pub fn tuple(values: impl IntoIterator<Item = Value>) -> Value {
        Value::Tuple(values.into_iter().collect())
    }

    /// A string.
    pub fn str(text: &str) -> Value {
        Value::Str(text.into())
    }

    /// A symbol.
    pub fn symbol(text: &str) -> Value {
        Value::Symbol(text.into())
    }

    /// Equality as specifications see it.
    #[inline(always)]
    pub fn same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Str(a), Value::Str(b)) => a == b,
            _ => same_otherwise(self, other),
        }
    }

    /// Whether the value is opaque or contains something opaque.
    #[inline]
    pub fn has_opaque(&self) -> bool {
        match self {
            Value::Opaque => true,
            Value::Tuple(values) => any_opaque(values),
            _ => false,
        }
    }

    /// Whether the two are equal for some values in place of what is opaque.
    pub fn may_be(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Opaque, _) | (_, Value::Opaque) => true,
            (Value::Tuple(a), Value::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(x, y)| x.may_be(y))
            }
            _ => self == other,
        }
    }

    /// The integer, if it is one.
    pub fn as_int(&self) -> Option<i128> {
        match self {
            Value::Int(n) => Some(*n),
            _ => None,
        }
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }

    /// The string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Str(text) => Some(text),
            _ => None,
        }
    }

    /// The values in it, if it is a tuple.
    pub fn as_tuple(&self) -> Option<&[Value]> {
        match self {
            Value::Tuple(values) => Some(values),
            _ => None,
        }
    }
}

/// What `derive` would write, but a key is compared with every action. Integers and
/// strings are most of them: those are compared where they are needed, without a jump
/// that depends on the kind.
impl PartialEq for Value {
    #[inline(always)]
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Str(a), Value::Str(b)) => a == b,
            _ => equal_otherwise(self, other),
        }
    }
}

#[inline(never)]
fn equal_otherwise(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Symbol(a), Value::Symbol(b)) => a == b,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Nil, Value::Nil) | (Value::Opaque, Value::Opaque) => true,
        (Value::Tuple(a), Value::Tuple(b)) => a == b,
        _ => false,
    }
}

#[inline(never)]
fn same_otherwise(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Tuple(a), Value::Tuple(b)) => all_same(a, b),
        (Value::Opaque, Value::Opaque) => false,
        _ => a == b,
    }
}

fn any_opaque(values: &[Value]) -> bool {
    values.iter().any(Value::has_opaque)
}

fn all_same(a: &[Value], b: &[Value]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.same(y))
}

impl Clone for Value {
    #[inline]
    fn clone(&self) -> Value {
        match self {
            Value::Nil => Value::Nil,
            Value::Bool(b) => Value::Bool(*b),
            Value::Int(n) => Value::Int(*n),
            Value::Str(text) => Value::Str(text.clone()),
            Value::Symbol(text) => Value::Symbol(text.clone()),
            Value::Tuple(values) => Value::Tuple(values.clone()),
            Value::Opaque => Value::Opaque,
        }
    }

    /// The last value of millions is kept in one place: a value of the same
    /// kind is overwritten without looking at what was there.
    #[inline]
    fn clone_from(&mut self, other: &Value) {
        match (&mut *self, other) {
            (Value::Int(n), Value::Int(from)) => *n = *from,
            (Value::Str(text), Value::Str(from)) => text.clone_from(from),
            _ => *self = other.clone(),
        }
    }
}

/// Kinds are not told apart by their hash: values of different kinds seldom
/// meet, and a key is hashed once per action.
impl Hash for Value {
    #[inline(always)]
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Value::Int(number) => state.write_u64(*number as u64),
            Value::Str(text) => text.hash(state),
            other => hash_otherwise(other, state),
        }
    }
}

#[inline(never)]
fn hash_otherwise<H: Hasher>(value: &Value, state: &mut H) {
    match value {
        Value::Int(_) | Value::Str(_) => {}
        Value::Symbol(text) => text.hash(state),
        Value::Bool(b) => state.write_u64(u64::from(*b)),
        Value::Nil => state.write_u64(2),
        Value::Opaque => state.write_u64(3),
        Value::Tuple(values) => values.hash(state),
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}

macro_rules! from_integers {
    ($($int:ty),*) => {
        $(impl From<$int> for Value {
            fn from(n: $int) -> Value {
                Value::Int(n as i128)
            }
        })*
    };
}

from_integers!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, usize);

impl From<&str> for Value {
    fn from(value: &str) -> Value {
        Value::str(value)
    }
}

impl From<()> for Value {
    fn from((): ()) -> Value {
        Value::unit()
    }
}

/// `None` is [`Value::Nil`].
impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Value {
        value.map_or(Value::Nil, T::into)
    }
}

/// Prints the value as text traces and specifications write it.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Nil => f.write_str("nil"),
            Value::Bool(b) => write!(f, "{b}"),
            Value::Int(n) => write!(f, "{n}"),
            Value::Str(text) => {
                f.write_str("'")?;
                for c in text.chars() {
                    match c {
                        '\\' => f.write_str("\\\\")?,
                        '\'' => f.write_str("\\'")?,
                        '\n' => f.write_str("\\n")?,
                        '|' => f.write_str("\\x7c")?,
                        c if c.is_ascii_control() => write!(f, "\\x{:02x}", c as u32)?,
                        c => write!(f, "{c}")?,
                    }
                }
                f.write_str("'")
            }
            Value::Symbol(name) => f.write_str(name),
            Value::Tuple(values) => {
                f.write_str("(")?;
                for (i, value) in values.iter().enumerate() {
                    if i > 0 {
                        f.write_str(",")?;
                    }
                    write!(f, "{value}")?;
                }
                // One value in parentheses is a tuple, not a parenthesis.
                f.write_str(if values.len() == 1 { ",)" } else { ")" })
            }
            Value::Opaque => f.write_str("?"),
        }
    }
}

/// Splits `file:line[:column]` into its parts; `None` if the text is not of
/// that form.
///
/// ```
/// use commute_model::parse_location;
/// assert_eq!(parse_location("src/pool.rs:12:5"), Some(("src/pool.rs", 12, Some(5))));
/// assert_eq!(parse_location("pool.rs:12"), Some(("pool.rs", 12, None)));
/// assert_eq!(parse_location("4711"), None);
/// ```
pub fn parse_location(text: &str) -> Option<(&str, u32, Option<u32>)> {
    let (rest, last) = text.rsplit_once(':')?;
    let last: u32 = last.parse().ok()?;
    if let Some((file, line)) = rest.rsplit_once(':')
        && let Ok(line) = line.parse::<u32>()
        && !file.is_empty()
    {
        return Some((file, line, Some(last)));
    }
    (!rest.is_empty()).then_some((rest, last, None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_opaque_value_is_equal_to_nothing() {
        assert!(!Value::Opaque.same(&Value::Opaque));
        let pair = Value::tuple([Value::Int(1), Value::Opaque]);
        assert!(!pair.same(&pair));
        assert!(pair.has_opaque());
        assert!(Value::unit().same(&Value::unit()));
    }

    #[test]
    fn an_opaque_value_may_be_anything() {
        let pair = |first: i32, second: Value| Value::tuple([Value::from(first), second]);
        assert!(Value::Opaque.may_be(&Value::Nil) && Value::Nil.may_be(&Value::Opaque));
        assert!(pair(1, Value::Opaque).may_be(&pair(1, Value::Nil)));
        assert!(!pair(1, Value::Opaque).may_be(&pair(2, Value::Opaque)));
        assert!(!pair(1, Value::Opaque).may_be(&Value::Int(1)));
    }

    #[test]
    fn values_print_as_traces_write_them() {
        let value = Value::tuple([
            Value::str("it's a|b\\c\n"),
            Value::Nil,
            Value::Int(-3),
            Value::symbol("c1"),
            Value::tuple([Value::Bool(true)]),
        ]);
        assert_eq!(
            value.to_string(),
            r"('it\'s a\x7cb\\c\n',nil,-3,c1,(true,))"
        );
    }
}
