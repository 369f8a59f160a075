//! What people do with these maps and sets.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::thread;

use super::library::hash_map::{Entry, OccupiedEntry, ReplaceResult};
use super::library::{HashMap, HashSet, hash_set};

pub(crate) fn main() {
    one_thread();
    entries();
    the_whole_map();
    futures();
    sets();
    sets_one_by_one();
    maps_one_by_one();
    panics();
    stress();
}

fn one_thread() {
    let map: HashMap<String, u32> = HashMap::new();
    assert_eq!(map.insert_sync("a".into(), 1), Ok(()));
    assert_eq!(map.insert_sync("a".into(), 2), Err(("a".into(), 2)));
    assert_eq!(map.read_sync("a", |_, v| *v), Some(1));
    assert_eq!(map.read_sync("b", |_, v| *v), None);
    assert_eq!(map.upsert_sync("a".into(), 3), Some(1));
    assert_eq!(map.upsert_sync("b".into(), 4), None);
    assert_eq!(
        map.update_sync("a", |_, v| std::mem::replace(v, 5)),
        Some(3)
    );
    assert_eq!(map.update_sync("c", |_, v| *v), None);
    assert!(map.contains_sync("a") && !map.contains_sync("c"));
    assert_eq!(map.remove_if_sync("a", |v| *v == 1), None);
    assert_eq!(map.remove_if_sync("a", |v| *v == 5), Some(("a".into(), 5)));
    assert_eq!(map.remove_sync("a"), None);
    assert_eq!((map.len(), map.is_empty()), (1, false));
    assert_eq!(format!("{map:?}"), "{\"b\": 4}");
    let clone = map.clone();
    assert!(clone == map && map.capacity() >= 1);
    assert_eq!(clone.read_sync("b", |_, v| *v), Some(4));
    let map: HashMap<u8, u8> = [(1, 2)].into_iter().collect();
    assert_eq!(map.remove_sync(&1), Some((1, 2)));
    assert!(HashMap::<u8, u8>::default().is_empty());
}

fn entries() {
    let map: HashMap<u32, u32> = HashMap::with_capacity(10);
    *map.entry_sync(1).or_insert(5) += 1;
    map.entry_sync(1).and_modify(|v| *v += 1).or_default();
    let entry: OccupiedEntry<'_, u32, u32> = map.get_sync(&1).unwrap();
    assert_eq!((*entry.key(), *entry.get()), (1, 7));
    assert_eq!(entry.remove_entry(), (1, 7));
    assert!(map.get_sync(&1).is_none());
    match map.entry_sync(2) {
        Entry::Vacant(entry) => drop(entry.insert_entry(8)),
        Entry::Occupied(_) => unreachable!(),
    }
    match map.entry_sync(2) {
        Entry::Occupied(mut entry) => assert_eq!(entry.insert(9), 8),
        Entry::Vacant(_) => unreachable!(),
    }
    assert_eq!(*map.entry_sync(3).or_insert_with_key(|k| k + 1), 4);
    let inserted = map.entry_sync(4).insert_entry(5);
    assert_eq!(inserted.remove(), 5);
    let any = map.any_sync(|k, _| *k == 3).unwrap();
    assert_eq!(*any, 4);
    drop(any);
    let mut sum = 0;
    let mut next = map.begin_sync();
    while let Some(entry) = next {
        sum += *entry;
        next = entry.next_sync();
    }
    assert_eq!(sum, 13);
}

fn the_whole_map() {
    let map: HashMap<u32, u32> = HashMap::new();
    for key in 0..10 {
        map.upsert_sync(key, key * 2);
    }
    let mut sum = 0;
    assert!(map.iter_sync(|_, v| {
        sum += v;
        true
    }));
    assert_eq!(sum, 90);
    map.iter_mut_sync(|mut entry| {
        if *entry.key() < 5 {
            *entry += 1;
        } else if *entry.key() == 5 {
            let _ = entry.consume();
        }
        true
    });
    map.retain_sync(|k, v| {
        *v += 1;
        k.is_multiple_of(2)
    });
    assert_eq!(map.read_sync(&4, |_, v| *v), Some(10));
    assert_eq!(map.len(), 5);
    map.clear_sync();
    assert!(map.is_empty());
}

fn block_on<R>(future: impl Future<Output = R>) -> R {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(result) = future
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
        {
            return result;
        }
        thread::yield_now();
    }
}

fn futures() {
    let map: HashMap<u32, u32> = HashMap::new();
    block_on(async {
        assert_eq!(map.insert_async(1, 1).await, Ok(()));
        assert_eq!(map.insert_async(1, 2).await, Err((1, 2)));
        assert_eq!(map.upsert_async(1, 3).await, Some(1));
        assert_eq!(map.update_async(&1, |_, v| *v).await, Some(3));
        assert_eq!(map.read_async(&1, |_, v| *v).await, Some(3));
        assert!(map.contains_async(&1).await && !map.contains_async(&2).await);
        *map.entry_async(2).await.or_insert(1) += 1;
        assert_eq!(*map.get_async(&2).await.unwrap(), 2);
        assert_eq!(map.remove_if_async(&2, |v| *v == 1).await, None);
        assert_eq!(map.remove_async(&2).await, Some((2, 2)));
        assert!(map.iter_async(|k, _| *k == 1).await);
        map.retain_async(|_, _| true).await;
        map.clear_async().await;
    });
    assert_eq!(map.len(), 0);
}

fn sets() {
    let set: HashSet<String> = HashSet::new();
    assert_eq!(set.insert_sync("a".into()), Ok(()));
    assert_eq!(set.insert_sync("a".into()), Err("a".into()));
    assert!(set.contains_sync("a") && !set.contains_sync("b"));
    assert_eq!(set.read_sync("a", |k| k.len()), Some(1));
    assert_eq!(set.remove_if_sync("a", || false), None);
    assert_eq!(format!("{set:?}"), "{\"a\"}");
    assert_eq!(set.remove_sync("a"), Some("a".into()));
    assert_eq!(set.remove_sync("a"), None);
    let set: HashSet<u32> = (0..5).collect();
    set.retain_sync(|k| *k > 2);
    assert!(set.iter_sync(|k| *k > 2));
    assert_eq!((set.len(), set.is_empty()), (2, false));
    let clone = set.clone();
    set.clear_sync();
    assert!(clone.contains_sync(&3) && !clone.contains_sync(&1));
}

/// Elements one by one, and all of it again without blocking.
fn sets_one_by_one() {
    let set: HashSet<u32> = (0..5).collect();
    assert_eq!(set.replace_sync(3), Some(3));
    assert_eq!(set.replace_sync(9), None);
    let entry: hash_set::OccupiedEntry<'_, u32> = set.any_sync(|k| *k == 9).unwrap();
    assert_eq!((*entry.get(), *entry), (9, 9));
    assert_eq!(entry.remove_entry(), 9);
    let mut seen = 0;
    let mut next = set.begin_sync();
    while let Some(entry) = next {
        seen += *entry;
        next = entry.next_sync();
    }
    assert_eq!(seen, 10);
    let (first, rest) = set.begin_sync().unwrap().remove_and_sync();
    drop(rest);
    assert!(!set.contains_sync(&first));
    set.iter_mut_sync(|entry| {
        if *entry == 4 {
            assert_eq!(entry.consume(), 4);
        }
        true
    });
    assert!(!set.contains_sync(&4));
    assert!(set == set.clone() && set.capacity_range().contains(&64));
    assert!(set.reserve(100).is_some());
    block_on(async {
        set.clear_async().await;
        assert_eq!(set.insert_async(1).await, Ok(()));
        assert_eq!(set.insert_async(1).await, Err(1));
        assert_eq!(set.replace_async(2).await, None);
        assert!(set.contains_async(&1).await && !set.contains_async(&3).await);
        assert_eq!(set.read_async(&2, |k| *k + 1).await, Some(3));
        assert_eq!(set.remove_if_async(&1, || false).await, None);
        assert!(set.iter_async(|k| *k < 3).await);
        assert!(set.iter_mut_async(|k| *k < 3).await);
        let entry = set.any_async(|k| *k == 1).await.unwrap();
        drop(entry.next_async().await);
        let (_, rest) = set.begin_async().await.unwrap().remove_and_async().await;
        drop(rest);
        set.retain_async(|_| true).await;
        assert_eq!(set.len(), 1);
        let left = if set.contains_sync(&1) { 1 } else { 2 };
        assert_eq!(set.remove_async(&left).await, Some(left));
    });
}

/// What a map has beside that.
fn maps_one_by_one() {
    let map: HashMap<u32, u32> = (0..3).map(|k| (k, k)).collect();
    match map.replace_sync(1) {
        ReplaceResult::Replaced(entry, key) => assert_eq!((*entry, key), (1, 1)),
        ReplaceResult::NotReplaced(_) => panic!("it is there"),
    }
    match map.replace_sync(7) {
        ReplaceResult::NotReplaced(entry) => drop(entry.insert_entry(8)),
        ReplaceResult::Replaced(..) => panic!("it is not there"),
    }
    assert!(map.reserve(100).is_some());
    block_on(async {
        assert!(matches!(
            map.replace_async(9).await,
            ReplaceResult::NotReplaced(_)
        ));
        let mut entry = map.any_async(|k, _| *k == 7).await.unwrap();
        *entry.get_mut() += 1;
        drop(entry.next_async().await);
        assert_eq!(map.read_sync(&7, |_, v| *v), Some(9));
        let ((key, _), rest) = map.begin_async().await.unwrap().remove_and_async().await;
        drop(rest);
        assert!(!map.contains_sync(&key));
        assert!(
            map.iter_mut_async(|mut entry| {
                *entry += 1;
                true
            })
            .await
        );
    });
    assert_eq!(map.len(), 3);
}

fn spoil<R>(v: &mut u32) -> R {
    *v += 10;
    panic!("on purpose")
}

/// A panic leaves what was done before it.
fn panics() {
    let map: HashMap<u32, u32> = [(1, 1), (2, 2)].into_iter().collect();
    let attempt = |f: &dyn Fn()| assert!(catch_unwind(AssertUnwindSafe(f)).is_err());
    attempt(&|| drop(map.update_sync(&1, |_, v| spoil::<String>(v))));
    assert_eq!(map.read_sync(&1, |_, v| *v), Some(11));
    attempt(&|| assert!(map.remove_if_sync(&1, spoil).is_none()));
    assert_eq!(map.read_sync(&1, |_, v| *v), Some(21));
    attempt(&|| map.retain_sync(|_, v| spoil(v)));
    let sum = [1, 2].map(|k| map.read_sync(&k, |_, v| *v).unwrap());
    assert_eq!(sum[0] + sum[1], 33);
    attempt(&|| drop(map.read_sync(&1, |_, v| spoil::<String>(&mut v.clone()))));
    attempt(&|| {
        let mut entry = map.get_sync(&2).unwrap();
        spoil(entry.get_mut())
    });
    assert_eq!(
        map.remove_sync(&1).unwrap().1 + map.remove_sync(&2).unwrap().1,
        43
    );
}

fn stress() {
    let (map, set) = (HashMap::<u64, u64>::new(), HashSet::<u64>::new());
    thread::scope(|scope| {
        for thread in 1..=4u64 {
            let (map, set) = (&map, &set);
            scope.spawn(move || {
                let mut random = thread.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                for round in 0..5000 {
                    random ^= random << 13;
                    random ^= random >> 7;
                    random ^= random << 17;
                    on_map(map, random, round);
                    on_set(set, random >> 24, round);
                }
            });
        }
    });
}

fn on_map(map: &HashMap<u64, u64>, random: u64, round: u32) {
    let (key, value) = (random % 8, random >> 8 & 3);
    match random >> 16 & 31 {
        0..4 => drop(map.insert_sync(key, value)),
        4..8 => drop(map.upsert_sync(key, value)),
        8..12 => drop(map.read_sync(&key, |_, v| *v)),
        12..16 => drop(map.remove_sync(&key)),
        16 => drop(map.contains_sync(&key)),
        17 => drop(map.remove_if_sync(&key, |v| *v == value)),
        18 => drop(map.update_sync(&key, |_, v| *v ^= value)),
        19 => *map.entry_sync(key).or_insert(value) ^= 1,
        20 => drop(map.get_sync(&key).map(|mut entry| *entry = value)),
        21 => match map.entry_sync(key) {
            Entry::Occupied(entry) => drop(entry.remove()),
            Entry::Vacant(entry) => drop(entry.insert_entry(value).remove()),
        },
        22 => drop(block_on(map.insert_async(key, value))),
        23 => drop(block_on(map.remove_async(&key))),
        24 => drop(block_on(map.read_async(&key, |_, v| *v))),
        25 if round.is_multiple_of(16) => map.retain_sync(|k, v| (*k + *v).is_multiple_of(2)),
        26 if round.is_multiple_of(16) => map.clear_sync(),
        27 if round.is_multiple_of(16) => drop(map.iter_sync(|_, v| *v < 4)),
        28 if round.is_multiple_of(16) => drop(map.any_sync(|_, v| *v == value)),
        29 => drop(map.entry_sync(key)),
        _ => drop(map.len()),
    }
}

fn on_set(set: &HashSet<u64>, random: u64, round: u32) {
    let key = random % 8;
    match random >> 16 & 7 {
        0..3 => drop(set.insert_sync(key)),
        3 => drop(set.remove_sync(&key)),
        4 => drop(set.remove_if_sync(&key, || key.is_multiple_of(2))),
        5 if round.is_multiple_of(16) => set.retain_sync(|k| *k != key),
        6 => drop(set.iter_sync(|_| true)),
        _ => drop(set.contains_sync(&key)),
    }
}
