//! `std::sync::atomic`, observable: operations are actions of the specification
//! `atomic`.
//!
//! No number can be given to an atomic operation from outside at the moment at which
//! it happens. So while operations are recorded each of them and its number are
//! under a lock of one byte, and the order recorded is the order that happened.
//! Whatever `Ordering` says, they then are sequentially consistent; what weaker
//! orderings permit beyond that does not show.
//!
//! Booleans are recorded as 0 and 1, pointers as their addresses. An operation that
//! the specification does not have (`fetch_or`, `fetch_min`, a sum that wraps) is
//! recorded as the compare-and-exchange that it amounts to.
//!
//! Missing: `from_ptr`, because there is more to such an atomic than its value. For
//! the same reason `into_inner` is no `const fn`: the object ends there.

mod boolean;
mod every;
mod integer;
mod observed;
mod pointer;

#[expect(deprecated, reason = "std's name for it")]
pub use std::sync::atomic::spin_loop_hint;
pub use std::sync::atomic::{Ordering, compiler_fence, fence};

pub use self::boolean::AtomicBool;
#[cfg(target_has_atomic = "8")]
pub use self::integer::{AtomicI8, AtomicU8};
#[cfg(target_has_atomic = "16")]
pub use self::integer::{AtomicI16, AtomicU16};
#[cfg(target_has_atomic = "32")]
pub use self::integer::{AtomicI32, AtomicU32};
#[cfg(target_has_atomic = "64")]
pub use self::integer::{AtomicI64, AtomicU64};
#[cfg(target_has_atomic = "ptr")]
pub use self::integer::{AtomicIsize, AtomicUsize};
pub use self::pointer::AtomicPtr;
