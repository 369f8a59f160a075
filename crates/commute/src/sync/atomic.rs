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
//! There is more to such an atomic than its value, so it is larger than std's. Memory
//! that is all zeros is an atomic, as it is for std's. But a pointer to an integer is no
//! pointer to an atomic, and must not be cast to one: `from_ptr` gives an atomic that
//! does its work there, and is not recorded. `from_ptr` and `into_inner` are no
//! `const fn`: the latter because the object ends there.

mod boolean;
mod elsewhere;
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

/// As [`std::sync::atomic::ATOMIC_BOOL_INIT`].
#[deprecated(note = "the `new` function is now preferred")]
#[expect(
    clippy::declare_interior_mutable_const,
    reason = "std's is a constant too"
)]
pub const ATOMIC_BOOL_INIT: AtomicBool = AtomicBool::new(false);

/// As [`std::sync::atomic::ATOMIC_ISIZE_INIT`].
#[cfg(target_has_atomic = "ptr")]
#[deprecated(note = "the `new` function is now preferred")]
#[expect(
    clippy::declare_interior_mutable_const,
    reason = "std's is a constant too"
)]
pub const ATOMIC_ISIZE_INIT: AtomicIsize = AtomicIsize::new(0);

/// As [`std::sync::atomic::ATOMIC_USIZE_INIT`].
#[cfg(target_has_atomic = "ptr")]
#[deprecated(note = "the `new` function is now preferred")]
#[expect(
    clippy::declare_interior_mutable_const,
    reason = "std's is a constant too"
)]
pub const ATOMIC_USIZE_INIT: AtomicUsize = AtomicUsize::new(0);
