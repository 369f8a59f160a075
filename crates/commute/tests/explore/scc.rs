//! Maps and sets of scc: who has an entry keeps others from its key.

use commute::future::{block_on, spawn};
use commute::scc::hash_map::{Entry, ReplaceResult};
use commute::scc::{HashMap, HashSet};
use commute::sync::Arc;
use commute::sync::atomic::{AtomicU32, Ordering::SeqCst};
use commute::thread;

use crate::seen::{outcomes, seen};

type Map = HashMap<u32, u32>;

/// Runs `f` with a map in two threads, which are told apart.
fn both(entries: &'static [(u32, u32)], f: fn(&Map, u32)) -> impl Fn() + 'static {
    move || {
        let map: Arc<Map> = Arc::new(entries.iter().copied().collect());
        let other = Arc::clone(&map);
        let thread = thread::spawn(move || f(&other, 1));
        f(&map, 2);
        thread.join().unwrap();
    }
}

#[test]
fn keys_are_for_themselves() {
    let count = outcomes(both(&[], |map, me| {
        map.insert_sync(me, me).unwrap();
        assert_eq!(map.upsert_sync(me, me + 1), Some(me));
        assert_eq!(map.update_sync(&me, |_, v| *v += 1), Some(()));
        assert_eq!(map.read_sync(&me, |k, v| (*k, *v)), Some((me, me + 2)));
        assert_eq!(map.remove_sync(&me), Some((me, me + 2)));
        assert!(map.get_sync(&me).is_none());
        assert!(map.read_sync(&me, |_, _| ()).is_none());
    }));
    assert_eq!(count, 1);
}

/// Who comes second is refused.
#[test]
fn an_insertion_does_not_overwrite() {
    let count = outcomes(|| {
        let map = Arc::new(Map::new());
        let other = Arc::clone(&map);
        let thread = thread::spawn(move || other.insert_sync(7, 1));
        let mine = map.insert_sync(7, 2);
        let theirs = thread.join().unwrap();
        match mine {
            Ok(()) => assert_eq!(theirs, Err((7, 1))),
            Err(back) => assert!(back == (7, 2) && theirs == Ok(())),
        }
        let there = map.read_sync(&7, |_, v| *v);
        assert_eq!(there, Some(if mine.is_ok() { 2 } else { 1 }));
    });
    assert_eq!(count, 2);
}

/// One after the other, or both look first: then they insert in two orders.
#[test]
fn a_look_and_an_insertion_are_two_steps() {
    let seen = seen(both(&[], |map, me| {
        if !map.contains_sync(&7) {
            map.insert_sync(7, me).expect("nobody was faster");
        }
    }));
    // Whoever is second in the last two panics: one in a thread that is joined.
    assert_eq!((seen.because, seen.deadlocks), (None, 0));
    assert_eq!(seen.outcomes, 4);
    assert_eq!(seen.failures.values().sum::<u64>(), 2);
    let count = outcomes(both(&[], |map, me| {
        if map.get_sync(&7).is_none() {
            map.upsert_sync(7, me);
        }
    }));
    assert_eq!(count, 4);
}

#[test]
fn an_entry_is_one_step() {
    let count = outcomes(both(&[], |map, me| {
        map.entry_sync(7).or_insert(me);
    }));
    assert_eq!(count, 2);
    let count = outcomes(both(&[(7, 0)], |map, me| {
        map.entry_sync(7).and_modify(|v| *v += me).or_insert(me);
    }));
    assert_eq!(count, 2);
}

/// Both read, and one of them writes what it has made of it over what the other has.
#[test]
fn an_update_of_what_was_read_before_is_lost() {
    let program = |f: fn(&Map)| {
        move || {
            let map = Arc::new(Map::new());
            map.insert_sync(7, 0).unwrap();
            let other = Arc::clone(&map);
            let thread = thread::spawn(move || f(&other));
            f(&map);
            thread.join().unwrap();
            assert_eq!(map.read_sync(&7, |_, v| *v), Some(2), "lost");
        }
    };
    let seen = seen(program(|map| {
        let v = map.read_sync(&7, |_, v| *v).unwrap();
        map.update_sync(&7, |_, old| *old = v + 1);
    }));
    // Two orders are right. If both read first, they write the same, one after the other:
    // what `update_sync` finds tells who was first.
    assert_eq!((seen.because, seen.deadlocks), (None, 0));
    assert_eq!(seen.outcomes, 4);
    assert_eq!(seen.failures.values().sum::<u64>(), 2);
    assert_eq!(
        outcomes(program(|map| {
            map.update_sync(&7, |_, v| *v += 1);
        })),
        2
    );
    assert_eq!(outcomes(program(|map| *map.get_sync(&7).unwrap() += 1)), 2);
}

/// Another gets at the key only before or after; if after, it sees what was done under
/// the guard.
#[test]
fn a_guard_keeps_others_from_its_key() {
    let program = |key: u32| {
        move || {
            let map: Arc<Map> = Arc::new([(7, 0), (8, 0)].into_iter().collect());
            let flag = Arc::new(AtomicU32::new(0));
            let (other, other_flag) = (Arc::clone(&map), Arc::clone(&flag));
            let thread = thread::spawn(move || {
                let guard = other.get_sync(&7).unwrap();
                other_flag.store(1, SeqCst);
                drop(guard);
            });
            map.upsert_sync(key, 5);
            let _ = flag.load(SeqCst);
            thread.join().unwrap();
        }
    };
    // Before, and the flag is seen or not; or after, when it is set.
    assert_eq!(outcomes(program(7)), 3);
    // Nothing has to do with another key.
    assert_eq!(outcomes(program(8)), 2);
}

/// What is read is read with others: it is looked at again under the lock.
#[test]
fn who_reads_keeps_nobody_else_from_reading() {
    let count = outcomes(both(&[(7, 0)], |map, _| {
        map.read_sync(&7, |_, v| {
            assert_eq!(*v, 0);
            assert!(map.contains_sync(&7));
            assert_eq!(map.read_sync(&7, |_, v| *v), Some(0));
        });
    }));
    assert_eq!(count, 1);
}

#[test]
fn who_has_an_entry_and_asks_for_it_waits_for_ever() {
    let programs: [fn(&Map); 5] = [
        |map| {
            let _entry = map.get_sync(&7).unwrap();
            let _ = map.insert_sync(7, 1);
        },
        |map| {
            let _entry = map.entry_sync(9);
            map.contains_sync(&9);
        },
        |map| {
            map.read_sync(&7, |_, v| map.upsert_sync(7, v + 1));
        },
        |map| {
            map.iter_sync(|k, _| map.remove_sync(k).is_some());
        },
        |map| {
            // Also if the entry is gone, its bucket is still locked.
            map.iter_mut_sync(|entry| {
                let (k, _) = entry.consume();
                map.contains_sync(&k)
            });
        },
    ];
    for program in programs {
        let seen = seen(move || {
            let map = Map::new();
            map.insert_sync(7, 0).unwrap();
            program(&map);
        });
        assert_eq!((seen.outcomes, seen.deadlocks), (1, 1));
        assert_eq!(seen.because, None);
    }
}

#[test]
fn two_keys_in_two_orders_wait_for_each_other() {
    let seen = seen(both(&[(1, 0), (2, 0)], |map, me| {
        let _mine = map.get_sync(&me).unwrap();
        let _theirs = map.get_sync(&(3 - me)).unwrap();
    }));
    // Who of them is first when both finish, nobody can tell.
    assert_eq!((seen.outcomes, seen.deadlocks), (2, 1));
    assert_eq!(seen.because, None);
}

#[test]
fn an_attempt_may_find_a_key_locked() {
    let count = outcomes(|| {
        let map = Arc::new(Map::new());
        let other = Arc::clone(&map);
        let thread = thread::spawn(move || {
            other.entry_sync(7).insert_entry(1);
        });
        match map.try_entry(7) {
            Some(Entry::Occupied(entry)) => assert_eq!(*entry, 1),
            Some(Entry::Vacant(_)) | None => {}
        }
        thread.join().unwrap();
    });
    assert_eq!(count, 3);
}

/// To count does not wait: what is inserted is there before its guard goes.
#[test]
fn a_size_is_seen_through_guards() {
    let count = outcomes(|| {
        let map = Arc::new(Map::new());
        let other = Arc::clone(&map);
        let thread = thread::spawn(move || {
            let entry = other.entry_sync(7);
            assert_eq!(other.len(), 0);
            let entry = entry.insert_entry(1);
            assert_eq!((other.len(), other.is_empty()), (1, false));
            let _ = entry.remove();
            assert_eq!(other.len(), 0);
        });
        assert!(map.len() <= 1);
        thread.join().unwrap();
        map.insert_sync(1, 1).unwrap();
        map.iter_mut_sync(|entry| {
            let (k, v) = entry.consume();
            assert!(k == v && map.is_empty());
            true
        });
    });
    assert_eq!(count, 2);
}

#[test]
fn an_iteration_goes_from_key_to_key() {
    let program = |key: u32| {
        move || {
            let map: Arc<Map> = Arc::new([(3, 0), (5, 0)].into_iter().collect());
            let other = Arc::clone(&map);
            let thread = thread::spawn(move || {
                other.upsert_sync(key, 1);
                other.remove_sync(&3);
            });
            let mut keys = Vec::new();
            assert!(map.iter_sync(|k, _| {
                keys.push(*k);
                true
            }));
            assert!(keys.contains(&5));
            thread.join().unwrap();
        }
    };
    // 3 5, 3 5 7, 5 7.
    assert_eq!(outcomes(program(7)), 3);
    // 3 5, 1 3 5, 1 5.
    assert_eq!(outcomes(program(1)), 3);
}

#[test]
fn all_entries_can_be_changed_and_removed() {
    let count = outcomes(|| {
        let map: Map = (0..70).map(|n| (n, n)).collect();
        assert!(map.iter_mut_sync(|mut entry| {
            *entry += 1;
            true
        }));
        map.retain_sync(|k, v| {
            assert_eq!(*v, *k + 1);
            k % 2 == 0
        });
        assert_eq!(map.len(), 35);
        assert!(!map.iter_sync(|k, _| *k < 10));
        let found = map.any_sync(|k, _| *k > 10).unwrap();
        assert_eq!((*found.key(), *found), (12, 13));
        let ((k, _), next) = found.remove_and_sync();
        let next = next.and_then(|next| next.next_sync()).unwrap();
        assert_eq!((k, *next.key()), (12, 16));
        drop(next);
        let copy = map.clone();
        assert!(copy == map && format!("{copy:?}") == format!("{map:?}"));
        map.clear_sync();
        assert!(map.is_empty() && copy != map && map.begin_sync().is_none());
        assert_eq!(copy.len(), 34);
    });
    assert_eq!(count, 1);
}

#[test]
fn an_entry_is_removed_if_somebody_says_so() {
    let count = outcomes(both(&[(7, 2)], |map, me| {
        map.remove_if_sync(&7, |v| *v == me);
    }));
    // The one whose number it is removes it; the other finds it, or finds nothing.
    assert_eq!(count, 2);
}

#[test]
fn a_key_is_replaced_by_one_that_is_equal() {
    let count = outcomes(|| {
        let map = Map::new();
        match map.replace_sync(7) {
            ReplaceResult::NotReplaced(entry) => drop(entry.insert_entry(1)),
            ReplaceResult::Replaced(..) => panic!("there is nothing yet"),
        }
        match map.replace_sync(7) {
            ReplaceResult::Replaced(entry, key) => assert_eq!((*entry, key), (1, 7)),
            ReplaceResult::NotReplaced(_) => panic!("there is something"),
        }
    });
    assert_eq!(count, 1);
}

/// What is left half changed is left.
#[test]
fn a_panic_leaves_what_it_has_changed() {
    let count = outcomes(|| {
        let map: Arc<Map> = Arc::new([(7, 0)].into_iter().collect());
        let other = Arc::clone(&map);
        let thread = thread::spawn(move || {
            other.update_sync(&7, |_, v| {
                *v = 1;
                panic!("in the middle");
            })
        });
        assert!(thread.join().is_err());
        assert_eq!(map.read_sync(&7, |_, v| *v), Some(1));
    });
    assert_eq!(count, 1);
}

/// What is not known is told apart by who left it there.
#[test]
fn values_without_pictures_have_versions() {
    let count = outcomes(|| {
        let map: Arc<HashMap<u32, Vec<u32>>> = Arc::default();
        map.insert_sync(7, vec![]).unwrap();
        let other = Arc::clone(&map);
        let thread = thread::spawn(move || other.get_sync(&7).unwrap().push(1));
        map.entry_sync(7).or_default().push(2);
        let looked = map.read_sync(&7, |_, v| v.len()).unwrap();
        thread.join().unwrap();
        assert!(looked == 1 || looked == 2);
        assert_eq!(map.read_sync(&7, |_, v| v.len()), Some(2));
    });
    assert_eq!(count, 3);
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Pair(u8, &'static str);

#[test]
fn keys_without_pictures_are_told_apart() {
    let program = |first: u8| {
        move || {
            let map = Arc::new(HashMap::new());
            let other = Arc::clone(&map);
            let thread = thread::spawn(move || other.upsert_sync(Pair(first, "a"), 1));
            map.upsert_sync(Pair(2, "a"), 2);
            thread.join().unwrap();
        }
    };
    assert_eq!(outcomes(program(1)), 1);
    assert_eq!(outcomes(program(2)), 2);
}

#[test]
fn strings_are_looked_up_by_slices() {
    let count = outcomes(|| {
        let map: Arc<HashMap<String, u32>> = Arc::default();
        let other = Arc::clone(&map);
        let thread = thread::spawn(move || other.insert_sync("a".to_owned(), 1));
        let _ = map.contains_sync("a");
        thread.join().unwrap().unwrap();
        assert_eq!(map.read_sync("a", |_, v| *v), Some(1));
    });
    assert_eq!(count, 2);
}

#[test]
fn elements_of_a_set_are_for_themselves() {
    let program = |mine: u32| {
        move || {
            let set = Arc::new(HashSet::new());
            let other = Arc::clone(&set);
            let thread = thread::spawn(move || other.insert_sync(1));
            let inserted = set.insert_sync(mine);
            let theirs = thread.join().unwrap();
            assert!(inserted.is_ok() || theirs.is_ok() && mine == 1);
            assert!(set.contains_sync(&1) && set.read_sync(&mine, |_| ()).is_some());
            assert_eq!(set.len(), if mine == 1 { 1 } else { 2 });
            assert_eq!(set.replace_sync(1), Some(1));
            assert!(set == set.clone());
            assert_eq!(set.begin_sync().map(|first| first.remove_entry()), Some(1));
            assert_eq!(set.remove_if_sync(&1, || true), None);
            set.retain_sync(|_| false);
            assert!(set.is_empty());
        }
    };
    assert_eq!(outcomes(program(2)), 1);
    assert_eq!(outcomes(program(1)), 2);
}

/// The second of them finds the element gone.
#[test]
fn one_of_two_removes_an_element() {
    let count = outcomes(|| {
        let set: Arc<HashSet<u32>> = Arc::new([7, 8].into_iter().collect());
        let other = Arc::clone(&set);
        let thread = thread::spawn(move || other.remove_sync(&7));
        let mut mine = None;
        set.iter_mut_sync(|entry| match *entry {
            7 => {
                mine = Some(entry.consume());
                true
            }
            _ => true,
        });
        let theirs = thread.join().unwrap();
        assert_eq!(mine.or(theirs), Some(7));
        assert!(mine.is_none() || theirs.is_none());
    });
    assert_eq!(count, 2);
}

#[test]
fn what_is_awaited_is_waited_for() {
    let program = |f: fn(u32) -> bool| {
        move || {
            let map: Arc<Map> = Arc::new([(7, 0)].into_iter().collect());
            let add = |map: Arc<Map>, atomically: bool| async move {
                match atomically {
                    true => *map.get_async(&7).await.unwrap() += 1,
                    false => {
                        let v = map.read_async(&7, |_, v| *v).await.unwrap();
                        map.upsert_async(7, v + 1).await;
                    }
                }
            };
            let task = spawn(add(Arc::clone(&map), f(1)));
            block_on(add(Arc::clone(&map), f(2)));
            block_on(task);
            assert_eq!(map.read_sync(&7, |_, v| *v), Some(2), "lost");
        }
    };
    let right = seen(program(|_| true));
    assert_eq!((right.because, right.deadlocks), (None, 0));
    assert!(right.failures.is_empty());
    let wrong = seen(program(|me| me == 1));
    assert_eq!((wrong.because, wrong.deadlocks), (None, 0));
    assert_eq!(wrong.failures.len(), 1);
}

#[test]
fn everything_can_be_awaited() {
    let count = outcomes(|| {
        block_on(async {
            let map = Map::new();
            assert_eq!(map.insert_async(1, 1).await, Ok(()));
            assert_eq!(map.insert_async(1, 2).await, Err((1, 2)));
            assert_eq!(map.entry_async(2).await.or_insert(2).get(), &2);
            assert_eq!(map.update_async(&2, |_, v| *v += 1).await, Some(()));
            assert!(map.contains_async(&2).await && !map.contains_async(&3).await);
            assert_eq!(map.remove_if_async(&2, |v| *v == 2).await, None);
            let first = map.begin_async().await.unwrap();
            let second = first.next_async().await.unwrap();
            let (removed, none) = second.remove_and_async().await;
            assert!(removed == (2, 3) && none.is_none());
            map.iter_mut_async(|mut entry| {
                *entry += 1;
                true
            })
            .await;
            map.retain_async(|_, v| *v == 2).await;
            assert_eq!(map.remove_async(&1).await, Some((1, 2)));
            map.clear_async().await;
            let set = HashSet::new();
            assert_eq!(set.insert_async(1).await, Ok(()));
            assert_eq!(set.insert_async(1).await, Err(1));
            assert_eq!(set.replace_async(1).await, Some(1));
            assert!(set.contains_async(&1).await);
            assert_eq!(set.any_async(|k| *k == 1).await.map(|k| *k), Some(1));
            assert_eq!(set.remove_async(&1).await, Some(1));
            set.clear_async().await;
            assert!(map.is_empty() && set.is_empty());
        });
    });
    assert_eq!(count, 1);
}

/// So many insertions and one look: what `len` says is all that can be told.
#[test]
fn a_size_is_seen_among_insertions() {
    let count = outcomes(|| {
        let set = Arc::new(HashSet::new());
        let threads: Vec<_> = { 0..3 }
            .map(|n| {
                let set = Arc::clone(&set);
                thread::spawn(move || set.insert_sync(n))
            })
            .collect();
        let _ = set.len();
        for thread in threads {
            thread.join().unwrap().unwrap();
        }
    });
    assert_eq!(count, 4);
}

/// A loop that waits for a key.
#[test]
fn a_key_can_be_waited_for() {
    let count = outcomes(|| {
        let map = Arc::new(Map::new());
        let other = Arc::clone(&map);
        let thread = thread::spawn(move || other.insert_sync(7, 1));
        while !map.contains_sync(&7) {
            thread::yield_now();
        }
        assert_eq!(map.read_sync(&7, |_, v| *v), Some(1));
        thread.join().unwrap().unwrap();
    });
    assert_eq!(count, 1);
}

type Built = std::hash::BuildHasherDefault<std::hash::DefaultHasher>;

#[track_caller]
fn cannot_be_explored(why: &str, body: impl Fn() + 'static) {
    let because = seen(body).because.expect("it is not explored");
    assert!(because.contains(why), "{because}");
}

#[test]
fn what_is_not_seen_is_said() {
    cannot_be_explored("`reserve`", || {
        let map = Map::new();
        let _ = map.reserve(7);
    });
    cannot_be_explored("capacity", || {
        let set: HashSet<u32> = HashSet::new();
        let _ = set.capacity();
    });
    let map: Map = [(7, 0)].into_iter().collect();
    cannot_be_explored("filled before the test", move || {
        let _ = map.contains_sync(&7);
    });
    // It is there in the next run, too.
    static KEPT: HashMap<u32, u32, Built> = HashMap::with_hasher(Built::new());
    cannot_be_explored("carried over", || {
        let thread = thread::spawn(|| KEPT.insert_sync(7, 0));
        let _ = KEPT.insert_sync(7, 0);
        let _ = thread.join();
    });
}

/// Keys that are equal although they do not look the same.
#[test]
fn keys_have_to_look_as_they_are() {
    #[derive(PartialEq, Eq)]
    struct Word(&'static str);
    impl std::hash::Hash for Word {
        fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
            self.0.len().hash(state);
        }
    }
    cannot_be_explored("have the same", || {
        let map = HashMap::new();
        let _ = map.insert_sync(Word("a"), 1);
        let _ = map.insert_sync(Word("b"), 2);
    });
}
