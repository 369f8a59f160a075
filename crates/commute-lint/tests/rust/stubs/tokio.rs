//! What the samples use of tokio, by its names.
pub mod sync {
    use std::ops::{Deref, DerefMut};
    #[derive(Default)]
    pub struct Mutex<T>(std::sync::Mutex<T>);
    pub struct MutexGuard<'a, T>(std::sync::MutexGuard<'a, T>);
    impl<T> Mutex<T> {
        pub fn new(value: T) -> Mutex<T> {
            Mutex(std::sync::Mutex::new(value))
        }
        pub async fn lock(&self) -> MutexGuard<'_, T> {
            MutexGuard(self.0.lock().unwrap())
        }
    }
    #[derive(Default)]
    pub struct RwLock<T>(std::sync::RwLock<T>);
    pub struct RwLockReadGuard<'a, T>(std::sync::RwLockReadGuard<'a, T>);
    pub struct RwLockWriteGuard<'a, T>(std::sync::RwLockWriteGuard<'a, T>);
    impl<T> RwLock<T> {
        pub fn new(value: T) -> RwLock<T> {
            RwLock(std::sync::RwLock::new(value))
        }
        pub async fn read(&self) -> RwLockReadGuard<'_, T> {
            RwLockReadGuard(self.0.read().unwrap())
        }
        pub async fn write(&self) -> RwLockWriteGuard<'_, T> {
            RwLockWriteGuard(self.0.write().unwrap())
        }
    }
    macro_rules! deref {
        ($($name:ident),*) => { $(impl<T> Deref for $name<'_, T> {
            type Target = T;
            fn deref(&self) -> &T {
                &self.0
            }
        }
        unsafe impl<T: Send> Send for $name<'_, T> {})* };
    }
    deref!(MutexGuard, RwLockReadGuard, RwLockWriteGuard);
    impl<T> DerefMut for MutexGuard<'_, T> {
        fn deref_mut(&mut self) -> &mut T {
            &mut self.0
        }
    }
    impl<T> DerefMut for RwLockWriteGuard<'_, T> {
        fn deref_mut(&mut self) -> &mut T {
            &mut self.0
        }
    }
    pub struct OwnedMutexGuard<T>(Option<Box<T>>);
    impl<T> Mutex<T> {
        pub async fn lock_owned(self: std::sync::Arc<Self>) -> OwnedMutexGuard<T> {
            OwnedMutexGuard(None)
        }
    }
    impl<T> Deref for OwnedMutexGuard<T> {
        type Target = T;
        fn deref(&self) -> &T {
            self.0.as_ref().unwrap()
        }
    }
    impl<T> DerefMut for OwnedMutexGuard<T> {
        fn deref_mut(&mut self) -> &mut T {
            self.0.as_mut().unwrap()
        }
    }
    pub mod mpsc {
        pub struct Receiver<T>(Vec<T>);
        pub struct Sender<T>(std::marker::PhantomData<T>);
        impl<T> Receiver<T> {
            pub async fn recv(&mut self) -> Option<T> {
                self.0.pop()
            }
        }
        impl<T> Sender<T> {
            pub async fn send(&self, value: T) -> Result<(), T> {
                Err(value)
            }
        }
    }
    pub struct Notify;
    pub struct Notified;
    impl Notify {
        pub fn notified(&self) -> Notified {
            Notified
        }
        pub fn notify_one(&self) {}
        pub fn notify_waiters(&self) {}
    }
    impl Future for Notified {
        type Output = ();
        fn poll(
            self: std::pin::Pin<&mut Self>,
            _: &mut std::task::Context<'_>,
        ) -> std::task::Poll<()> {
            std::task::Poll::Ready(())
        }
    }
}
pub mod task {
    pub async fn yield_now() {}
    pub struct JoinHandle<T>(pub Option<T>);
    impl<T> Unpin for JoinHandle<T> {}
    impl<T> Future for JoinHandle<T> {
        type Output = Result<T, ()>;
        fn poll(
            mut self: std::pin::Pin<&mut Self>,
            _: &mut std::task::Context<'_>,
        ) -> std::task::Poll<Result<T, ()>> {
            std::task::Poll::Ready(self.0.take().ok_or(()))
        }
    }
    pub struct JoinSet<T>(Vec<T>);
    impl<T: 'static> JoinSet<T> {
        pub fn new() -> JoinSet<T> {
            JoinSet(Vec::new())
        }
        pub fn spawn<F>(&mut self, _: F)
        where
            F: Future<Output = T> + Send + 'static,
            T: Send,
        {
        }
        pub async fn join_next(&mut self) -> Option<Result<T, ()>> {
            self.0.pop().map(Ok)
        }
    }
    pub fn spawn<F>(_: F) -> JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        JoinHandle(None)
    }
}
pub use task::spawn;
pub mod time {
    use std::pin::Pin;
    use std::task::{Context, Poll};
    pub use std::time::Duration;
    pub struct Timeout<T> {
        value: T,
    }
    #[derive(Debug)]
    pub struct Elapsed;
    pub fn timeout<F: Future>(_: Duration, value: F) -> Timeout<F> {
        Timeout { value }
    }
    impl<T: Future> Future for Timeout<T> {
        type Output = Result<T::Output, Elapsed>;
        fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
            let value = unsafe { self.map_unchecked_mut(|timeout| &mut timeout.value) };
            value.poll(cx).map(Ok)
        }
    }
    pub async fn sleep(_: Duration) {}
}
pub mod macros {
    use std::pin::Pin;
    use std::task::{Context, Poll};
    pub enum MaybeDone<F: Future> {
        Future(F),
        Done(F::Output),
        Gone,
    }
    pub fn maybe_done<F: Future>(future: F) -> MaybeDone<F> {
        MaybeDone::Future(future)
    }
    impl<F: Future> MaybeDone<F> {
        pub fn take_output(self: Pin<&mut Self>) -> Option<F::Output> {
            let this = unsafe { self.get_unchecked_mut() };
            match std::mem::replace(this, MaybeDone::Gone) {
                MaybeDone::Done(output) => Some(output),
                _ => None,
            }
        }
    }
    impl<F: Future> Future for MaybeDone<F> {
        type Output = ();
        fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
            let this = unsafe { self.get_unchecked_mut() };
            if let MaybeDone::Future(future) = this {
                match unsafe { Pin::new_unchecked(future) }.poll(cx) {
                    Poll::Ready(output) => *this = MaybeDone::Done(output),
                    Poll::Pending => return Poll::Pending,
                }
            }
            Poll::Ready(())
        }
    }
}
#[macro_export]
macro_rules! join {
    ($a:expr, $b:expr $(,)?) => {{
        let mut futures = ($crate::macros::maybe_done($a), $crate::macros::maybe_done($b));
        let mut futures = &mut futures;
        std::future::poll_fn(move |cx| {
            let mut is_pending = false;
            let (fut, ..) = &mut *futures;
            let fut = unsafe { std::pin::Pin::new_unchecked(fut) };
            if std::future::Future::poll(fut, cx).is_pending() {
                is_pending = true;
            }
            let (_, fut, ..) = &mut *futures;
            let fut = unsafe { std::pin::Pin::new_unchecked(fut) };
            if std::future::Future::poll(fut, cx).is_pending() {
                is_pending = true;
            }
            if is_pending {
                return std::task::Poll::Pending;
            }
            std::task::Poll::Ready((
                {
                    let (fut, ..) = &mut *futures;
                    let fut = unsafe { std::pin::Pin::new_unchecked(fut) };
                    fut.take_output().expect("expected completed future")
                },
                {
                    let (_, fut, ..) = &mut *futures;
                    let fut = unsafe { std::pin::Pin::new_unchecked(fut) };
                    fut.take_output().expect("expected completed future")
                },
            ))
        })
        .await
    }};
}
#[macro_export]
macro_rules! select {
    ($p:pat = $a:expr => $b:block $q:pat = $c:expr => $d:block) => {{
        enum Out<A, B> {
            First(A),
            Second(B),
        }
        let output = {
            let mut futures = ($a, $c);
            let mut futures = &mut futures;
            std::future::poll_fn(move |cx| {
                let (fut, ..) = &mut *futures;
                let fut = unsafe { std::pin::Pin::new_unchecked(fut) };
                if let std::task::Poll::Ready(out) = std::future::Future::poll(fut, cx) {
                    return std::task::Poll::Ready(Out::First(out));
                }
                let (_, fut, ..) = &mut *futures;
                let fut = unsafe { std::pin::Pin::new_unchecked(fut) };
                if let std::task::Poll::Ready(out) = std::future::Future::poll(fut, cx) {
                    return std::task::Poll::Ready(Out::Second(out));
                }
                std::task::Poll::Pending
            })
            .await
        };
        match output {
            Out::First($p) => $b
            Out::Second($q) => $d
        }
    }};
}
