//! What can be done to a collection: what an open environment does.

use std::convert::Infallible;
use std::fmt::Debug;
use std::rc::Rc;

use super::domain::Domain;
use super::table::{Table, deeds};

/// An operation of a collection, with its arguments.
pub struct Operation<C: ?Sized> {
    /// What it is called. What takes something away is called `remove`, what may replace
    /// something `insert`, and what does not, `or_insert`.
    pub name: &'static str,
    /// With its arguments.
    pub shown: String,
    /// Does it; what came of it.
    pub run: Rc<dyn Fn(&C) -> String>,
    /// Whether it is for looking only. Then it is also done when all is over.
    pub looks: bool,
}

impl<C: ?Sized> Debug for Operation<C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.shown)
    }
}

/// A collection whose operations are known, with arguments from their domains.
pub trait Collection: 'static {
    /// All of them.
    fn operations() -> Vec<Operation<Self>>;
}

pub(super) fn of_table<C, K, V>(is_set: bool) -> Vec<Operation<C>>
where
    C: Table<K, V>,
    K: Domain + Debug,
    V: Domain + Debug,
{
    let keys: Vec<K> = K::values().collect();
    let values: Vec<V> = V::values().collect();
    let deeds = deeds(&keys, &values, is_set).into_iter();
    deeds
        .map(|deed| Operation {
            name: deed.name(is_set),
            shown: deed.shown(
                is_set,
                |key| format!("{key:?}"),
                |value| format!("{value:?}"),
            ),
            looks: deed.looks(),
            run: Rc::new(move |table: &C| {
                let show = |value: &V| format!("{value:?}");
                deed.clone().act(table, is_set, &show)
            }),
        })
        .collect()
}

/// What can be done to a map of whose values nothing is known.
pub(super) fn of_keys<C, K, V>() -> Vec<Operation<C>>
where
    C: Table<K, V>,
    K: Domain + Debug,
{
    let keys: Vec<K> = K::values().collect();
    let none: &[Infallible] = &[];
    let deeds = deeds(&keys, none, false).into_iter();
    deeds
        .map(|deed| Operation {
            name: deed.name(false),
            shown: deed.shown(false, |key| format!("{key:?}"), |never| match *never {}),
            looks: deed.looks(),
            run: Rc::new(move |table: &C| {
                let deed = deed.map(K::clone, |never| match *never {});
                deed.act(table, false, &|_: &V| "…".to_owned())
            }),
        })
        .collect()
}

/// Maps and sets (`true`) with the bounds of their keys, whether they have values, and the
/// bounds of their hashers.
macro_rules! collections {
    ($($is_set:literal [$key:ident: $($bound:tt)*] [$($value:ident $(: $($valued:tt)*)?)?] [$($hasher:ident: $($hashes:tt)*)?] $table:ty;)*) => {
        $(
            impl<$key: Domain + Debug + $($bound)*, $($value: Domain + Debug $(+ $($valued)*)?,)? $($hasher: $($hashes)*)?>
                Collection for $table
            {
                fn operations() -> Vec<Operation<Self>> {
                    of_table::<Self, $key, collections!(value $($value)?)>($is_set)
                }
            }
        )*
    };
    (value $value:ident) => { $value };
    (value) => { () };
}

pub(super) use collections;
