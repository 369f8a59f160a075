//! Maps: everything that the original has.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hash};

use super::dashmap::iter::{Iter, IterMut, OwningIter};
use super::dashmap::mapref::entry::{Entry, OccupiedEntry, VacantEntry};
use super::dashmap::mapref::multiple::{RefMulti, RefMutMulti};
use super::dashmap::mapref::one::{MappedRef, MappedRefMut, Ref, RefMut};
use super::dashmap::try_result::TryResult;
use super::dashmap::{self, DashMap, ReadOnlyView, TryReserveError};

/// A type around it, as people write.
#[derive(Clone, Debug, Default)]
struct Cache<K: Eq + Hash, V, S: BuildHasher + Clone = RandomState> {
    entries: DashMap<K, V, S>,
}

fn numbers() -> DashMap<u32, String> {
    (0..4).map(|n| (n, n.to_string())).collect()
}

#[test]
fn they_are_made() {
    fn shared<T: Send + Sync + 'static>(_: &T) {}
    let hasher = RandomState::new();
    let maps: [DashMap<u32, u8>; 8] = [
        DashMap::new(),
        DashMap::with_capacity(8),
        DashMap::with_shard_amount(4),
        DashMap::with_capacity_and_shard_amount(8, 4),
        DashMap::with_hasher(hasher.clone()),
        DashMap::with_capacity_and_hasher(8, hasher.clone()),
        DashMap::with_hasher_and_shard_amount(hasher.clone(), 4),
        DashMap::with_capacity_and_hasher_and_shard_amount(8, hasher, 4),
    ];
    for mut map in maps {
        shared(&map);
        let reserved: Result<(), TryReserveError> = map.try_reserve(4);
        assert!(reserved.is_ok() && map.is_empty());
        map.shrink_to_fit();
        assert_eq!(map.hash_usize(&1), map.hash_usize(&1));
        assert!(map.capacity() < 1 << 20);
        let count: usize = map.len();
        assert_eq!(count, 0);
        let _: &RandomState = map.hasher();
    }
    let cache: Cache<u32, u8> = Cache::default();
    cache.entries.insert(1, 2);
    assert_eq!(format!("{:?}", cache.clone()), "Cache { entries: {1: 2} }");
}

#[test]
fn entries_come_and_go() {
    let map = numbers();
    assert_eq!(map.insert(1, "one".into()), Some("1".into()));
    assert_eq!(map.remove(&1), Some((1, "one".into())));
    assert_eq!(map.remove_if(&2, |_, v| v.is_empty()), None);
    assert_eq!(map.remove_if_mut(&2, |_, _| true), Some((2, "2".into())));
    map.alter(&3, |k, v| format!("{k}{v}"));
    map.alter_all(|_, v| v + "!");
    assert_eq!(map.view(&3, |_, v| v.len()), Some(3));
    assert!(map.contains_key(&0) && !map.contains_key(&1));
    map.retain(|k, _| *k == 3);
    assert_eq!(map.len(), 1);
    map.clear();
    assert!(map.is_empty());
}

#[test]
fn keys_are_borrowed() {
    let map: DashMap<String, u8> = DashMap::new();
    map.insert("a".to_owned(), 1);
    assert!(map.contains_key("a"));
    assert_eq!(*map.get("a").unwrap(), 1);
    *map.get_mut("a").unwrap() += 1;
    assert_eq!(map.remove("a"), Some(("a".to_owned(), 2)));
}

#[test]
fn guards_hold_an_entry() {
    let map = numbers();
    let found: Ref<'_, u32, String> = map.get(&1).unwrap();
    assert_eq!(
        (found.key(), found.value(), found.pair().1.len()),
        (&1, &"1".into(), 1)
    );
    let part: MappedRef<'_, u32, String, String> = match found.try_map(|v| Some(v)) {
        Ok(part) => part.map(|v| v),
        Err(_) => unreachable!("it has one"),
    };
    assert_eq!(
        (part.key(), part.as_str(), part.to_string()),
        (&1, "1", "1".into())
    );
    drop(part);

    let mut found: RefMut<'_, u32, String> = map.get_mut(&1).unwrap();
    found.push('a');
    found.value_mut().push('b');
    found.pair_mut().1.push('c');
    assert_eq!((found.key(), found.pair().0), (&1, &1));
    assert!(format!("{found:?}").starts_with("RefMut { k: "));
    let found: Ref<'_, u32, String> = found.downgrade();
    assert_eq!(found.as_str(), "1abc");
    drop(found);

    let part = map.get_mut(&1).unwrap().map(|v| v);
    let mut part: MappedRefMut<'_, u32, String, String> = part.map(|v| v);
    part.value_mut().push('d');
    part.pair_mut().1.push('e');
    part.push('f');
    assert_eq!(
        (part.key(), part.value().len(), part.pair().1.len()),
        (&1, 7, 7)
    );
    assert!(part.try_map(|_| None::<&mut String>).is_err());

    let present: TryResult<Ref<'_, u32, String>> = map.try_get(&1);
    assert!(present.is_present());
    drop(present);
    assert!(map.try_get_mut(&9).is_absent());
    assert!(map.try_get_mut(&1).try_unwrap().is_some());
}

#[test]
fn entries_are_found_or_made() {
    let map = numbers();
    map.entry(1)
        .and_modify(|v| v.push('x'))
        .or_insert_with(|| "new".to_owned());
    *map.entry(8).or_default() += "8";
    *map.entry(9).or_insert("9".into()) += "x";
    assert_eq!(map.entry(9).insert("nine".into()).value(), "nine");
    let failed = map.entry(10).or_try_insert_with(|| Err::<String, _>("no"));
    assert_eq!(failed.err(), Some("no"));
    assert_eq!(map.entry(11).key(), &11);
    assert_eq!(map.entry(11).into_key(), 11);
    match map.entry(1) {
        Entry::Occupied(mut entry) => {
            let _: &mut OccupiedEntry<'_, u32, String> = &mut entry;
            assert_eq!((entry.key(), entry.get().as_str()), (&1, "1x"));
            entry.get_mut().push('y');
            assert_eq!(entry.insert("z".into()), "1xy");
            assert_eq!(entry.replace_entry("w".into()).1, "z");
        }
        dashmap::Entry::Vacant(_) => unreachable!("it is there"),
    }
    match map.try_entry(12) {
        Some(Entry::Vacant(entry)) => {
            let entry: VacantEntry<'_, u32, String> = entry;
            assert_eq!(entry.key(), &12);
            let made: RefMut<'_, u32, String> = entry.insert("12".into());
            assert_eq!(made.key(), &12);
        }
        _ => unreachable!("nobody else is here"),
    }
    let occupied = map.entry(13).insert_entry("13".into());
    assert_eq!(occupied.into_ref().value(), "13");
    if let Entry::Occupied(entry) = map.entry(13) {
        assert_eq!(entry.remove_entry(), (13, "13".into()));
    }
    if let Entry::Occupied(entry) = map.entry(12) {
        assert_eq!(entry.remove(), "12");
    }
    assert!(!map.contains_key(&13) && !map.contains_key(&12));
}

#[test]
fn iterations_see_all() {
    let map = numbers();
    let iter: Iter<'_, u32, String> = map.iter();
    assert_eq!(iter.clone().count(), 4);
    let keys: u32 = iter.map(|found: RefMulti<'_, _, _>| *found.key()).sum();
    assert_eq!(keys, 6);
    let iter: IterMut<'_, u32, String> = map.iter_mut();
    iter.for_each(|mut found: RefMutMulti<'_, _, _>| {
        found.value_mut().push('a');
        found.pair_mut().1.push('b');
        *found += "c";
        assert_eq!(found.pair(), (found.key(), found.value()));
    });
    for found in &map {
        assert_eq!(found.value().len(), 4);
    }
    let mut more = map.clone();
    more.extend([(7, "7".to_owned())]);
    let iter: OwningIter<u32, String> = more.into_iter();
    assert_eq!(iter.count(), 5);
    let view: ReadOnlyView<u32, String> = map.into_read_only();
    assert_eq!((view.len(), view.get(&1).unwrap().as_str()), (4, "1abc"));
    assert_eq!(
        view.iter().count() + view.keys().count() + view.values().count(),
        12
    );
}

#[test]
fn operators_are_short_forms() {
    let map = &numbers();
    assert_eq!(map << (1, "one".into()), Some("1".into()));
    assert_eq!((map >> &1).value(), "one");
    (map | &1).push('!');
    assert!(map & &1);
    assert_eq!(map - &1, Some((1, "one!".into())));
}
