//! What all atomics can do.

use std::sync::atomic::Ordering;

use commute_record::Value;

use super::observed::Asked;

/// An operation that is to be done.
pub(super) fn asked<'a>(method: &'static str, args: &'a [i128], order: Ordering) -> Asked<'a> {
    Asked {
        method,
        args,
        weak: is_weak(order),
    }
}

/// Whether it permits more than is explored.
pub(super) fn is_weak(order: Ordering) -> bool {
    order != Ordering::SeqCst
}

/// Of an operation that may change something: it has to be done.
pub(super) fn never<R>(_: &Value) -> Option<R> {
    None
}

/// Implements `$atomic`, which holds `$value`s and has `$std` inside; `$picture` is
/// what is recorded of a value, `$value_of` the value of such a picture and `$width` what
/// there is room for. `$alike` is `$atomic` itself, or one without
/// parameters that is laid out alike.
macro_rules! every_atomic {
    ([$($parameter:ident)?] $atomic:ty, $value:ty, $std:ty, $picture:expr, $value_of:expr,
     $width:expr, $alike:ty) => {
        impl $(<$parameter>)? $atomic {
            /// As std's.
            #[track_caller]
            #[inline]
            #[must_use]
            pub const fn new(v: $value) -> Self {
                Self {
                    observed: Observed::new(),
                    elsewhere: Elsewhere::NO,
                    inner: <$std>::new(v),
                }
            }

            /// As std's, but no `const fn`. What is done to it is not recorded.
            ///
            /// # Safety
            ///
            /// As std's: `ptr` is aligned, and valid for reads and writes as long as
            /// the reference lives, and meanwhile what others do there is atomic.
            #[expect(unsafe_code, reason = "std's is unsafe too")]
            pub unsafe fn from_ptr<'a>(ptr: *mut $value) -> &'a Self {
                static MADE: Made<$alike> = Made::new();
                let place = Elsewhere::at(ptr);
                let made = MADE.get(place, || {
                    let mut atomic = <$alike>::default();
                    atomic.elsewhere = place;
                    atomic
                });
                // SAFETY: it lives for ever, and is of this type or laid out alike.
                unsafe { &*std::ptr::from_ref(made).cast() }
            }

            /// As std's.
            #[inline]
            pub fn get_mut(&mut self) -> &mut $value {
                explored::forget(&self.observed.tag);
                self.inner.get_mut()
            }

            /// As std's, but no `const fn`.
            #[inline]
            pub fn into_inner(self) -> $value {
                self.inner.into_inner()
            }

            /// As std's. What is done with the pointer is not observed.
            #[inline]
            pub const fn as_ptr(&self) -> *mut $value {
                match self.elsewhere.pointer() {
                    Some(pointer) => pointer,
                    None => self.inner.as_ptr(),
                }
            }

            /// The value at a pointer that was given to `from_ptr`.
            #[inline]
            #[expect(unsafe_code, reason = "`from_ptr` asks for a promise")]
            fn there(&self) -> Option<&$std> {
                let pointer = self.elsewhere.pointer()?;
                // SAFETY: whoever called `from_ptr` has promised that there is such
                // an atomic at this address as long as this reference lives.
                Some(unsafe { <$std>::from_ptr(pointer) })
            }

            #[inline]
            fn does<R>(
                &self,
                at: &'static Location<'static>,
                asked: Asked<'_>,
                operation: impl FnOnce(&$std) -> R,
                done: impl Fn(&R) -> Done,
                again: impl FnOnce(&Value) -> Option<R>,
            ) -> R {
                if let Some(there) = self.there() {
                    explored::unseen("an atomic made by `from_ptr`");
                    return operation(there);
                }
                if explored::is_on(&self.observed.tag) {
                    let first = || {
                        let found = $picture(self.inner.load(Ordering::SeqCst));
                        self.observed.first($width, found).all_of(self)
                    };
                    let operation = || operation(&self.inner);
                    let asked = (asked, $width);
                    return self.observed.explored(at, asked, &first, operation, done, again);
                }
                self.observed.does(at, || operation(&self.inner), done)
            }

            /// As std's.
            #[track_caller]
            #[inline]
            pub fn load(&self, order: Ordering) -> $value {
                let done = |found: &$value| Done::Load($picture(*found));
                let asked = asked("load", &[], order);
                let again = |found: &Value| found.as_int().and_then($value_of);
                self.does(Location::caller(), asked, |inner| inner.load(order), done, again)
            }

            /// As std's.
            #[track_caller]
            #[inline]
            pub fn store(&self, val: $value, order: Ordering) {
                let done = |(): &()| Done::Store($picture(val));
                let args = [$picture(val)];
                let asked = asked("store", &args, order);
                let store = |inner: &$std| inner.store(val, order);
                self.does(Location::caller(), asked, store, done, never)
            }

            /// As std's.
            #[track_caller]
            #[inline]
            pub fn swap(&self, val: $value, order: Ordering) -> $value {
                let done = |found: &$value| Done::Swap($picture(val), $picture(*found));
                let args = [$picture(val)];
                let asked = asked("swap", &args, order);
                let again = |found: &Value| found.as_int().and_then($value_of);
                self.does(Location::caller(), asked, |inner| inner.swap(val, order), done, again)
            }

            /// As std's.
            #[track_caller]
            #[deprecated(note = "Use `compare_exchange` or `compare_exchange_weak` instead")]
            pub fn compare_and_swap(
                &self,
                current: $value,
                new: $value,
                order: Ordering,
            ) -> $value {
                let failure = match order {
                    Ordering::AcqRel => Ordering::Acquire,
                    Ordering::Release => Ordering::Relaxed,
                    order => order,
                };
                let result = self.compare_exchange(current, new, order, failure);
                result.unwrap_or_else(|found| found)
            }

            /// As std's.
            #[track_caller]
            #[inline]
            pub fn compare_exchange(
                &self,
                current: $value,
                new: $value,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$value, $value> {
                let exchange =
                    |inner: &$std| inner.compare_exchange(current, new, success, failure);
                let done = |result: &Result<$value, $value>| {
                    let (Ok(found) | Err(found)) = result;
                    let values = [$picture(current), $picture(new)];
                    Done::Exchange(values, (result.is_ok(), $picture(*found)))
                };
                let args = [$picture(current), $picture(new)];
                let asked = Asked {
                    weak: is_weak(success),
                    ..asked("compare_exchange", &args, success)
                };
                let again = |result: &Value| match result {
                    Value::Tuple(parts) => {
                        let found = parts.last()?.as_int().and_then($value_of)?;
                        Some(Err(found))
                    }
                    _ => None,
                };
                self.does(Location::caller(), asked, exchange, done, again)
            }

            /// As std's, and never fails for no reason: a failure that nothing explains
            /// is none of the specification.
            #[track_caller]
            #[inline]
            pub fn compare_exchange_weak(
                &self,
                current: $value,
                new: $value,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$value, $value> {
                self.compare_exchange(current, new, success, failure)
            }

            /// As std's: a load, and attempts to exchange until one succeeds.
            #[track_caller]
            #[inline]
            pub fn fetch_update<F>(
                &self,
                set_order: Ordering,
                fetch_order: Ordering,
                f: F,
            ) -> Result<$value, $value>
            where
                F: FnMut($value) -> Option<$value>,
            {
                self.try_update(set_order, fetch_order, f)
            }

            /// As std's: a load, and attempts to exchange until one succeeds.
            #[track_caller]
            #[inline]
            pub fn try_update(
                &self,
                set_order: Ordering,
                fetch_order: Ordering,
                mut f: impl FnMut($value) -> Option<$value>,
            ) -> Result<$value, $value> {
                let mut found = self.load(fetch_order);
                while let Some(next) = f(found) {
                    match self.compare_exchange_weak(found, next, set_order, fetch_order) {
                        Ok(found) => return Ok(found),
                        Err(other) => found = other,
                    }
                }
                Err(found)
            }

            /// As std's: a load, and attempts to exchange until one succeeds.
            #[track_caller]
            #[inline]
            pub fn update(
                &self,
                set_order: Ordering,
                fetch_order: Ordering,
                mut f: impl FnMut($value) -> $value,
            ) -> $value {
                let result = self.try_update(set_order, fetch_order, |found| Some(f(found)));
                result.unwrap_or_else(|found| found)
            }
        }

        impl $(<$parameter>)? From<$value> for $atomic {
            #[track_caller]
            #[inline]
            fn from(v: $value) -> Self {
                Self::new(v)
            }
        }

        /// Shows the value, without an event.
        impl $(<$parameter>)? fmt::Debug for $atomic {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(self.there().unwrap_or(&self.inner), f)
            }
        }
    };
}

/// Operations that change what they find by `$change`, a function of that and of the
/// argument, which the specification does not have.
macro_rules! changes {
    ($value:ty, $argument:ty, $picture:expr, $value_of:expr;
     $($operation:ident: $change:expr;)*) => {
        $(
            /// As std's, recorded as the exchange that it amounts to.
            #[track_caller]
            #[inline]
            pub fn $operation(&self, val: $argument, order: Ordering) -> $value {
                let done = |found: &$value| {
                    let change: fn($value, $argument) -> $value = $change;
                    Done::change($picture(*found), $picture(change(*found, val)))
                };
                let args = [val as i128];
                let asked = asked(stringify!($operation), &args, order);
                let again = |found: &Value| found.as_int().and_then($value_of);
                self.does(
                    Location::caller(),
                    asked,
                    |inner| inner.$operation(val, order),
                    done,
                    again,
                )
            }
        )*
    };
}

pub(super) use {changes, every_atomic};
