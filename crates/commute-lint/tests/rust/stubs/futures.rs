//! What the samples use of futures, by its names.
use std::pin::Pin;
use std::task::{Context, Poll};

pub mod future {
    pub type BoxFuture<'a, T> = std::pin::Pin<Box<dyn Future<Output = T> + Send + 'a>>;
    pub struct Map<F, G>(pub(crate) F, pub(crate) Option<G>);
    pub struct Then<F, N, G>(pub(crate) F, pub(crate) Option<N>, pub(crate) Option<G>);
}

impl<T, F: Future, G: FnOnce(F::Output) -> T> Future for future::Map<F, G> {
    type Output = T;
    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<T> {
        Poll::Pending
    }
}

impl<F: Future, N: Future, G: FnOnce(F::Output) -> N> Future for future::Then<F, N, G> {
    type Output = N::Output;
    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<N::Output> {
        Poll::Pending
    }
}

pub trait FutureExt: Future {
    fn boxed<'a>(self) -> future::BoxFuture<'a, Self::Output>
    where
        Self: Sized + Send + 'a,
    {
        Box::pin(self)
    }
    fn map<U, G>(self, f: G) -> future::Map<Self, G>
    where
        G: FnOnce(Self::Output) -> U,
        Self: Sized,
    {
        future::Map(self, Some(f))
    }
    fn then<N, G>(self, f: G) -> future::Then<Self, N, G>
    where
        G: FnOnce(Self::Output) -> N,
        N: Future,
        Self: Sized,
    {
        future::Then(self, None, Some(f))
    }
}
impl<T: Future> FutureExt for T {}
