//! Promises that every domain keeps.

mod derived;
mod nested;
mod std_types;

use std::fmt::Debug;

use commute::Domain;

/// As many values as it says, all different, twice in the same order; and these.
#[track_caller]
fn check<T: Domain + PartialEq + Debug>(expected: impl AsRef<[T]>) {
    keeps_promises::<T>();
    let values: Vec<T> = T::values().collect();
    assert_eq!(values, expected.as_ref());
}

#[track_caller]
fn keeps_promises<T: Domain + PartialEq + Debug>() {
    let name = std::any::type_name::<T>();
    let values: Vec<T> = T::values().collect();
    assert_eq!(T::count(), values.len() as u128, "{name}");
    for (index, value) in values.iter().enumerate() {
        assert!(!values[..index].contains(value), "{name}: {value:?} twice");
    }
    assert!(T::values().eq(values), "{name}: another order");
}
