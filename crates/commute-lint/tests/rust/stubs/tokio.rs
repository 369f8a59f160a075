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
    pub fn spawn<F>(_: F) -> JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        JoinHandle(None)
    }
}
pub use task::spawn;
