//! What the samples use of parking_lot, by its names.
pub struct RawMutex;
pub struct RawRwLock;
pub type Mutex<T> = lock_api::Mutex<RawMutex, T>;
pub type MutexGuard<'a, T> = lock_api::MutexGuard<'a, RawMutex, T>;
pub type MappedMutexGuard<'a, T> = lock_api::MappedMutexGuard<'a, RawMutex, T>;
pub type RwLock<T> = lock_api::RwLock<RawRwLock, T>;
pub type RwLockReadGuard<'a, T> = lock_api::RwLockReadGuard<'a, RawRwLock, T>;
pub type RwLockWriteGuard<'a, T> = lock_api::RwLockWriteGuard<'a, RawRwLock, T>;
pub type RwLockUpgradableReadGuard<'a, T> = lock_api::RwLockUpgradableReadGuard<'a, RawRwLock, T>;

pub mod lock_api {
    use std::marker::PhantomData;
    use std::ops::{Deref, DerefMut};

    pub struct Mutex<R, T>(std::sync::Mutex<T>, PhantomData<R>);
    pub struct RwLock<R, T>(std::sync::RwLock<T>, PhantomData<R>);
    macro_rules! guards {
        ($($name:ident),*) => { $(
            pub struct $name<'a, R, T>(&'a mut T, PhantomData<R>);
            impl<R, T> Deref for $name<'_, R, T> {
                type Target = T;
                fn deref(&self) -> &T {
                    self.0
                }
            }
            impl<R, T> Drop for $name<'_, R, T> {
                fn drop(&mut self) {}
            }
        )* };
    }
    guards!(
        MutexGuard,
        MappedMutexGuard,
        RwLockReadGuard,
        RwLockWriteGuard,
        RwLockUpgradableReadGuard
    );
    macro_rules! mutable {
        ($($name:ident),*) => { $(impl<R, T> DerefMut for $name<'_, R, T> {
            fn deref_mut(&mut self) -> &mut T {
                self.0
            }
        })* };
    }
    mutable!(MutexGuard, MappedMutexGuard, RwLockWriteGuard);
    impl<R, T> Mutex<R, T> {
        pub const fn new(value: T) -> Mutex<R, T> {
            Mutex(std::sync::Mutex::new(value), PhantomData)
        }
        pub fn lock(&self) -> MutexGuard<'_, R, T> {
            panic!("only declared: {}", self.0.is_poisoned())
        }
    }
    impl<R, T: Default> Default for Mutex<R, T> {
        fn default() -> Self {
            Mutex::new(T::default())
        }
    }
    impl<R, T: Default> Default for RwLock<R, T> {
        fn default() -> Self {
            RwLock::new(T::default())
        }
    }
    impl<R, T> RwLock<R, T> {
        pub const fn new(value: T) -> RwLock<R, T> {
            RwLock(std::sync::RwLock::new(value), PhantomData)
        }
        pub fn read(&self) -> RwLockReadGuard<'_, R, T> {
            panic!("only declared: {}", self.0.is_poisoned())
        }
        pub fn write(&self) -> RwLockWriteGuard<'_, R, T> {
            panic!("only declared")
        }
        pub fn upgradable_read(&self) -> RwLockUpgradableReadGuard<'_, R, T> {
            panic!("only declared")
        }
    }
    impl<'a, R, T> MutexGuard<'a, R, T> {
        pub fn map<U>(_: Self, _: impl FnOnce(&mut T) -> &mut U) -> MappedMutexGuard<'a, R, U> {
            panic!("only declared")
        }
        pub fn unlocked<U>(_: &mut Self, f: impl FnOnce() -> U) -> U {
            f()
        }
    }
    impl<'a, R, T> RwLockUpgradableReadGuard<'a, R, T> {
        pub fn upgrade(_: Self) -> RwLockWriteGuard<'a, R, T> {
            panic!("only declared")
        }
    }
}
