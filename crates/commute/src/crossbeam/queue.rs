//! The queues of the crate `crossbeam-queue`, observable.
//!
//! In a normal build this is `crossbeam_queue` itself. Under `--cfg commute` what is
//! done to a `SegQueue` are actions of the specification `queue`, to an `ArrayQueue`
//! of `bounded_queue`. While they are recorded, operations on one queue come one
//! after the other: from outside it cannot be known when they happen.
//!
//! | here | recorded as |
//! |---|---|
//! | `push`, `push_mut` | `push(v)`; of an `ArrayQueue` `push(v)/true`, `/false` if it is full |
//! | `force_push` | `force_push(v)/nil`, or `/d` with what was thrown out |
//! | `pop`, `pop_mut` | `pop()/v`, `pop()/nil` |
//! | `len`, `is_empty` | `len()/n`, `is_empty()/bool` |
//! | `is_full`, `capacity`, iteration by value | nothing |

#[cfg(not(commute))]
pub use ::crossbeam_queue::*;

#[cfg(commute)]
mod array;
#[cfg(commute)]
mod seg;

#[cfg(commute)]
pub use self::{array::ArrayQueue, seg::SegQueue};

#[cfg(commute)]
use commute_record::{Method, Raw, value_of};

#[cfg(commute)]
static PUSH: Method = Method::new("push");
#[cfg(commute)]
static POP: Method = Method::new("pop");
#[cfg(commute)]
static LEN: Method = Method::new("len");
#[cfg(commute)]
static IS_EMPTY: Method = Method::new("is_empty");

/// The picture of something that may be there.
#[cfg(commute)]
fn picture<T>(value: &Option<T>) -> Raw<'_> {
    value.as_ref().map_or(Raw::Nil, value_of)
}
