//! Names for objects.

/// What [`name`] can name: the types of this library, references to them and `Arc`s
/// of them.
pub trait Named: sealed::Named {}

impl<T: sealed::Named + ?Sized> Named for T {}

/// Gives an object a name that reports use. Best before it is first used. In a normal
/// build this does nothing.
///
/// ```
/// use commute::sync::Mutex;
///
/// let conns = Mutex::new(vec!["a.com"]);
/// commute::name(&conns, "conns");
/// ```
#[inline]
pub fn name<T: Named + ?Sized>(object: &T, name: &str) {
    object.set_name(name);
}

mod sealed {
    use std::sync::Arc;

    /// Something with a name in reports.
    pub trait Named {
        /// Gives it one.
        fn set_name(&self, name: &str);
    }

    impl<T: Named + ?Sized> Named for &T {
        #[inline]
        fn set_name(&self, name: &str) {
            (**self).set_name(name);
        }
    }

    impl<T: Named + ?Sized> Named for Arc<T> {
        #[inline]
        fn set_name(&self, name: &str) {
            (**self).set_name(name);
        }
    }
}

/// Everything with a field `tag`.
macro_rules! named {
    ($([$($parameter:tt)*] $object:ty),* $(,)?) => {
        $(impl<$($parameter)*> sealed::Named for $object {
            #[cfg(commute)]
            fn set_name(&self, name: &str) {
                self.tag.name(name);
            }

            #[cfg(not(commute))]
            #[inline(always)]
            fn set_name(&self, _: &str) {}
        })*
    };
}

use crate::sync;

named! {
    [T: ?Sized] sync::Mutex<T>,
    [T: ?Sized] sync::RwLock<T>,
    [] sync::Condvar,
}

#[cfg(feature = "dashmap")]
named! {
    [K, V, S] crate::dashmap::DashMap<K, V, S>,
    [K, S] crate::dashmap::DashSet<K, S>,
}
