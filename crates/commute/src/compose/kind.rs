//! What can be done to a collection of which only a pointer is known.

use std::any::TypeId;

use super::made::{self, Sample};
use super::table::{Deed, Table};

/// What a collection is.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    /// The types of its keys and values, and what they are called.
    pub(super) types: [(TypeId, &'static str); 2],
    pub(super) is_set: bool,
    pub(super) act: Act,
}

/// How something is done to a collection, to which there is a pointer; what comes of it.
#[derive(Clone, Copy)]
pub(super) enum Act {
    Table(unsafe fn(*const (), &Deed<Sample, Sample>, bool) -> String),
    /// To what is in a lock.
    Content(Lock, unsafe fn(*mut (), &Deed<Sample, Sample>) -> String),
}

/// Locks something, maybe to change it.
pub(crate) type Lock = unsafe fn(*const (), bool, &mut dyn FnMut(*mut ()));

impl Kind {
    /// # Safety
    ///
    /// The pointer is to a collection of this kind that lives and is shared.
    #[expect(unsafe_code, reason = "the type is known to the caller")]
    pub(super) unsafe fn act(&self, on: *const (), deed: &Deed<Sample, Sample>) -> String {
        // SAFETY: as the caller says.
        unsafe {
            match self.act {
                Act::Table(act) => act(on, deed, self.is_set),
                Act::Content(lock, act) => {
                    let mut came = String::new();
                    lock(on, !deed.looks(), &mut |content| came = act(content, deed));
                    came
                }
            }
        }
    }
}

/// # Safety
///
/// The pointer is to a `C` that lives and is shared.
#[expect(unsafe_code, reason = "the type is known to the caller")]
pub(super) unsafe fn act<C: Table<K, V>, K, V>(
    table: *const (),
    deed: &Deed<Sample, Sample>,
    is_set: bool,
) -> String {
    // SAFETY: as the caller says.
    made::act::<K, V>(unsafe { &*table.cast::<C>() }, deed, is_set)
}
