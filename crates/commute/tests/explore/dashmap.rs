//! Maps and sets of dashmap: who has a guard of a key keeps others from it.

use commute::dashmap::{DashMap, DashSet};
use commute::sync::Arc;
use commute::sync::atomic::{AtomicU32, Ordering::SeqCst};
use commute::thread;

use crate::seen::{outcomes, seen};

/// Runs `f` with a map in two threads, which are told apart.
fn both(
    map: impl Fn() -> DashMap<u32, u32> + 'static,
    f: fn(&DashMap<u32, u32>, u32),
) -> impl Fn() + 'static {
    move || {
        let map = Arc::new(map());
        let other = Arc::clone(&map);
        let thread = thread::spawn(move || f(&other, 1));
        f(&map, 2);
        thread.join().unwrap();
    }
}

fn map_of<V, const N: usize>(entries: [(u32, V); N]) -> DashMap<u32, V> {
    entries.into_iter().collect()
}

fn of(entries: &'static [(u32, u32)]) -> impl Fn() -> DashMap<u32, u32> + 'static {
    || entries.iter().copied().collect()
}

#[test]
fn keys_are_for_themselves() {
    let count = outcomes(both(DashMap::new, |map, me| {
        map.insert(me, me);
        assert_eq!(map.remove(&me), Some((me, me)));
        assert!(map.get(&me).is_none());
    }));
    assert_eq!(count, 1);
}

#[test]
fn who_comes_last_stays() {
    let count = outcomes(both(DashMap::new, |map, me| {
        map.insert(7, me);
    }));
    assert_eq!(count, 2);
}

/// One after the other, or both look first: then they insert in two orders.
#[test]
fn a_look_and_an_insertion_are_two_steps() {
    let count = outcomes(both(DashMap::new, |map, me| {
        if !map.contains_key(&7) {
            map.insert(7, me);
        }
    }));
    assert_eq!(count, 4);
    let count = outcomes(both(DashMap::new, |map, me| {
        if map.get(&7).is_none() {
            map.insert(7, me);
        }
    }));
    assert_eq!(count, 4);
}

#[test]
fn an_entry_is_one_step() {
    let count = outcomes(both(DashMap::new, |map, me| {
        map.entry(7).or_insert(me);
    }));
    assert_eq!(count, 2);
    let count = outcomes(both(of(&[(7, 0)]), |map, me| {
        map.entry(7).and_modify(|v| *v += me).or_insert(me);
    }));
    assert_eq!(count, 2);
}

#[test]
fn what_is_changed_under_a_guard_is_changed_at_once() {
    let count = outcomes(|| {
        let map = Arc::new(map_of([(7, 0)]));
        let other = Arc::clone(&map);
        let thread = thread::spawn(move || *other.get_mut(&7).unwrap() += 1);
        *map.get_mut(&7).unwrap() += 1;
        map.alter(&7, |_, v| v + 1);
        thread.join().unwrap();
        assert_eq!(*map.get(&7).unwrap(), 3);
    });
    // The other comes first, in between or last.
    assert_eq!(count, 3);
}

/// Another gets at the key only before or after; if after, it sees what was done under
/// the guard.
#[test]
fn a_guard_keeps_others_from_its_key() {
    let program = |key: u32| {
        move || {
            let map = Arc::new(map_of([(7, 0), (8, 0)]));
            let flag = Arc::new(AtomicU32::new(0));
            let (other, other_flag) = (Arc::clone(&map), Arc::clone(&flag));
            let thread = thread::spawn(move || {
                let guard = other.get(&7).unwrap();
                other_flag.store(1, SeqCst);
                drop(guard);
            });
            map.insert(key, 5);
            let _ = flag.load(SeqCst);
            thread.join().unwrap();
        }
    };
    assert_eq!(outcomes(program(7)), 3);
    // Nothing has to do with another key.
    assert_eq!(outcomes(program(8)), 2);
}

#[test]
fn who_looks_keeps_nobody_else_from_looking() {
    let count = outcomes(both(of(&[(7, 0)]), |map, _| {
        let guard = map.get(&7).unwrap();
        assert!(map.contains_key(&7) && map.try_get(&7).is_present());
        assert_eq!(*guard, 0);
    }));
    assert_eq!(count, 1);
}

#[test]
fn who_has_a_guard_and_changes_the_key_waits_for_ever() {
    let seen = seen(|| {
        let map = map_of([(7, 0)]);
        let guard = map.get(&7).unwrap();
        map.insert(7, *guard + 1);
    });
    assert_eq!((seen.outcomes, seen.deadlocks), (1, 1));
    assert_eq!(seen.because, None);
}

#[test]
fn two_keys_in_two_orders_wait_for_each_other() {
    let seen = seen(both(of(&[(1, 0), (2, 0)]), |map, me| {
        let _mine = map.get_mut(&me).unwrap();
        let _theirs = map.get_mut(&(3 - me)).unwrap();
    }));
    // Who of them is first when both finish, nobody can tell.
    assert_eq!((seen.outcomes, seen.deadlocks), (2, 1));
    assert_eq!(seen.because, None);
}

#[test]
fn an_attempt_may_find_a_key_locked() {
    use commute::dashmap::try_result::TryResult;
    let count = outcomes(|| {
        let map = Arc::new(DashMap::new());
        let other = Arc::clone(&map);
        let thread = thread::spawn(move || {
            other.entry(7).insert(1);
        });
        match map.try_get(&7) {
            TryResult::Present(guard) => assert_eq!(*guard, 1),
            TryResult::Absent | TryResult::Locked => {}
        }
        thread.join().unwrap();
    });
    assert_eq!(count, 3);
}

#[test]
fn a_guard_that_goes_on_looking_lets_others_look() {
    let count = outcomes(|| {
        let map = Arc::new(map_of([(7, 0)]));
        let flag = Arc::new(AtomicU32::new(0));
        let (other, other_flag) = (Arc::clone(&map), Arc::clone(&flag));
        let thread = thread::spawn(move || {
            let mut guard = other.get_mut(&7).unwrap();
            *guard = 1;
            let guard = guard.downgrade();
            other_flag.store(1, SeqCst);
            assert_eq!(*guard, 1);
        });
        let found = *map.get(&7).unwrap();
        let flag = flag.load(SeqCst);
        assert!(found == 0 || found == 1);
        thread.join().unwrap();
        let _ = flag;
    });
    // Before it was changed or after, and the flag seen or not.
    assert_eq!(count, 4);
}

/// An iteration is no snapshot.
#[test]
fn an_iteration_goes_from_key_to_key() {
    let program = |key: u32| {
        move || {
            let map = Arc::new(map_of([(3, 0), (5, 0)]));
            let other = Arc::clone(&map);
            let thread = thread::spawn(move || {
                other.insert(key, 1);
                other.remove(&3);
            });
            let keys: Vec<u32> = map.iter().map(|entry| *entry.key()).collect();
            assert!(keys.contains(&5));
            thread.join().unwrap();
        }
    };
    // 3 5, 3 5 7, 5 7.
    assert_eq!(outcomes(program(7)), 3);
    // 3 5, 1 3 5, 1 5.
    assert_eq!(outcomes(program(1)), 3);
}

/// It has a guard of where it is.
#[test]
fn who_iterates_and_removes_waits_for_ever() {
    let seen = seen(|| {
        let map = map_of([(3, 0)]);
        for entry in map.iter() {
            map.remove(entry.key());
        }
    });
    assert_eq!((seen.outcomes, seen.deadlocks), (1, 1));
    assert_eq!(seen.because, None);
}

#[test]
fn all_entries_can_be_changed_and_removed() {
    let count = outcomes(|| {
        let map: DashMap<u32, u32> = (0..70).map(|n| (n, n)).collect();
        for mut entry in map.iter_mut() {
            *entry.value_mut() += 1;
        }
        map.alter_all(|_, v| v + 1);
        map.retain(|k, v| {
            assert_eq!(*v, *k + 2);
            k % 2 == 0
        });
        assert_eq!(map.len(), 35);
        let copy = map.clone();
        map.clear();
        assert!(map.is_empty());
        assert_eq!(copy.into_iter().count(), 35);
    });
    assert_eq!(count, 1);
}

#[test]
fn an_entry_is_removed_if_somebody_says_so() {
    let count = outcomes(both(of(&[(7, 2)]), |map, me| {
        map.remove_if(&7, |_, v| *v == me);
    }));
    // The one whose number it is removes it; the other finds it, or finds nothing.
    assert_eq!(count, 2);
}

/// What is not known is told apart by who left it there.
#[test]
fn values_without_pictures_have_versions() {
    let count = outcomes(|| {
        let map = Arc::new(map_of([(7, vec![])]));
        let other = Arc::clone(&map);
        let thread = thread::spawn(move || other.get_mut(&7).unwrap().push(1));
        map.entry(7).or_default().push(2);
        let looked = map.get(&7).unwrap().len();
        thread.join().unwrap();
        assert!(looked == 1 || looked == 2);
        assert_eq!(map.get(&7).unwrap().len(), 2);
    });
    assert_eq!(count, 3);
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Pair(u8, &'static str);

#[test]
fn keys_without_pictures_are_told_apart() {
    let program = |first: u8| {
        move || {
            let map = Arc::new(DashMap::new());
            let other = Arc::clone(&map);
            let thread = thread::spawn(move || other.insert(Pair(first, "a"), 1));
            map.insert(Pair(2, "a"), 2);
            thread.join().unwrap();
        }
    };
    assert_eq!(outcomes(program(1)), 1);
    assert_eq!(outcomes(program(2)), 2);
}

#[test]
fn strings_are_looked_up_by_slices() {
    let count = outcomes(|| {
        let map: Arc<DashMap<String, u32>> = Arc::default();
        let other = Arc::clone(&map);
        let thread = thread::spawn(move || other.insert("a".to_owned(), 1));
        let _ = map.contains_key("a");
        thread.join().unwrap();
        assert_eq!(map.view("a", |_, v| *v), Some(1));
    });
    assert_eq!(count, 2);
}

#[test]
fn elements_of_a_set_are_for_themselves() {
    let program = |mine: u32| {
        move || {
            let set = Arc::new(DashSet::new());
            let other = Arc::clone(&set);
            let thread = thread::spawn(move || other.insert(1));
            set.insert(mine);
            thread.join().unwrap();
            assert!(set.contains(&1) && set.get(&mine).is_some());
            assert_eq!(set.iter().count(), if mine == 1 { 1 } else { 2 });
            assert_eq!(set.remove_if(&1, |_| true), Some(1));
            set.retain(|_| false);
            assert!(set.is_empty());
        }
    };
    assert_eq!(outcomes(program(2)), 1);
    assert_eq!(outcomes(program(1)), 2);
}

/// So many insertions and one look: what `len` says is all that can be told.
#[test]
fn a_size_is_seen_among_insertions() {
    let count = outcomes(|| {
        let set = Arc::new(DashSet::new());
        let threads: Vec<_> = { 0..3 }
            .map(|n| {
                let set = Arc::clone(&set);
                thread::spawn(move || set.insert(n))
            })
            .collect();
        let _ = set.len();
        for thread in threads {
            thread.join().unwrap();
        }
    });
    assert_eq!(count, 4);
}

/// Real maps have locks for many keys.
#[test]
fn who_uses_another_key_under_a_guard_is_told() {
    let remarks = |other: u32| {
        let seen = seen(move || {
            let map = map_of([(7, 0)]);
            let guard = map.get(&7).unwrap();
            assert_eq!(map.contains_key(&other), other == *guard + 7);
        });
        assert_eq!((seen.because, seen.deadlocks), (None, 0));
        seen.remarks.len()
    };
    assert_eq!(remarks(8), 1);
    assert_eq!(remarks(7), 0);
}
