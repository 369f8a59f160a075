//! Maps and sets of std in a lock, known by their types when a program runs: those of
//! usual keys and values.

use std::any::{TypeId, type_name};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::made::{self, Sample};
use super::table::{Content, Deed, Show, Table};

/// What is known of a type that is in a lock.
#[derive(Clone, Copy)]
pub(super) struct Contents {
    pub(super) types: fn() -> [(TypeId, &'static str); 2],
    pub(super) is_set: bool,
    /// Does something to a content of the type, which the caller may change, unless that
    /// only looks; what came of it.
    pub(super) act: unsafe fn(*mut (), &Deed<Sample, Sample>) -> String,
    /// The keys that it has, as far as they can be copied. The pointer is to a content of
    /// the type that nobody changes.
    pub(super) keys: unsafe fn(*const ()) -> Vec<Sample>,
    /// All that it has, in order; the same for contents that are equal.
    pub(super) shown: unsafe fn(*const ()) -> String,
}

/// Of this type, if it is a usual one.
pub(super) fn contents(of: TypeId) -> Option<Contents> {
    let mut all = HASHED.iter().chain(SORTED).copied().flatten();
    all.find(|(known, _)| known() == of).map(|(_, is)| *is)
}

type Known = (fn() -> TypeId, Contents);

macro_rules! known {
    ($name:ident, $map:ident, $set:ident, [$($key:ty),*], $values:tt) => {
        const $name: &[&[Known]] = &[$(known!(of $map, $set, $key, $values)),*];
    };
    (of $map:ident, $set:ident, $key:ty, [$($value:ty),*]) => {
        &[
            $(known!(one $map<$key, $value>, $key, $value, false),)*
            known!(one $set<$key>, $key, (), true),
        ]
    };
    (one $kind:ty, $key:ty, $value:ty, $is_set:literal) => {
        (
            || typeid::of::<$kind>(),
            Contents {
                types: types::<$key, $value>,
                is_set: $is_set,
                act: act::<$kind, $key, $value, $is_set>,
                keys: keys::<$kind, $key, $value>,
                shown: shown::<$kind, $key, $value>,
            },
        )
    };
}

known!(
    HASHED,
    HashMap,
    HashSet,
    [u8, u16, u32, u64, usize, i32, i64, char, String, &'static str],
    [(), bool, u8, u16, u32, u64, usize, i32, i64, f64, String, &'static str]
);

// Fewer, since the code of each takes long to compile.
known!(
    SORTED,
    BTreeMap,
    BTreeSet,
    [u32, u64, String, &'static str],
    [u32, u64, usize, String, &'static str]
);

/// Of keys and values, with what they are called.
pub(super) fn types<K, V>() -> [(TypeId, &'static str); 2] {
    [
        (typeid::of::<K>(), type_name::<K>()),
        (typeid::of::<V>(), type_name::<V>()),
    ]
}

/// # Safety
///
/// The content is an `M`, and the caller may change it if the deed does.
#[expect(unsafe_code, reason = "the type is known to the caller")]
unsafe fn act<M: Content<K, V>, K, V, const IS_SET: bool>(
    content: *mut (),
    deed: &Deed<Sample, Sample>,
) -> String {
    let content: *mut (dyn Content<K, V> + '_) = content.cast::<M>();
    // Of one type for all contents with such keys and values, since there are many.
    let table: &dyn Table<K, V> = &Given(content);
    made::act(table, deed, IS_SET)
}

/// A content that its lock has given out.
struct Given<'a, K, V>(*mut (dyn Content<K, V> + 'a));

#[expect(unsafe_code, reason = "who made it says that it may be used so")]
impl<K, V> Table<K, V> for Given<'_, K, V> {
    fn look(&self, key: &K, show: Show<'_, V>) -> Option<String> {
        // SAFETY: see `act`.
        unsafe { &*self.0 }.look(key).map(show)
    }
    fn put(&self, key: K, value: V, show: Show<'_, V>) -> Option<String> {
        // SAFETY: see `act`.
        let before = unsafe { &mut *self.0 }.put(key, value);
        before.as_ref().map(show)
    }
    fn put_if_absent(&self, key: K, value: V, show: Show<'_, V>) -> String {
        // SAFETY: see `act`.
        unsafe { &mut *self.0 }.put_if_absent(key, value, show)
    }
    fn take(&self, key: &K, show: Show<'_, V>) -> Option<String> {
        // SAFETY: see `act`.
        let taken = unsafe { &mut *self.0 }.take(key);
        taken.as_ref().map(show)
    }
    fn count(&self) -> usize {
        // SAFETY: see `act`.
        unsafe { &*self.0 }.count()
    }
    fn take_all(&self) {
        // SAFETY: see `act`.
        unsafe { &mut *self.0 }.take_all();
    }
}

/// # Safety
///
/// The content is an `M` that nobody changes.
#[expect(unsafe_code, reason = "the type is known to the caller")]
unsafe fn keys<M: Content<K, V>, K, V>(content: *const ()) -> Vec<Sample> {
    // SAFETY: as the caller says.
    let content = unsafe { &*content.cast::<M>() };
    content.keys().into_iter().filter_map(made::kept).collect()
}

/// # Safety
///
/// The content is an `M` that nobody changes.
#[expect(unsafe_code, reason = "the type is known to the caller")]
unsafe fn shown<M: Content<K, V>, K, V>(content: *const ()) -> String {
    // SAFETY: as the caller says.
    let content: &dyn Content<K, V> = unsafe { &*content.cast::<M>() };
    let entry = |key: &K| {
        let value = content.look(key).map(made::shown);
        format!("{}: {}", made::shown(key), value.unwrap_or_default())
    };
    let mut entries: Vec<String> = content.keys().into_iter().map(entry).collect();
    entries.sort_unstable();
    format!("{{{}}}", entries.join(", "))
}
