//! What people do with these maps and sets.

use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::thread;

use super::library::{Compute, Equivalent, Guard, HashMap, HashSet, Operation, ResizeMode};

pub(crate) fn main() {
    one_thread();
    closures();
    guards();
    closures_that_wait();
    sets();
    stress();
}

fn one_thread() {
    let map: HashMap<String, u32> = HashMap::new();
    let pinned = map.pin();
    assert_eq!(pinned.insert("a".into(), 1), None);
    assert_eq!(pinned.insert("a".into(), 2), Some(&1));
    assert_eq!(pinned.get("a"), Some(&2));
    assert_eq!(pinned.get("b"), None);
    assert_eq!(pinned.get_key_value("a"), Some((&"a".into(), &2)));
    assert_eq!(pinned.try_insert("b".into(), 3), Ok(&3));
    assert_eq!(
        pinned.try_insert("b".into(), 4).unwrap_err().not_inserted,
        4
    );
    assert_eq!(pinned.get_or_insert("b".into(), 4), &3);
    assert!(pinned.contains_key("a") && !pinned.contains_key("c"));
    assert_eq!((pinned.len(), map.is_empty()), (2, false));
    assert_eq!(pinned.remove("a"), Some(&2));
    assert_eq!(pinned.remove_entry("a"), None);
    assert_eq!(format!("{map:?} {pinned:?}"), "{\"b\": 3} {\"b\": 3}");
    assert!(map.clone() == map);
    pinned.clear();
    assert!(map.is_empty());
    let map = HashMap::from([(1, 2), (3, 4)]);
    let mut keys: Vec<i32> = map.pin().keys().copied().collect();
    keys.sort();
    assert_eq!(keys, [1, 3]);
    assert_eq!(map.pin().values().sum::<i32>(), 6);
    assert_eq!(map.pin().iter().map(|(k, v)| k + v).sum::<i32>(), 10);
    assert_eq!((&map.pin()).into_iter().count(), 2);
    let map: HashMap<u8, u8> = HashMap::builder()
        .capacity(9)
        .resize_mode(ResizeMode::Blocking)
        .build();
    (&map).extend([(1, 2)]);
    map.pin().reserve(10);
    assert_eq!(map.pin().map().len(), 1);
}

fn closures() {
    let map: HashMap<u32, u32> = HashMap::default();
    let map = map.pin();
    assert_eq!(map.get_or_insert_with(1, || 5), &5);
    assert_eq!(map.try_insert_with(1, || unreachable!()), Err(&5));
    assert_eq!(map.try_insert_with(2, || 6), Ok(&6));
    assert_eq!(map.update(1, |v| v + 1), Some(&6));
    assert_eq!(map.update(3, |v| v + 1), None);
    assert_eq!(map.update_or_insert(3, |v| v + 1, 7), &7);
    assert_eq!(map.update_or_insert_with(3, |v| v + 1, || 7), &8);
    let step = |entry: Option<(&u32, &u32)>| match entry {
        Some((_, v)) if v % 2 == 0 => Operation::Remove,
        Some((_, v)) => Operation::Insert(v + 1),
        None => Operation::Abort("none"),
    };
    assert_eq!(map.compute(3, step), Compute::Removed(&3, &8));
    assert_eq!(map.compute(3, step), Compute::Aborted("none"));
    map.insert(3, 1);
    let (old, new) = ((&3, &1), (&3, &2));
    assert_eq!(map.compute(3, step), Compute::Updated { old, new });
    let insert = |_: Option<(&u32, &u32)>| Operation::<u32, ()>::Insert(9);
    assert_eq!(map.compute(4, insert), Compute::Inserted(&4, &9));
    assert_eq!(map.remove_if(&4, |_, v| *v == 1), Err((&4, &9)));
    assert_eq!(map.remove_if(&4, |_, v| *v == 9), Ok(Some((&4, &9))));
    assert_eq!(map.remove_if(&4, |_, _| true), Ok(None));
    map.retain(|_, v| *v > 5);
    assert_eq!(map.len(), 2);
}

fn guards() {
    fn find<'g, Q: Equivalent<u32> + std::hash::Hash>(
        map: &HashMap<u32, u32>,
        key: &Q,
        guard: &'g impl Guard,
    ) -> Option<&'g u32> {
        map.get(key, guard)
    }
    let map: HashMap<u32, u32> = HashMap::with_capacity(4);
    let guard = map.guard();
    map.insert(1, 2, &guard);
    let found = find(&map, &1, &guard);
    map.remove(&1, &guard);
    assert_eq!(found, Some(&2));
    assert_eq!(map.iter(&guard).count(), 0);
    drop(guard);
    assert_eq!(map.pin_owned().get(&1), None);
    assert_eq!(map.get(&1, &map.owned_guard()), None);
}

/// A closure that waits for another thread that uses the same map.
fn closures_that_wait() {
    let map: HashMap<u32, u32> = HashMap::new();
    let (sender, receiver) = sync_channel(0);
    thread::scope(|scope| {
        scope.spawn(|| {
            map.pin().insert(2, 2);
            sender.send(map.pin().len() as u32).unwrap();
        });
        map.pin().get_or_insert_with(1, || receiver.recv().unwrap());
    });
    assert!(map.pin().get(&1).is_some());
}

fn sets() {
    let set: HashSet<String> = HashSet::new();
    let pinned = set.pin();
    assert!(pinned.insert("a".into()) && !pinned.insert("a".into()));
    assert!(pinned.contains("a") && !pinned.contains("b"));
    assert_eq!(pinned.get("a"), Some(&"a".into()));
    assert_eq!(format!("{set:?}"), "{\"a\"}");
    assert!(pinned.remove("a") && !pinned.remove("a"));
    let set: HashSet<u32> = (0..5).collect();
    set.pin().retain(|k| *k > 2);
    assert_eq!(set.pin().iter().sum::<u32>(), 7);
    assert_eq!((set.len(), set.is_empty()), (2, false));
    let clone = set.clone();
    assert!(clone == set && clone.pin().contains(&3) && !clone.pin().contains(&2));
    assert_eq!(format!("{:?}", HashSet::from([7]).pin()), "{7}");
    (&clone).extend(&[8]);
    assert!(clone != set && clone.pin().remove(&8));
    set.pin().clear();
    let collector = Arc::new(seize::Collector::new());
    let builder = || HashSet::<u32>::builder().shared_collector(Arc::clone(&collector));
    let (one, other) = (builder().build(), builder().capacity(4).build());
    assert!(one.pin().insert(1) && other.pin().insert(1));
    let builder = HashMap::<u32, u32>::builder().collector(seize::Collector::new());
    let map = builder.build();
    map.pin().insert(1, 2);
    let clone = map.clone();
    map.pin().clear();
    assert_eq!((clone.pin().get(&1), clone.pin().get(&2)), (Some(&2), None));
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
    let map = map.pin();
    match random >> 16 & 31 {
        0..4 => drop(map.insert(key, value)),
        4..8 => drop(map.get(&key)),
        8..11 => drop(map.remove(&key)),
        11 | 12 => drop(map.try_insert(key, value).is_ok()),
        13 => drop(map.get_or_insert(key, value)),
        14 => drop(map.get_or_insert_with(key, || value)),
        15 => drop(map.try_insert_with(key, || value)),
        16 => drop(map.contains_key(&key)),
        17 => drop(map.remove_if(&key, |_, v| *v == value)),
        18 | 19 => drop(map.update(key, |v| v ^ value)),
        20 => drop(map.update_or_insert(key, |v| v ^ value, value)),
        21 | 22 => drop(map.compute(key, |entry| match entry {
            Some((_, v)) if *v == value => Operation::Remove,
            Some((_, v)) if *v > value => Operation::Abort(()),
            _ => Operation::Insert(value),
        })),
        23 if round.is_multiple_of(16) => map.retain(|k, v| (*k + *v).is_multiple_of(2)),
        24 if round.is_multiple_of(16) => map.clear(),
        25 => drop(map.iter().count()),
        _ => drop(map.len()),
    }
}

fn on_set(set: &HashSet<u64>, random: u64, round: u32) {
    let key = random % 8;
    let set = set.pin();
    match random >> 16 & 7 {
        0..3 => drop(set.insert(key)),
        3 | 4 => drop(set.remove(&key)),
        5 if round.is_multiple_of(16) => set.retain(|k| *k != key),
        6 => drop(set.iter().count()),
        _ => drop(set.contains(&key)),
    }
}
