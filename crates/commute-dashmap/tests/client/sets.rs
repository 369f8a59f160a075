//! Sets: everything that the original has.

use std::collections::hash_map::RandomState;

use super::dashmap::DashSet;
use super::dashmap::setref::multiple::RefMulti;
use super::dashmap::setref::one::Ref;

#[test]
fn they_are_made() {
    let hasher = RandomState::new();
    let sets: [DashSet<u32>; 5] = [
        DashSet::new(),
        DashSet::default(),
        DashSet::with_capacity(8),
        DashSet::with_hasher(hasher.clone()),
        DashSet::with_capacity_and_hasher(8, hasher),
    ];
    for set in sets {
        let count: usize = set.len();
        assert_eq!(count, 0);
        assert!(set.is_empty() && set.capacity() < 1 << 20);
        set.shrink_to_fit();
        assert_eq!(set.hash_usize(&1), set.hash_usize(&1));
        assert_eq!(format!("{:?}", set.clone()), "{}");
    }
}

#[test]
fn elements_come_and_go() {
    let mut set: DashSet<String> = ["a", "b", "c"].map(str::to_owned).into_iter().collect();
    assert!(set.insert("d".into()) && !set.insert("d".into()));
    assert!(set.contains("a") && !set.contains("x"));
    let found: Ref<'_, String> = set.get("a").unwrap();
    assert_eq!((found.key().as_str(), found.len()), ("a", 1));
    drop(found);
    assert_eq!(set.remove("a"), Some("a".into()));
    assert_eq!(set.remove_if("b", |key| key.is_empty()), None);
    set.retain(|key| key != "b");
    let lengths: usize = set
        .iter()
        .map(|found: RefMulti<'_, String>| found.key().len())
        .sum();
    assert_eq!(lengths, 2);
    set.extend(["e".to_owned()]);
    assert_eq!(set.clone().into_iter().count(), 3);
    set.clear();
    assert!(set.is_empty());
}
