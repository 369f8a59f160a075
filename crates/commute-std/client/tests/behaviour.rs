//! What programs do with `std` works, and is what the build says: std's own, or ours.

use std::any::type_name;
use std::sync::{Arc, Mutex};

use commute_std_client::{Point, count};

/// The tests of the library `commute`, which say `std` here and mean the stand-in.
#[path = "../../../commute/tests/of_std/mod.rs"]
mod of_std;

#[test]
fn a_program_runs() {
    let calls: Vec<usize> = (0..3)
        .map(|_| count(Arc::new(Point { x: 1 })).unwrap())
        .collect();
    assert_eq!(calls, [1, 2, 3]);
}

#[test]
fn the_types_are_those_of_the_build() {
    let name = type_name::<Mutex<u8>>();
    match cfg!(commute) {
        true => assert_eq!(name, "commute::sync::mutex::Mutex<u8>"),
        false => assert!(name.starts_with("std::sync::"), "{name}"),
    }
}
