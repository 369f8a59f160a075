//! Whether it is others who use a collection, and not the program.

use std::cell::Cell;

thread_local! {
    static IS_OTHERS: Cell<bool> = const { Cell::new(false) };
}

/// Until this goes, it is others who use a collection, in ways that we have chosen.
pub(super) struct Others(());

/// From now on.
pub(super) fn others() -> Others {
    IS_OTHERS.set(true);
    Others(())
}

impl Drop for Others {
    fn drop(&mut self) {
        IS_OTHERS.set(false);
    }
}

/// Whether it is others who use a collection: what is to be said of that is not said of the
/// program.
#[cfg(any(feature = "dashmap", feature = "scc"))]
pub(crate) fn is_others() -> bool {
    IS_OTHERS.get()
}
