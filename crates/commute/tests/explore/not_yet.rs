//! Types that are not explored: a test that uses one is never said to have passed.

use crate::seen::seen;

#[track_caller]
fn is_not_explored(name: &str, body: impl Fn() + 'static) {
    let because = seen(body).because.expect("it is not explored");
    assert!(because.contains(name), "{because}");
    assert!(because.contains("not explored yet"), "{because}");
}

#[cfg(feature = "scc")]
#[test]
fn maps_of_scc() {
    use commute::scc::{HashMap, HashSet};
    is_not_explored("scc", || {
        let map: HashMap<u8, u8> = HashMap::new();
        map.insert_sync(1, 2).unwrap();
    });
    is_not_explored("scc", || {
        let map: HashMap<u8, u8> = HashMap::new();
        assert!(!map.contains_sync(&1));
    });
    is_not_explored("scc", || {
        let set: HashSet<u8> = HashSet::new();
        set.insert_sync(1).unwrap();
    });
}
