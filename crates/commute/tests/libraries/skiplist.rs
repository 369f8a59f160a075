//! What people do with sorted maps and sets.

use std::ops::Bound;
use std::thread;

use super::library::skiplist::map::Entry;
use super::library::skiplist::{SkipMap, SkipSet};

pub(crate) fn main() {
    maps();
    order();
    sets();
    stress();
}

fn maps() {
    let map: SkipMap<String, u32> = SkipMap::new();
    assert!(map.is_empty() && map.front().is_none() && map.pop_back().is_none());
    let entry: Entry<'_, String, u32> = map.insert("a".into(), 1);
    assert_eq!((entry.key().as_str(), *entry.value()), ("a", 1));
    assert_eq!(*map.insert("a".into(), 2).value(), 2);
    assert!(entry.is_removed() && !entry.clone().remove());
    drop(entry);
    assert_eq!(*map.get("a").unwrap().value(), 2);
    assert!(map.get("b").is_none());
    assert_eq!(*map.get_or_insert("a".into(), 3).value(), 2);
    assert_eq!(*map.get_or_insert_with("b".into(), || 4).value(), 4);
    assert_eq!(*map.compare_insert("b".into(), 5, |v| *v == 1).value(), 4);
    assert_eq!(*map.compare_insert("b".into(), 5, |v| *v == 4).value(), 5);
    assert_eq!(*map.compare_insert("c".into(), 6, |_| false).value(), 6);
    assert!(map.contains_key("a") && !map.contains_key("d"));
    assert_eq!(map.len(), 3);
    assert_eq!(*map.remove("a").unwrap().value(), 2);
    assert!(map.remove("a").is_none());
    assert!(map.get("b").unwrap().remove());
    assert_eq!(format!("{map:?}"), "SkipMap { .. }");
    map.clear();
    assert_eq!(map.into_iter().count(), 0);
}

fn order() {
    let map: SkipMap<u32, u32> = (0..10).map(|n| (n, n * n)).collect();
    assert_eq!(*map.front().unwrap().key(), 0);
    assert_eq!(*map.back().unwrap().key(), 9);
    assert_eq!(*map.lower_bound(Bound::Excluded(&3)).unwrap().key(), 4);
    assert_eq!(*map.upper_bound(Bound::Included(&3)).unwrap().key(), 3);
    assert_eq!(map.iter().map(|entry| *entry.value()).sum::<u32>(), 285);
    assert_eq!(map.range(2..5).next_back().map(|e| *e.key()), Some(4));
    assert_eq!((&map).into_iter().next_back().map(|e| *e.key()), Some(9));
    let mut entry = map.front().unwrap();
    assert!(entry.move_next() && *entry.key() == 1);
    assert_eq!(*entry.next().unwrap().key(), 2);
    assert_eq!(*entry.prev().unwrap().key(), 0);
    assert_eq!(*map.pop_front().unwrap().key(), 0);
    assert_eq!(*map.pop_back().unwrap().value(), 81);
}

fn sets() {
    let set: SkipSet<String> = SkipSet::default();
    assert_eq!(set.insert("a".into()).value(), "a");
    assert_eq!(*set.get_or_insert("a".into()), "a");
    assert!(set.contains("a") && set.get("b").is_none());
    assert!(set.remove("a").is_some() && set.remove("a").is_none());
    let set: SkipSet<u32> = (0..5).collect();
    assert_eq!(
        (**set.front().as_ref().unwrap(), *set.back().unwrap()),
        (0, 4)
    );
    assert_eq!(set.iter().map(|n| *n).sum::<u32>(), 10);
    assert_eq!(set.range(1..=2).count(), 2);
    assert_eq!(*set.lower_bound(Bound::Included(&2)).unwrap(), 2);
    assert_eq!(
        (*set.pop_front().unwrap(), *set.pop_back().unwrap()),
        (0, 4)
    );
    assert_eq!((set.len(), set.is_empty()), (3, false));
    set.clear();
}

fn stress() {
    let (map, set) = (SkipMap::<u64, u64>::new(), SkipSet::<u64>::new());
    thread::scope(|scope| {
        for thread in 1..=4u64 {
            let (map, set) = (&map, &set);
            scope.spawn(move || {
                let mut random = thread.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                for _ in 0..3000 {
                    random ^= random << 13;
                    random ^= random >> 7;
                    random ^= random << 17;
                    on_map(map, random);
                    on_set(set, random >> 24);
                }
            });
        }
    });
}

fn on_map(map: &SkipMap<u64, u64>, random: u64) {
    let (key, value) = (random % 8, random >> 8 & 3);
    match random >> 16 & 15 {
        0..4 => drop(map.insert(key, value)),
        4..6 => drop(map.get(&key)),
        6 | 7 => drop(map.remove(&key)),
        8 => drop(map.get_or_insert(key, value)),
        9 => drop(map.get_or_insert_with(key, || value)),
        10 => drop(map.compare_insert(key, value, |v| *v < value)),
        11 => drop(map.get(&key).map(|entry| (entry.next(), entry.remove()))),
        12 => drop(map.iter().count()),
        13 => drop((map.contains_key(&key), map.range(key..).count())),
        14 => drop((map.pop_front(), map.back())),
        _ => drop((map.len(), map.is_empty())),
    }
}

fn on_set(set: &SkipSet<u64>, random: u64) {
    let key = random % 8;
    match random >> 16 & 7 {
        0..2 => drop(set.insert(key)),
        2 => drop(set.get_or_insert(key)),
        3 | 4 => drop(set.remove(&key)),
        5 => drop(set.iter().count()),
        6 => drop((set.front(), set.pop_back())),
        _ => drop(set.contains(&key)),
    }
}
