//! What is in a lock, as far as that can be said: where methods are attacked, contents
//! that are equal are one, however they came about.
//!
//! Otherwise a content is known by who left it, and by all that had come before: then
//! nothing that comes after two histories is the same.

use std::cell::Cell;
use std::collections::VecDeque;
use std::fmt::Debug;

use commute_record::{Value, value_of};

use super::contents::contents;

thread_local! {
    static IS_ON: Cell<bool> = const { Cell::new(false) };
}

/// While this is there, contents of locks are looked at, on this thread.
pub(super) struct Digesting(());

/// From now on.
pub(super) fn begin() -> Digesting {
    IS_ON.set(true);
    Digesting(())
}

impl Drop for Digesting {
    fn drop(&mut self) {
        IS_ON.set(false);
    }
}

/// Tells what a content is, by its address, while its lock is held.
pub(crate) type Digest = fn(usize) -> Option<Value>;

/// For a content of this type, if contents are looked at.
pub(crate) fn of<T: ?Sized>(content: &T) -> Option<(usize, Digest)> {
    let is_thin = size_of::<&T>() == size_of::<usize>();
    (IS_ON.get() && is_thin).then(|| {
        let digest: Digest = digest::<T>;
        (
            std::ptr::from_ref(content).cast::<()>().expose_provenance(),
            digest,
        )
    })
}

fn digest<T: ?Sized>(content: usize) -> Option<Value> {
    let content = std::ptr::with_exposed_provenance::<()>(content);
    if let Some(known) = contents(typeid::of::<T>()) {
        // SAFETY: the type was compared, and whoever asks has the lock.
        #[expect(unsafe_code, reason = "the type was compared")]
        let text = unsafe { (known.shown)(content) };
        return Some(Value::str(&text));
    }
    // SAFETY: a pointer to what has a size is nothing more; and whoever asks has the lock.
    #[expect(unsafe_code, reason = "the type was compared")]
    let content: &T = unsafe { std::mem::transmute_copy(&content) };
    let value = value_of(content).to_value();
    match value.has_opaque() {
        true => list(content),
        false => Some(value),
    }
}

/// Of usual types in usual ones. All that there is of these is shown.
fn list<T: ?Sized>(content: &T) -> Option<Value> {
    macro_rules! one_of {
        ($($part:ty),*) => {
            $(one_of!(kinds Option<$part>, Vec<$part>, VecDeque<$part>, ($part, $part));)*
        };
        (kinds $($kind:ty),*) => {
            $(if typeid::of::<T>() == typeid::of::<$kind>() {
                return Some(shown::<T, $kind>(content));
            })*
        };
    }
    one_of!(bool, u8, u16, u32, u64, usize, i32, i64, String);
    None
}

fn shown<T: ?Sized, U: Debug>(content: &T) -> Value {
    // SAFETY: `T` is `U`.
    #[expect(unsafe_code, reason = "the type was compared")]
    let content = unsafe { &*std::ptr::from_ref(content).cast::<U>() };
    Value::str(&format!("{content:?}"))
}
