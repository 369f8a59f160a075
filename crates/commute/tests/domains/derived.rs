//! Derived domains.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::time::Instant;

use commute::Domain;

use super::{check, keeps_promises};

#[derive(Domain, Clone, PartialEq, Debug)]
struct Unit;

#[derive(Domain, Clone, PartialEq, Debug)]
struct Key(u64);

#[derive(Domain, Clone, PartialEq, Debug)]
struct Named {
    key: Key,
    r#type: bool,
}

#[derive(Domain, Clone, PartialEq, Debug)]
enum Job {
    Load(Key),
    Save { key: Key, sync: bool },
    Stop,
}

#[test]
fn structs_are_all_that_their_fields_make() {
    check([Unit]);
    check([Key(1), Key(2)]);
    let named = |key, r#type| Named {
        key: Key(key),
        r#type,
    };
    check([
        named(1, false),
        named(1, true),
        named(2, false),
        named(2, true),
    ]);
}

#[test]
fn enums_are_all_their_variants() {
    let save = |key, sync| Job::Save {
        key: Key(key),
        sync,
    };
    check([
        Job::Load(Key(1)),
        Job::Load(Key(2)),
        save(1, false),
        save(1, true),
        save(2, false),
        save(2, true),
        Job::Stop,
    ]);
}

#[derive(Domain, Clone, PartialEq, Debug)]
enum Never {}

#[test]
fn what_cannot_be_has_no_values() {
    check::<Never>([]);
    check::<Result<bool, Never>>([Ok(false), Ok(true)]);
}

#[derive(Domain, Clone, PartialEq, Debug)]
#[domain(values(Self::at(3), Slot(7)))]
struct Slot(usize);

impl Slot {
    fn at(index: usize) -> Slot {
        Slot(index)
    }
}

#[derive(Domain, Clone, PartialEq, Debug)]
enum Wait {
    For(#[domain(values(0, 10, 20))] u32, Slot),
    #[domain(skip)]
    #[allow(dead_code)]
    Until(Instant),
}

/// Has no domain.
#[derive(Clone, PartialEq, Debug)]
struct Foreign(u8);

#[derive(Domain, Clone, PartialEq, Debug)]
struct Around {
    #[domain(values(Foreign(9)))]
    foreign: Foreign,
    again: bool,
}

#[test]
fn values_are_given_and_variants_left_out() {
    check([Slot(3), Slot(7)]);
    let waits = [0, 10, 20].map(|time| [Wait::For(time, Slot(3)), Wait::For(time, Slot(7))]);
    check(waits.concat());
    let around = |again| Around {
        foreign: Foreign(9),
        again,
    };
    check([around(false), around(true)]);
}

/// Cannot be cloned, and need not be.
struct Metres;

#[derive(Domain, PartialEq, Debug)]
struct Length<U>(u8, PhantomData<U>);

impl<U> Clone for Length<U> {
    fn clone(&self) -> Length<U> {
        Length(self.0, PhantomData)
    }
}

#[derive(Domain, Clone, PartialEq, Debug)]
struct Pair<A, B: Copy, const N: usize>
where
    A: PartialEq,
{
    first: Option<A>,
    second: [B; N],
}

trait Store {
    type Key;
}

#[derive(Clone, PartialEq, Debug)]
struct Memory;

impl Store for Memory {
    type Key = bool;
}

#[derive(Domain, Clone, PartialEq, Debug)]
struct Read<S: Store> {
    key: S::Key,
}

#[test]
fn parameters_are_types_with_domains() {
    keeps_promises::<Pair<Key, bool, 3>>();
    assert_eq!(Pair::<Key, bool, 3>::count(), 3 * 8);
    check([Read::<Memory> { key: false }, Read { key: true }]);
    assert_eq!(Length::<Metres>::count(), 2);
}

#[derive(Domain, Clone, PartialEq, Debug)]
struct Borrowed<'a, T> {
    name: &'a str,
    other: Cow<'a, str>,
    more: T,
}

#[test]
fn what_is_borrowed_is_borrowed_for_ever() {
    keeps_promises::<Borrowed<'static, bool>>();
    assert_eq!(Borrowed::<bool>::count(), 8);
}

/// More fields than tuples may have parts.
#[derive(Domain, Clone)]
#[rustfmt::skip]
struct Wide {
    _a: [u8; 9], _b: [u8; 9], _c: [u8; 9], _d: [u8; 9], _e: [u8; 9], _f: [u8; 9],
    _g: [u8; 9], _h: [u8; 9], _i: [u8; 9], _j: [u8; 9], _k: [u8; 9], _l: [u8; 9],
    _m: [u8; 9], _n: [u8; 9], _o: [u8; 9], _p: [u8; 9], _q: [u8; 9], _r: [u8; 9],
}

#[test]
fn the_first_of_very_many_are_there_at_once() {
    assert_eq!(Wide::count(), u128::MAX);
    assert_eq!(Wide::values().take(1000).count(), 1000);
}

/// In the scope of the derived code there may be anything.
mod crowded {
    #![allow(dead_code)]

    struct Box;
    struct Option;
    struct Iterator;
    struct Domain;
    mod std {}
    mod core {}
    mod commute {}

    #[derive(::commute::compose::Domain, Clone, PartialEq, Debug)]
    pub(super) enum Item {
        Some(u8),
        None,
    }
}

#[test]
fn names_around_do_not_matter() {
    use crowded::Item;
    check([Item::Some(1), Item::Some(2), Item::None]);
}
