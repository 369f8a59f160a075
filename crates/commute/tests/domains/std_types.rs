//! The types of std.

use std::borrow::Cow;
use std::cmp::{Ordering, Reverse};
use std::convert::Infallible;
use std::ffi::{OsStr, OsString};
use std::marker::PhantomData;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::num::{NonZero, Saturating, Wrapping};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use commute::Domain;

use super::{check, keeps_promises};

macro_rules! all {
    ($($kind:ty: $count:expr;)*) => {
        $(
            keeps_promises::<$kind>();
            assert_eq!(<$kind>::count(), $count, stringify!($kind));
        )*
    };
}

#[test]
fn all_keep_their_promises() {
    all! {
        u8: 2; u16: 2; u32: 2; u64: 2; u128: 2; usize: 2;
        i8: 2; i16: 2; i32: 2; i64: 2; i128: 2; isize: 2;
        NonZero<u8>: 2; NonZero<u16>: 2; NonZero<u32>: 2;
        NonZero<u64>: 2; NonZero<u128>: 2; NonZero<usize>: 2;
        NonZero<i8>: 2; NonZero<i16>: 2; NonZero<i32>: 2;
        NonZero<i64>: 2; NonZero<i128>: 2; NonZero<isize>: 2;
        (): 1; bool: 2; Ordering: 3; char: 2; f32: 2; f64: 2; Infallible: 0;
        &'static str: 2; String: 2; Cow<'static, str>: 2;
        Box<str>: 2; Rc<str>: 2; Arc<str>: 2;
        OsString: 2; &'static OsStr: 2; PathBuf: 2; &'static Path: 2;
        Duration: 2; SystemTime: 2;
        Ipv4Addr: 2; Ipv6Addr: 2; IpAddr: 2;
        SocketAddrV4: 2; SocketAddrV6: 2; SocketAddr: 2;
        PhantomData<str>: 1;
        Box<u8>: 2; Rc<u8>: 2; Arc<u8>: 2;
        Reverse<u8>: 2; Wrapping<u8>: 2; Saturating<u8>: 2;
        Option<u8>: 3; Option<Option<bool>>: 4; Result<u8, bool>: 4;
        Vec<u8>: 7; Box<[u8]>: 7; Rc<[u8]>: 7; Arc<[u8]>: 7; Vec<Vec<u8>>: 57; Vec<()>: 3;
        [u8; 0]: 1; [u8; 1]: 2; [u8; 3]: 8; [Option<u8>; 3]: 27; [(); 9]: 1;
        (u8,): 2; (u8, bool): 4; (u8, u8, Option<u8>): 12; (u8, u8, u8, u8): 16;
        (u8, u8, u8, u8, u8): 32; (u8, u8, u8, u8, u8, u8): 64;
        (u8, u8, u8, u8, u8, u8, u8): 128;
        (u8, u8, u8, u8, u8, u8, u8, ()): 128;
        (u8, u8, u8, u8, u8, u8, u8, (), ()): 128;
        (u8, u8, u8, u8, u8, u8, u8, (), (), ()): 128;
        (u8, u8, u8, u8, u8, u8, u8, (), (), (), ()): 128;
        (u8, u8, u8, u8, u8, u8, u8, (), (), (), (), ()): 128;
    }
}

#[test]
fn numbers_are_not_zero() {
    check::<i64>([1, 2]);
    check::<f64>([1.0, 2.0]);
    check([NonZero::new(1_i8).unwrap(), NonZero::new(2).unwrap()]);
}

#[test]
fn the_last_part_turns_fastest() {
    check([(false, 'a'), (false, 'b'), (true, 'a'), (true, 'b')]);
    check([[1_u8, 1], [1, 2], [2, 1], [2, 2]]);
    check([Ok(false), Ok(true), Err('a'), Err('b')]);
}

#[test]
fn lists_come_in_both_orders() {
    let lists: [&[u8]; 7] = [&[], &[1], &[2], &[1, 1], &[1, 2], &[2, 1], &[2, 2]];
    check(lists.map(Vec::from));
}

#[test]
fn what_needs_a_part_without_values_has_none() {
    check::<(u8, Infallible)>([]);
    check::<(Infallible, u8)>([]);
    check::<[Infallible; 2]>([]);
    check::<[Infallible; 0]>([[]]);
    check::<Option<Infallible>>([None]);
    check::<Result<bool, Infallible>>([Ok(false), Ok(true)]);
    check::<Vec<Infallible>>([vec![]]);
}

type Twelve<T> = (T, T, T, T, T, T, T, T, T, T, T, T);
type Huge = Twelve<Option<Twelve<Option<Twelve<Option<u8>>>>>>;

#[test]
fn the_first_of_very_many_are_there_at_once() {
    assert_eq!(Huge::count(), u128::MAX);
    assert_eq!(Huge::values().take(1000).count(), 1000);
    assert_eq!(<Vec<Huge>>::count(), u128::MAX);
    assert_eq!(<Vec<Huge>>::values().take(1000).count(), 1000);
    assert_eq!(<[Huge; 9]>::values().take(1000).count(), 1000);
    // Long, too, and not only wide.
    assert_eq!(<[u8; 5000]>::count(), u128::MAX);
    assert_eq!(<[u8; 5000]>::values().take(100).count(), 100);
}

#[test]
fn very_many_times_nothing_is_nothing_at_once() {
    assert_eq!(<(Huge, Infallible)>::count(), 0);
    assert!(<(Huge, Infallible)>::values().next().is_none());
    assert!(<(Huge, Huge, Infallible, Huge)>::values().next().is_none());
    assert!(<(Huge, [Infallible; 3])>::values().next().is_none());
}
