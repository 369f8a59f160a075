//! Values, paths and names obey their laws.

use proptest::prelude::*;

use super::keys::{Key, Keys};
use super::path::{Hop, Hops, Paths, Root};
use super::value::{Origin, Origins, Region, Set, Source, Value, add};
use crate::ir::{FieldId, Local};

fn sets() -> impl Strategy<Value = Set<Region>> {
    prop::collection::btree_set(0u32..4, 0..3)
        .prop_map(|numbers| numbers.into_iter().map(Region).collect())
}

fn origins() -> impl Strategy<Value = Origins> {
    let origin = (0u32..5, any::<bool>(), sets()).prop_map(|(number, decides, held)| Origin {
        source: match number {
            0 => Source::Parameter(Local(1)),
            number => Source::Access(number),
        },
        decides,
        decided: decides,
        held,
    });
    prop::collection::vec(origin, 0..4).prop_map(|list| {
        let mut origins = Origins::default();
        list.iter().for_each(|origin| origins.add(origin));
        origins
    })
}

/// So many that some are left out.
fn many_origins() -> impl Strategy<Value = Vec<Origin>> {
    let origin = (0u32..120, any::<bool>(), any::<bool>(), sets());
    let origin = origin.prop_map(|(number, decides, decided, held)| Origin {
        source: Source::Access(number),
        decides,
        decided,
        held,
    });
    prop::collection::vec(origin, 1..90)
}

fn added(to: &Origins, list: &[Origin]) -> Origins {
    let mut origins = to.clone();
    list.iter().for_each(|origin| origins.add(origin));
    origins
}

/// Values with few targets: of more, some are left out, and it matters which.
fn values() -> impl Strategy<Value = Value> {
    let leaf = (prop::collection::vec(0u32..4, 0..4), sets(), origins()).prop_map(
        |(points, guards, origins)| {
            let mut paths = Paths::default();
            let all: Vec<_> = (0..4)
                .map(|number| paths.root(Root::Static(number)))
                .collect();
            let mut value = Value::from(origins);
            value.guards = guards;
            for point in points {
                add(&mut value.points, all[point as usize]);
            }
            value
        },
    );
    leaf.prop_recursive(2, 8, 3, |inner| {
        let fields = prop::collection::btree_map((0u32..3).prop_map(FieldId), inner.clone(), 0..3);
        (inner, fields).prop_map(|(mut value, fields)| {
            value.fields = fields;
            value
        })
    })
}

fn joined(a: &Value, b: &Value) -> Value {
    let mut both = a.clone();
    both.join(b);
    both
}

proptest! {
    /// Two lists are joined at once as if one were added to the other, one by one.
    #[test]
    fn joining_origins_is_adding_them(a in many_origins(), b in many_origins()) {
        let nothing = Origins::default();
        let (a, b) = (added(&nothing, &a), added(&nothing, &b));
        let mut joined = a.clone();
        joined.join(&b);
        let list: Vec<Origin> = b.iter().cloned().collect();
        prop_assert_eq!(joined, added(&a, &list));
    }

    #[test]
    fn values_join_in_any_order(a in values(), b in values(), c in values()) {
        prop_assert_eq!(joined(&a, &a), a.clone());
        prop_assert_eq!(joined(&a, &b), joined(&b, &a));
        prop_assert_eq!(joined(&joined(&a, &b), &c), joined(&a, &joined(&b, &c)));
    }

    #[test]
    fn what_is_released_is_mentioned_no_more(a in values(), number in 0u32..4) {
        let region = Region(number);
        let mut released = a.clone();
        prop_assert_eq!(released.release(region), a.mentions(region));
        prop_assert!(!released.mentions(region));
    }

    #[test]
    fn what_is_lent_owns_nothing(a in values()) {
        prop_assert!(a.clone().lent().all_guards().is_empty());
        prop_assert_eq!(a.clone().lent().all_origins(), a.all_origins());
    }

    /// Names are one if a chain of pairs connects them; the smallest stands
    /// for all.
    #[test]
    fn names_are_one_if_pairs_connect_them(
        pairs in prop::collection::vec((0u32..8, 0u32..8), 0..8),
    ) {
        let key = |number| Key::Field(FieldId(number));
        let mut keys = Keys::default();
        let mut smallest: Vec<u32> = (0..8).collect();
        for (a, b) in pairs {
            keys.unite(key(a), key(b));
            let (a, b) = (smallest[a as usize], smallest[b as usize]);
            for number in &mut smallest {
                if *number == a.max(b) {
                    *number = a.min(b);
                }
            }
        }
        for number in 0..8 {
            prop_assert_eq!(keys.find(key(number)), key(smallest[number as usize]));
        }
    }

    /// However long the way, there are not many names.
    #[test]
    fn paths_end(hops in prop::collection::vec(0u32..4, 0..30)) {
        let mut paths = Paths::default();
        let mut at = paths.root(Root::Parameter(Local(1)));
        for hop in hops {
            let hop = match hop {
                0 => Hop::Content,
                1 => Hop::Element,
                field => Hop::Field(FieldId(field)),
            };
            at = paths.hop(at, hop);
            let (root, all) = paths.split(at);
            prop_assert_eq!(root, Root::Parameter(Local(1)));
            prop_assert!(all.len() <= 9);
            prop_assert!(all.iter().filter(|other| **other == hop).count() <= 2);
            prop_assert!(!all.windows(2).any(|two| two == [Hop::Element, Hop::Element]));
            let guarded = all.iter().rposition(|hop| *hop == Hop::Content);
            let lock = paths.lock_of(at).map(|lock| paths.split(lock).1);
            prop_assert_eq!(lock, guarded.map(|at| Hops::from_slice(&all[..at])));
        }
    }
}
