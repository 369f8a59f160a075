//! What is said of a method, to the adversary and to its rivals in the same words.

use std::fmt::Debug;

use commute::compose::Check;

use crate::arguments::Argument;

/// A method, and what other threads may do while it runs: see [`Check`].
pub(crate) trait Script<T>: Sized {
    fn method<A, R, F>(self, method: F) -> Self
    where
        A: Argument,
        R: Debug,
        F: Fn(&T, A) -> R + Send + Sync + 'static;

    fn peer<A, R, F>(self, name: &str, peer: F) -> Self
    where
        A: Argument,
        R: Debug,
        F: Fn(&T, A) -> R + Send + Sync + 'static;

    fn observe<A, R, F>(self, name: &str, observer: F) -> Self
    where
        A: Argument,
        R: Debug,
        F: Fn(&T, A) -> R + Send + Sync + 'static;

    fn also_from<A, F>(self, beginning: F) -> Self
    where
        A: Argument,
        F: Fn(&T, A) + Send + Sync + 'static;
}

impl<T: 'static> Script<T> for Check<T> {
    fn method<A, R, F>(self, method: F) -> Self
    where
        A: Argument,
        R: Debug,
        F: Fn(&T, A) -> R + Send + Sync + 'static,
    {
        Check::method(self, method)
    }

    fn peer<A, R, F>(self, name: &str, peer: F) -> Self
    where
        A: Argument,
        R: Debug,
        F: Fn(&T, A) -> R + Send + Sync + 'static,
    {
        Check::peer(self, name, peer)
    }

    fn observe<A, R, F>(self, name: &str, observer: F) -> Self
    where
        A: Argument,
        R: Debug,
        F: Fn(&T, A) -> R + Send + Sync + 'static,
    {
        Check::observe(self, name, observer)
    }

    fn also_from<A, F>(self, beginning: F) -> Self
    where
        A: Argument,
        F: Fn(&T, A) + Send + Sync + 'static,
    {
        Check::also_from(self, beginning)
    }
}
