//! Where a lock was taken: a release has no caller, so it is recorded there.

use std::cell::{Cell, RefCell};
use std::panic::Location;
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

pub(super) type At = &'static Location<'static>;

crate::thread_local! {
    /// Said by who calls something that does not hand its caller on.
    static SAID: Cell<Option<At>> = const { Cell::new(None) };
    /// The locks that this thread shares with others, by address.
    static SHARED: RefCell<Vec<(usize, At)>> = const { RefCell::new(Vec::new()) };
}

/// Calls `f`, in which locks are taken here.
pub(super) fn while_at<R>(at: At, f: impl FnOnce() -> R) -> R {
    struct Before(Option<At>);
    impl Drop for Before {
        fn drop(&mut self) {
            SAID.set(self.0);
        }
    }
    let _before = Before(SAID.replace(Some(at)));
    f()
}

/// Where something happens whose caller is this. What `unlocked` takes again has no
/// caller but lock_api: then it is where the lock was taken `before`.
pub(super) fn of_client(caller: At, before: impl FnOnce() -> At) -> At {
    let file = caller.file();
    match SAID.get() {
        Some(said) => said,
        None if file.ends_with("lock.rs") || file.ends_with("mutex.rs") => {
            match file.contains("/lock_api-") {
                true => before(),
                false => caller,
            }
        }
        None => caller,
    }
}

/// Where the one who holds a lock took it. Read and written only by who holds it.
#[derive(Debug)]
pub(super) struct Taken(AtomicPtr<Location<'static>>);

impl Taken {
    pub(super) const fn nowhere() -> Taken {
        Taken(AtomicPtr::new(std::ptr::null_mut()))
    }

    pub(super) fn set(&self, at: At) {
        self.0.store(std::ptr::from_ref(at).cast_mut(), Relaxed);
    }

    pub(super) fn get(&self) -> Option<At> {
        // SAFETY: null, or from a reference that lives for ever to something that
        // nobody changes.
        #[expect(unsafe_code, reason = "there is no atomic reference")]
        unsafe {
            self.0.load(Relaxed).as_ref()
        }
    }
}

/// This thread shares the lock at this address.
pub(super) fn share(address: usize, at: At) {
    let _ = SHARED.try_with(|shared| shared.borrow_mut().push((address, at)));
}

/// It shares it no longer; where it began to, `otherwise` if that is not known any
/// more. `None` if it did not share it.
pub(super) fn unshare(address: usize, otherwise: impl FnOnce() -> At) -> Option<At> {
    let place = SHARED.try_with(|shared| {
        let mut shared = shared.borrow_mut();
        let i = shared.iter().rposition(|(other, _)| *other == address)?;
        Some(shared.remove(i).1)
    });
    place.unwrap_or_else(|_| Some(otherwise()))
}
