//! What people do with these maps and sets, beside what others test.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::library::{DashMap, DashSet};

pub(crate) fn main() {
    clones();
    panics();
    #[cfg(feature = "dashmap-raw-api")]
    shards();
    #[cfg(feature = "dashmap-serde")]
    serialised();
    #[cfg(feature = "dashmap-rayon")]
    in_parallel();
}

#[cfg(feature = "dashmap-raw-api")]
fn shards() {
    let mut map: DashMap<u32, u32> = [(1, 2)].into_iter().collect();
    let shard = map.determine_map(&1);
    assert_eq!(map.shards()[shard].read().len(), 1);
    assert_eq!(map.shards_mut().len(), map.into_shards().len());
    let set: DashSet<u32> = [1].into_iter().collect();
    assert_eq!(set.shards()[set.determine_map(&1)].read().len(), 1);
    assert_eq!(set.determine_shard(0), 0);
}

#[cfg(feature = "dashmap-serde")]
fn serialised() {
    let map: DashMap<String, u32> = [("a".into(), 1)].into_iter().collect();
    assert_eq!(serde_json::to_string(&map).unwrap(), r#"{"a":1}"#);
    let guard = map.get_mut("a").unwrap();
    assert_eq!(serde_json::to_string(&guard).unwrap(), "1");
    drop(guard);
    let map: DashMap<String, u32> = serde_json::from_str(r#"{"b":2}"#).unwrap();
    assert_eq!(*map.get("b").unwrap(), 2);
    let set: DashSet<u32> = serde_json::from_str("[3]").unwrap();
    assert!(set.contains(&3));
    assert_eq!(serde_json::to_string(&set).unwrap(), "[3]");
}

#[cfg(feature = "dashmap-rayon")]
fn in_parallel() {
    use rayon::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};

    let mut map: DashMap<u32, u32> = (0..100u32).into_par_iter().map(|k| (k, k)).collect();
    map.par_iter_mut().for_each(|mut entry| *entry += 1);
    (&mut map).into_par_iter().for_each(|mut entry| *entry += 1);
    assert_eq!(map.par_iter().map(|entry| *entry).sum::<u32>(), 4950 + 200);
    assert_eq!(*map.get(&7).unwrap(), 9);
    assert_eq!(map.into_par_iter().count(), 100);
    let set: DashSet<u32> = (0..100u32).into_par_iter().collect();
    assert_eq!(set.par_iter().map(|key| *key).sum::<u32>(), 4950);
    assert!(set.contains(&7));
    assert_eq!(set.into_par_iter().count(), 100);
}

fn clones() {
    let map: DashMap<u32, u32> = (0..5).map(|k| (k, k * 2)).collect();
    let set: DashSet<u32> = (0..5).collect();
    let (other_map, other_set) = (map.clone(), set.clone());
    map.clear();
    set.clear();
    assert_eq!(*other_map.get(&3).unwrap(), 6);
    assert_eq!(other_map.remove(&4), Some((4, 8)));
    assert!(map.get(&3).is_none());
    assert!(other_set.contains(&3) && !other_set.insert(2) && !set.contains(&3));
}

fn spoil<R>(v: &mut u32) -> R {
    *v += 10;
    panic!("on purpose")
}

/// A panic leaves what was done before it.
fn panics() {
    let map: DashMap<u32, u32> = [(1, 1)].into_iter().collect();
    let attempt = |f: &dyn Fn()| assert!(catch_unwind(AssertUnwindSafe(f)).is_err());
    attempt(&|| map.retain(|_, v| spoil(v)));
    assert_eq!(*map.get(&1).unwrap(), 11);
    attempt(&|| assert!(map.remove_if_mut(&1, |_, v| spoil(v)).is_none()));
    assert_eq!(*map.get(&1).unwrap(), 21);
    attempt(&|| spoil(&mut map.get_mut(&1).unwrap()));
    attempt(&|| drop(map.entry(1).and_modify(spoil)));
    assert_eq!(map.remove(&1), Some((1, 41)));
}
