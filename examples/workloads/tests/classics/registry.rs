//! Names that are given out once.

use commute::dashmap::{DashMap, Entry};
use commute::sync::Arc;
use commute::thread;

/// The mistake: two may see that the name is free.
fn look_and_insert(names: &DashMap<&str, u32>, name: &'static str, id: u32) -> bool {
    if names.contains_key(name) {
        return false;
    }
    names.insert(name, id);
    true
}

fn insert_if_vacant(names: &DashMap<&str, u32>, name: &'static str, id: u32) -> bool {
    match names.entry(name) {
        Entry::Occupied(_) => false,
        Entry::Vacant(place) => {
            place.insert(id);
            true
        }
    }
}

fn two_register(register: fn(&DashMap<&str, u32>, &'static str, u32) -> bool) {
    let names = Arc::new(DashMap::new());
    let other = Arc::clone(&names);
    let thread = thread::spawn(move || register(&other, "ada", 1));
    let first = register(&names, "ada", 2);
    let second = thread.join().unwrap();
    assert!(first != second, "both have the name, or none");
}

#[commute::test]
fn registry_gives_a_name_once() {
    two_register(insert_if_vacant);
}

#[commute::test(explored_only)]
fn registry_gives_a_name_twice() {
    two_register(look_and_insert);
}
