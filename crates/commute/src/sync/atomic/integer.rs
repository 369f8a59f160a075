//! Atomic integers.

use std::fmt;
use std::panic::Location;
use std::sync::atomic::{self, Ordering};

use commute_record::Value;

use super::elsewhere::{Elsewhere, Made};
use super::every::{asked, changes, every_atomic, is_weak, never};
use super::observed::{Asked, Done, Observed, Width};
use crate::explored;

macro_rules! integers {
    ($($bits:literal $atomic:ident $int:ident;)*) => {
        $(
            #[cfg(target_has_atomic = $bits)]
            #[doc = concat!("As [`std::sync::atomic::", stringify!($atomic), "`].")]
            pub struct $atomic {
                pub(crate) observed: Observed,
                elsewhere: Elsewhere,
                inner: atomic::$atomic,
            }

            #[cfg(target_has_atomic = $bits)]
            const _: () = {
                fn picture(value: $int) -> i128 {
                    value as i128
                }

                const WIDTH: Width = Width {
                    bits: $int::BITS,
                    signed: $int::MIN != 0,
                    points: false,
                };

                fn value_of(picture: i128) -> Option<$int> {
                    Some(picture as $int)
                }

                every_atomic!(
                    [] $atomic, $int, atomic::$atomic, picture, value_of, WIDTH, $atomic
                );

                impl $atomic {
                    /// As std's. If the value wraps, which the specification leaves
                    /// to the width of the integer, it is an exchange.
                    #[track_caller]
                    #[inline]
                    pub fn fetch_add(&self, val: $int, order: Ordering) -> $int {
                        let done = |found: &$int| match found.checked_add(val) {
                            Some(_) => Done::Add(picture(val), picture(*found)),
                            None => {
                                let new = found.wrapping_add(val);
                                Done::change(picture(*found), picture(new))
                            }
                        };
                        let args = [picture(val)];
                        let asked = asked("fetch_add", &args, order);
                        let operation = |inner: &atomic::$atomic| inner.fetch_add(val, order);
                        let again = |found: &Value| found.as_int().and_then(value_of);
                        self.does(Location::caller(), asked, operation, done, again)
                    }

                    /// As std's. If the value wraps, which the specification leaves
                    /// to the width of the integer, it is an exchange.
                    #[track_caller]
                    #[inline]
                    pub fn fetch_sub(&self, val: $int, order: Ordering) -> $int {
                        let done = |found: &$int| match found.checked_sub(val) {
                            Some(_) => Done::Sub(picture(val), picture(*found)),
                            None => {
                                let new = found.wrapping_sub(val);
                                Done::change(picture(*found), picture(new))
                            }
                        };
                        let args = [picture(val)];
                        let asked = asked("fetch_sub", &args, order);
                        let operation = |inner: &atomic::$atomic| inner.fetch_sub(val, order);
                        let again = |found: &Value| found.as_int().and_then(value_of);
                        self.does(Location::caller(), asked, operation, done, again)
                    }

                    /// As std's.
                    #[track_caller]
                    #[inline]
                    pub fn fetch_max(&self, val: $int, order: Ordering) -> $int {
                        let done = |found: &$int| Done::Max(picture(val), picture(*found));
                        let args = [picture(val)];
                        let asked = asked("fetch_max", &args, order);
                        let operation = |inner: &atomic::$atomic| inner.fetch_max(val, order);
                        let again = |found: &Value| found.as_int().and_then(value_of);
                        self.does(Location::caller(), asked, operation, done, again)
                    }

                    changes! {
                        $int, $int, picture, value_of;
                        fetch_and: |found, val| found & val;
                        fetch_nand: |found, val| !(found & val);
                        fetch_or: |found, val| found | val;
                        fetch_xor: |found, val| found ^ val;
                        fetch_min: |found, val| found.min(val);
                    }
                }

                impl Default for $atomic {
                    #[track_caller]
                    fn default() -> $atomic {
                        $atomic::new(0)
                    }
                }
            };
        )*
    };
}

integers! {
    "8" AtomicI8 i8;
    "8" AtomicU8 u8;
    "16" AtomicI16 i16;
    "16" AtomicU16 u16;
    "32" AtomicI32 i32;
    "32" AtomicU32 u32;
    "64" AtomicI64 i64;
    "64" AtomicU64 u64;
    "ptr" AtomicIsize isize;
    "ptr" AtomicUsize usize;
}
