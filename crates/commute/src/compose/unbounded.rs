//! Collections some of whose methods ask less of keys and values than others do. Who looks
//! at a `SkipMap` need not know that its keys can be sent, which who removes one must. So
//! where somebody looks, what others can do is known only by the type: if it is a usual
//! one, or if somebody else has changed such a collection.

use std::any::TypeId;
use std::cell::RefCell;

use super::contents::types;
use super::kind::{Act, Kind, act};
use super::table::Table;
use crate::crossbeam::skiplist::{SkipMap, SkipSet};

thread_local! {
    static KNOWN: RefCell<Vec<(TypeId, Kind)>> = RefCell::new(usual());
}

/// What such a collection is.
pub(super) fn kind<C: Table<K, V>, K, V>(is_set: bool) -> Kind {
    Kind {
        types: types::<K, V>(),
        is_set,
        act: Act::Table(act::<C, K, V>),
    }
}

/// From here on it is known, on this thread.
pub(super) fn learn<C>(kind: Kind) {
    let of = typeid::of::<C>();
    KNOWN.with_borrow_mut(|known| {
        if known.iter().all(|(known, _)| *known != of) {
            known.push((of, kind));
        }
    });
}

/// What a `C` is, if that is known.
pub(super) fn known<C>() -> Option<Kind> {
    let of = typeid::of::<C>();
    KNOWN.with_borrow(|known| {
        let found = known.iter().find(|(known, _)| *known == of);
        found.map(|(_, kind)| *kind)
    })
}

/// Few, since the code of each takes long to compile.
fn usual() -> Vec<(TypeId, Kind)> {
    let mut usual = Vec::new();
    macro_rules! usual {
        ([$($key:ty),*], $values:tt) => { $(usual!(of $key, $values);)* };
        (of $key:ty, [$($value:ty),*]) => {
            $(usual!(one SkipMap<$key, $value>, $key, $value, false);)*
            usual!(one SkipSet<$key>, $key, (), true);
        };
        (one $table:ty, $key:ty, $value:ty, $is_set:literal) => {
            usual.push((typeid::of::<$table>(), kind::<$table, $key, $value>($is_set)));
        };
    }
    usual!(
        [u32, u64, String, &'static str],
        [u32, u64, usize, String, &'static str]
    );
    usual
}
