//! `std::sync::atomic`, with the types of `commute`.

pub use ::std::sync::atomic::*;

#[cfg(target_has_atomic = "ptr")]
pub use commute::sync::atomic::{AtomicBool, AtomicIsize, AtomicPtr, AtomicUsize};
#[cfg(target_has_atomic = "8")]
pub use commute::sync::atomic::{AtomicI8, AtomicU8};
#[cfg(target_has_atomic = "16")]
pub use commute::sync::atomic::{AtomicI16, AtomicU16};
#[cfg(target_has_atomic = "32")]
pub use commute::sync::atomic::{AtomicI32, AtomicU32};
#[cfg(target_has_atomic = "64")]
pub use commute::sync::atomic::{AtomicI64, AtomicU64};

/// The constants from before there were `const fn`s; old crates have them in their
/// statics.
macro_rules! initial {
    ($($bits:literal $name:ident $atomic:ident $value:literal;)*) => {
        $(
            #[cfg(target_has_atomic = $bits)]
            #[doc = concat!("As [`std::sync::atomic::", stringify!($name), "`].")]
            #[deprecated = "the `new` function is now preferred"]
            #[expect(clippy::declare_interior_mutable_const, reason = "as std's")]
            pub const $name: $atomic = $atomic::new($value);
        )*
    };
}

initial! {
    "ptr" ATOMIC_BOOL_INIT AtomicBool false;
    "ptr" ATOMIC_ISIZE_INIT AtomicIsize 0;
    "ptr" ATOMIC_USIZE_INIT AtomicUsize 0;
    "8" ATOMIC_I8_INIT AtomicI8 0;
    "8" ATOMIC_U8_INIT AtomicU8 0;
    "16" ATOMIC_I16_INIT AtomicI16 0;
    "16" ATOMIC_U16_INIT AtomicU16 0;
    "32" ATOMIC_I32_INIT AtomicI32 0;
    "32" ATOMIC_U32_INIT AtomicU32 0;
    "64" ATOMIC_I64_INIT AtomicI64 0;
    "64" ATOMIC_U64_INIT AtomicU64 0;
}
