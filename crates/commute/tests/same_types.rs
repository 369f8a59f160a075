//! In a normal build ours are std's.

#![cfg(not(commute))]

use std::any::type_name;

/// The same names and sizes, and the same types: one is taken for the other.
macro_rules! same {
    ($($($path:ident)::+ $(<$($argument:tt),+>)?,)*) => {
        $({
            type Ours = commute::$($path)::+ $(<$($argument),+>)?;
            type Std = std::$($path)::+ $(<$($argument),+>)?;
            assert_eq!(type_name::<Ours>(), type_name::<Std>());
            assert_eq!(size_of::<Ours>(), size_of::<Std>());
            let _: fn(Std) -> Ours = |same| same;
        })*
    };
}

#[test]
fn types() {
    same! {
        sync::Mutex<u8>, sync::MutexGuard<'static, u8>, sync::RwLock<u8>,
        sync::RwLockReadGuard<'static, u8>, sync::RwLockWriteGuard<'static, u8>,
        sync::Condvar, sync::WaitTimeoutResult, sync::Barrier, sync::BarrierWaitResult,
        sync::Once, sync::OnceState, sync::OnceLock<u8>, sync::LazyLock<u8>, sync::Arc<u8>,
        sync::Weak<u8>, sync::PoisonError<u8>, sync::TryLockError<u8>, sync::LockResult<u8>,
        sync::TryLockResult<u8>, sync::atomic::AtomicBool, sync::atomic::AtomicI8,
        sync::atomic::AtomicU8, sync::atomic::AtomicI16, sync::atomic::AtomicU16,
        sync::atomic::AtomicI32, sync::atomic::AtomicU32, sync::atomic::AtomicI64,
        sync::atomic::AtomicU64, sync::atomic::AtomicIsize, sync::atomic::AtomicUsize,
        sync::atomic::AtomicPtr<u8>, sync::atomic::Ordering, sync::mpsc::Sender<u8>,
        sync::mpsc::SyncSender<u8>, sync::mpsc::Receiver<u8>, sync::mpsc::Iter<'static, u8>,
        sync::mpsc::TryIter<'static, u8>, sync::mpsc::IntoIter<u8>, sync::mpsc::SendError<u8>,
        sync::mpsc::RecvError, sync::mpsc::TryRecvError, sync::mpsc::RecvTimeoutError,
        sync::mpsc::TrySendError<u8>, thread::JoinHandle<u8>, thread::Builder,
        thread::Scope<'static, 'static>, thread::ScopedJoinHandle<'static, u8>, thread::Thread,
        thread::ThreadId, thread::LocalKey<u8>, thread::AccessError, thread::Result<u8>,
    }
}
