//! The domains of std's types.

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

use super::product::{Lists, both};
use super::{Domain, Values};

/// These values, and no others.
macro_rules! listed {
    ($($kind:ty: $values:expr;)*) => {
        $(impl Domain for $kind {
            fn count() -> u128 {
                let values: [Self; _] = $values;
                values.len() as u128
            }

            fn values() -> Values<Self> {
                let values: [Self; _] = $values;
                Box::new(values.into_iter())
            }
        })*
    };
}

macro_rules! integers {
    ($($kind:ident)*) => {
        listed!($(
            $kind: [1, 2];
            NonZero<$kind>: [1, 2].map(|n| NonZero::<$kind>::new(n).expect("it is not zero"));
        )*);
    };
}

integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

const TEXTS: [&str; 2] = ["a", "b"];
const V4: [Ipv4Addr; 2] = [Ipv4Addr::LOCALHOST, Ipv4Addr::new(127, 0, 0, 2)];
const V6: [Ipv6Addr; 2] = [Ipv6Addr::LOCALHOST, Ipv6Addr::new(0, 0, 0, 0, 0, 0, 0, 2)];

listed! {
    (): [()];
    Infallible: [];
    bool: [false, true];
    Ordering: [Ordering::Less, Ordering::Equal, Ordering::Greater];
    char: ['a', 'b'];
    f32: [1.0, 2.0];
    f64: [1.0, 2.0];
    &'static str: TEXTS;
    String: TEXTS.map(String::from);
    Cow<'static, str>: TEXTS.map(Cow::from);
    Box<str>: TEXTS.map(Box::from);
    Rc<str>: TEXTS.map(Rc::from);
    Arc<str>: TEXTS.map(Arc::from);
    OsString: TEXTS.map(OsString::from);
    &'static OsStr: TEXTS.map(OsStr::new);
    PathBuf: TEXTS.map(PathBuf::from);
    &'static Path: TEXTS.map(Path::new);
    // So short that a program may wait for it in each of many runs.
    Duration: [1, 2].map(Duration::from_millis);
    SystemTime: [1, 2].map(|n| SystemTime::UNIX_EPOCH + Duration::from_millis(n));
    Ipv4Addr: V4;
    Ipv6Addr: V6;
    IpAddr: [IpAddr::V4(V4[0]), IpAddr::V6(V6[0])];
    SocketAddrV4: V4.map(|ip| SocketAddrV4::new(ip, 1));
    SocketAddrV6: V6.map(|ip| SocketAddrV6::new(ip, 1, 0, 0));
    SocketAddr: [SocketAddr::from((V4[0], 1)), SocketAddr::from((V6[0], 1))];
}

impl<T: ?Sized + 'static> Domain for PhantomData<T> {
    fn count() -> u128 {
        1
    }

    fn values() -> Values<Self> {
        Box::new(std::iter::once(PhantomData))
    }
}

/// As many values as what is inside.
macro_rules! wrapped {
    ($($kind:ident: $wrap:expr;)*) => {
        $(impl<T: Domain> Domain for $kind<T> {
            fn count() -> u128 {
                T::count()
            }

            fn values() -> Values<Self> {
                Box::new(T::values().map($wrap))
            }
        })*
    };
}

wrapped! {
    Box: Box::new;
    Rc: Rc::new;
    Arc: Arc::new;
    Reverse: Reverse;
    Wrapping: Wrapping;
    Saturating: Saturating;
}

impl<T: Domain> Domain for Option<T> {
    fn count() -> u128 {
        T::count().saturating_add(1)
    }

    fn values() -> Values<Self> {
        Box::new(std::iter::once(None).chain(T::values().map(Some)))
    }
}

impl<T: Domain, E: Domain> Domain for Result<T, E> {
    fn count() -> u128 {
        T::count().saturating_add(E::count())
    }

    fn values() -> Values<Self> {
        Box::new(T::values().map(Ok).chain(E::values().map(Err)))
    }
}

/// The length up to which there are all lists.
const LONGEST: usize = 2;

macro_rules! lists {
    ($($kind:ty),*) => {
        $(impl<T: Domain> Domain for $kind {
            fn count() -> u128 {
                (0..=LONGEST).map(lists_of::<T>).fold(0, u128::saturating_add)
            }

            fn values() -> Values<Self> {
                let lists = (0..=LONGEST).flat_map(Lists::<T>::of);
                Box::new(lists.map(<$kind>::from))
            }
        })*
    };
}

lists!(Vec<T>, Box<[T]>, Rc<[T]>, Arc<[T]>);

impl<T: Domain, const N: usize> Domain for [T; N] {
    fn count() -> u128 {
        lists_of::<T>(N)
    }

    fn values() -> Values<Self> {
        // They all have the length.
        Box::new(Lists::<T>::of(N).filter_map(|list| list.try_into().ok()))
    }
}

/// How many lists of one length there are.
fn lists_of<T: Domain>(length: usize) -> u128 {
    T::count().saturating_pow(u32::try_from(length).unwrap_or(u32::MAX))
}

/// A tuple is its first part and the tuple of the others.
macro_rules! tuples {
    ($last:ident) => {
        tuples!(@one $last);
    };
    ($first:ident $($other:ident)+) => {
        tuples!(@one $first $($other)+);
        tuples!($($other)+);
    };
    (@one $first:ident $($other:ident)*) => {
        impl<$first: Domain, $($other: Domain),*> Domain for ($first, $($other,)*) {
            fn count() -> u128 {
                $first::count().saturating_mul(<($($other,)*)>::count())
            }

            #[allow(non_snake_case)]
            fn values() -> Values<Self> {
                let pairs = both($first::values(), <($($other,)*)>::values);
                Box::new(pairs.map(|($first, ($($other,)*))| ($first, $($other,)*)))
            }
        }
    };
}

tuples!(A B C D E F G H I J K L);
