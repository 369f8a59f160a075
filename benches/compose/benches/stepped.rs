//! Plain objects that ask before every step whether somebody else wants to do something.

use std::cell::RefCell;
use std::ops::Deref;

type Hook = Box<dyn FnMut()>;

thread_local! {
    static HOOK: RefCell<Option<Hook>> = const { RefCell::new(None) };
}

/// Is asked before every step of this thread.
pub(crate) fn before_steps(hook: impl FnMut() + 'static) {
    HOOK.set(Some(Box::new(hook)));
}

/// Nobody is asked any more.
pub(crate) fn forget() {
    HOOK.set(None);
}

/// An object of which every use is a step: whoever calls a method of it comes by here.
///
/// Whoever holds a guard while it does would wait for itself, so this is only for methods
/// that hold none between steps, as those that are wrong.
#[derive(Default)]
pub(crate) struct Stepped<T>(T);

impl<T> Deref for Stepped<T> {
    type Target = T;

    fn deref(&self) -> &T {
        // Who is asked uses such objects, too, and is not asked then.
        if let Some(mut hook) = HOOK.take() {
            hook();
            HOOK.set(Some(hook));
        }
        &self.0
    }
}
