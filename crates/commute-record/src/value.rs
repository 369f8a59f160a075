//! Values of any type.
//!
//! Wrappers of generic types add no bounds, so they recognise what they know by
//! its type: integers, `bool`, `char`, strings, and what was
//! [registered](register_value). Anything else is opaque, equal to nothing.

use std::any::TypeId;
use std::sync::{Arc, PoisonError, RwLock};

use commute_model::Value;
use rustc_hash::FxHashMap;

use crate::raw::{Raw, Shown};

/// A type whose values a trace can show. Equal values must have equal pictures,
/// and different values different ones.
pub trait AsValue {
    /// The picture.
    fn as_value(&self) -> Value;
}

impl AsValue for char {
    fn as_value(&self) -> Value {
        Value::str(self.encode_utf8(&mut [0; 4]))
    }
}

impl AsValue for u128 {
    fn as_value(&self) -> Value {
        match i128::try_from(*self) {
            Ok(number) => Value::Int(number),
            Err(_) => Value::str(&self.to_string()),
        }
    }
}

/// Makes `T` known to the wrappers of generic types.
pub fn register_value<T: AsValue>() {
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_with(FxHashMap::default);
    known.insert(typeid::of::<T>(), show::<T>);
}

#[expect(unsafe_code, reason = "the type was compared")]
fn show<T: AsValue>(value: *const ()) -> Value {
    // SAFETY: only a `Shown` calls this, with a pointer to a live value of the type
    // that was compared: `T`, but for lifetimes, and `as_value` is called within
    // the shortest of them.
    unsafe { &*value.cast::<T>() }.as_value()
}

type Show = fn(*const ()) -> Value;

static KNOWN: RwLock<Option<FxHashMap<TypeId, Show>>> = RwLock::new(None);

/// What a trace shows of a value.
///
/// ```
/// use commute_record::{Raw, value_of};
///
/// assert!(matches!(value_of(&7u16), Raw::Int(7)));
/// assert!(matches!(value_of(&"a"), Raw::Str("a")));
/// assert!(matches!(value_of(&String::from("a")), Raw::Str("a")));
/// assert!(matches!(value_of("a"), Raw::Str("a")));
/// assert!(matches!(value_of(&vec![1]), Raw::Opaque));
/// ```
#[inline]
pub fn value_of<T: ?Sized>(value: &T) -> Raw<'_> {
    macro_rules! integers {
        ($($int:ty),*) => {
            $(if let Some(number) = exactly::<T, $int>(value) {
                return Raw::Int(i128::from(*number));
            })*
        };
    }
    integers!(u64, i32, u32, i64, u8, u16, i8, i16, i128);
    if let Some(number) = exactly::<T, usize>(value) {
        return Raw::Int(*number as i128);
    }
    if let Some(text) = exactly::<T, String>(value) {
        return Raw::Str(text);
    }
    if let Some(text) = exactly::<T, &str>(value) {
        return Raw::Str(text);
    }
    if let Some(b) = exactly::<T, bool>(value) {
        return Raw::Bool(*b);
    }
    if let Some(text) = exactly::<T, str>(value) {
        return Raw::Str(text);
    }
    if exactly::<T, ()>(value).is_some() {
        return Raw::Tuple(&[]);
    }
    rarer(value)
}

/// Whether values of this type are shown.
pub fn has_picture<T: ?Sized>() -> bool {
    macro_rules! is_one_of {
        ($($known:ty),*) => {
            [$(typeid::of::<$known>()),*].contains(&typeid::of::<T>())
        };
    }
    is_one_of!(
        u8,
        u16,
        u32,
        u64,
        u128,
        usize,
        i8,
        i16,
        i32,
        i64,
        i128,
        isize,
        bool,
        char,
        (),
        str,
        &str,
        String,
        Arc<str>,
        Box<str>
    ) || {
        let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
        { known.as_ref() }.is_some_and(|known| known.contains_key(&typeid::of::<T>()))
    }
}

#[cold]
fn rarer<T: ?Sized>(value: &T) -> Raw<'_> {
    if let Some(number) = exactly::<T, isize>(value) {
        return Raw::Int(*number as i128);
    }
    if let Some(c) = exactly::<T, char>(value) {
        return Raw::Shown(Shown::new(c, show::<char>));
    }
    if let Some(number) = exactly::<T, u128>(value) {
        return match i128::try_from(*number) {
            Ok(number) => Raw::Int(number),
            Err(_) => Raw::Shown(Shown::new(number, show::<u128>)),
        };
    }
    if let Some(text) = exactly::<T, Arc<str>>(value) {
        return Raw::Str(text);
    }
    if let Some(text) = exactly::<T, Box<str>>(value) {
        return Raw::Str(text);
    }
    registered(value)
}

fn registered<T: ?Sized>(value: &T) -> Raw<'_> {
    // Not while it is called, which is code of the program.
    let show = {
        let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
        let known = known.as_ref();
        known.and_then(|known| known.get(&typeid::of::<T>()).copied())
    };
    match show {
        Some(show) => Raw::Shown(Shown::new(value, show)),
        None => Raw::Opaque,
    }
}

/// The value, if it is a `U`. A lifetime in `U` must be that of the reference, or
/// shorter.
#[expect(unsafe_code, reason = "the type was compared")]
#[inline(always)]
fn exactly<'a, T: ?Sized, U: ?Sized>(value: &'a T) -> Option<&'a U> {
    if typeid::of::<T>() != typeid::of::<U>() {
        return None;
    }
    // SAFETY: `T` is `U`, but for lifetimes, so references to them look alike, also
    // to types without a size. None of the types in this file has a lifetime but
    // `&str`, whose lifetime is inferred to be at most `'a`, within which the text
    // lives, because the reference to the value does.
    Some(unsafe { *std::ptr::from_ref(&value).cast::<&'a U>() })
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Point(i32, i32);

    impl AsValue for Point {
        fn as_value(&self) -> Value {
            // Harmless, but what a program may do.
            register_value::<Point>();
            Value::tuple([self.0.into(), self.1.into()])
        }
    }

    struct Unknown;

    #[test]
    fn what_is_known_is_shown() {
        assert!(matches!(value_of(&u64::MAX), Raw::Int(n) if n == u64::MAX.into()));
        assert!(matches!(value_of(&-1i8), Raw::Int(-1)));
        assert!(matches!(value_of(&-1isize), Raw::Int(-1)));
        assert!(matches!(value_of(&true), Raw::Bool(true)));
        assert!(matches!(value_of(&()), Raw::Tuple([])));
        let local = String::from("local");
        let borrowed: &str = &local;
        assert!(matches!(value_of(&borrowed), Raw::Str("local")));
        let arc: Arc<str> = "arc".into();
        assert!(matches!(value_of(&arc), Raw::Str("arc")));
        assert!(value_of(&'x').to_value() == Value::str("x"));
        assert!(matches!(value_of(&Unknown), Raw::Opaque));
        assert!(matches!(value_of(&Point(1, 2)), Raw::Opaque));
        assert!(has_picture::<u8>() && has_picture::<str>() && has_picture::<&str>());
        assert!(!has_picture::<Point>() && !has_picture::<Unknown>());
        register_value::<Point>();
        assert!(has_picture::<Point>());
        let expected = Value::tuple([1.into(), 2.into()]);
        assert!(value_of(&Point(1, 2)).to_value() == expected);
    }
}
