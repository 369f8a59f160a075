//! What the samples use of rayon, by its names.
pub mod iter {
    pub trait ParallelIterator: Sized {
        type Item;
        fn for_each<F: Fn(Self::Item) + Sync>(self, f: F) {
            drop(f);
        }
        fn map<F: Fn(Self::Item) -> R + Sync, R>(self, f: F) -> Map<Self, F> {
            Map(self, f)
        }
        fn sum<S>(self) -> S {
            panic!("only declared")
        }
        fn max(self) -> Option<Self::Item> {
            None
        }
    }
    pub struct Map<I, F>(I, F);
    impl<I: ParallelIterator, R, F: Fn(I::Item) -> R> ParallelIterator for Map<I, F> {
        type Item = R;
    }
    pub trait IntoParallelRefIterator<'a> {
        type Iter;
        fn par_iter(&'a self) -> Self::Iter;
    }
    impl<'a, T: 'a> IntoParallelRefIterator<'a> for [T] {
        type Iter = crate::slice::Iter<'a, T>;
        fn par_iter(&'a self) -> Self::Iter {
            crate::slice::Iter(self)
        }
    }
}
pub mod slice {
    pub struct Iter<'a, T>(pub(crate) &'a [T]);
    impl<'a, T> crate::iter::ParallelIterator for Iter<'a, T> {
        type Item = &'a T;
    }
}
pub mod prelude {
    pub use crate::iter::{IntoParallelRefIterator, ParallelIterator};
}
pub struct Scope<'s>(std::marker::PhantomData<&'s ()>);
impl<'s> Scope<'s> {
    pub fn spawn<F: FnOnce(&Scope<'s>) + Send + 's>(&self, f: F) {
        f(self);
    }
}
pub fn join<A: FnOnce() -> RA + Send, B: FnOnce() -> RB + Send, RA, RB>(a: A, b: B) -> (RA, RB) {
    (a(), b())
}
pub fn scope<'s, F: FnOnce(&Scope<'s>) -> R + Send, R>(f: F) -> R {
    f(&Scope(std::marker::PhantomData))
}
pub fn spawn<F: FnOnce() + Send + 'static>(f: F) {
    f();
}
