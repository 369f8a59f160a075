//! What people do with these maps and sets, beside what others test.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::library::{DashMap, DashSet};

pub(crate) fn main() {
    clones();
    panics();
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
    attempt(&|| drop(map.remove_if_mut(&1, |_, v| spoil(v))));
    assert_eq!(*map.get(&1).unwrap(), 21);
    attempt(&|| spoil(&mut map.get_mut(&1).unwrap()));
    attempt(&|| drop(map.entry(1).and_modify(|v| spoil(v))));
    assert_eq!(map.remove(&1), Some((1, 41)));
}
