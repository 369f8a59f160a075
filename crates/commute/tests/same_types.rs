//! In a normal build ours are the originals: every public type has the name that the
//! original's has, and one is taken for the other.

#![cfg(not(commute))]

use std::any::type_name;

/// One is the other, if a value of one can be returned as one of the other.
fn same<Ours, Original>(_: fn(Original) -> Ours) {}

/// Types that are named alike in two places.
macro_rules! same {
    ($ours:path, $original:path; $($($path:ident)::+ $(<$($argument:tt),+>)?,)*) => {
        mod of_ours {
            pub(super) use $ours::*;
        }
        mod of_original {
            pub(super) use $original::*;
        }
        $({
            type Ours = of_ours::$($path)::+ $(<$($argument),+>)?;
            type Original = of_original::$($path)::+ $(<$($argument),+>)?;
            assert_eq!(type_name::<Ours>(), type_name::<Original>());
            assert_eq!(size_of::<Ours>(), size_of::<Original>());
            same::<Ours, Original>(|same| same);
        })*
    };
}

#[test]
fn std_sync_and_thread() {
    same! { commute, std;
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

#[cfg(feature = "dashmap")]
#[test]
fn dashmaps() {
    type S = std::collections::hash_map::RandomState;
    type M = dashmap::DashMap<u8, u8>;

    same! { commute::dashmap, ::dashmap;
        DashMap<u8, u8>, DashSet<u8>, Entry<'static, u8, u8>, OccupiedEntry<'static, u8, u8>,
        VacantEntry<'static, u8, u8>, ReadOnlyView<u8, u8>, TryReserveError,
        iter::Iter<'static, u8, u8, S, M>, iter::IterMut<'static, u8, u8, S, M>,
        iter::OwningIter<u8, u8, S>, iter_set::OwningIter<u8, S>,
        mapref::entry::Entry<'static, u8, u8>, mapref::one::Ref<'static, u8, u8>,
        mapref::one::RefMut<'static, u8, u8>, mapref::one::MappedRef<'static, u8, u8, u8>,
        mapref::one::MappedRefMut<'static, u8, u8, u8>,
        mapref::multiple::RefMulti<'static, u8, u8>,
        mapref::multiple::RefMutMulti<'static, u8, u8>, setref::one::Ref<'static, u8>,
        setref::multiple::RefMulti<'static, u8>, try_result::TryResult<u8>,
    }
}

#[cfg(feature = "parking_lot")]
#[test]
fn parking_lots() {
    same! { commute::parking_lot, ::parking_lot;
        Mutex<u8>, MutexGuard<'static, u8>, MappedMutexGuard<'static, u8>, FairMutex<u8>,
        FairMutexGuard<'static, u8>, MappedFairMutexGuard<'static, u8>, ReentrantMutex<u8>,
        ReentrantMutexGuard<'static, u8>, MappedReentrantMutexGuard<'static, u8>, RwLock<u8>,
        RwLockReadGuard<'static, u8>, RwLockWriteGuard<'static, u8>,
        RwLockUpgradableReadGuard<'static, u8>, MappedRwLockReadGuard<'static, u8>,
        MappedRwLockWriteGuard<'static, u8>, Condvar, WaitTimeoutResult, Once, OnceState,
        RawMutex, RawFairMutex, RawRwLock, RawThreadId, lock_api::GuardSend,
    }
}

#[cfg(feature = "parking_lot-arc_lock")]
#[test]
fn parking_lots_of_arcs() {
    type M = parking_lot::RawMutex;
    type L = parking_lot::RawRwLock;
    type I = parking_lot::RawThreadId;

    same! { commute::parking_lot, ::parking_lot;
        ArcMutexGuard<M, u8>, ArcReentrantMutexGuard<M, I, u8>, ArcRwLockReadGuard<L, u8>,
        ArcRwLockWriteGuard<L, u8>, ArcRwLockUpgradableReadGuard<L, u8>,
    }
}

#[cfg(feature = "crossbeam")]
#[test]
fn crossbeam_channels() {
    same! { commute::crossbeam::channel, ::crossbeam_channel;
        Sender<u8>, Receiver<u8>, Iter<'static, u8>, TryIter<'static, u8>, IntoIter<u8>,
        Select<'static>, SelectedOperation<'static>, ReadyTimeoutError, RecvError,
        RecvTimeoutError, SelectTimeoutError, SendError<u8>, SendTimeoutError<u8>,
        TryReadyError, TryRecvError, TrySelectError, TrySendError<u8>,
    }
}

#[cfg(feature = "crossbeam")]
#[test]
fn crossbeam_queues() {
    same! { commute::crossbeam::queue, ::crossbeam_queue;
        ArrayQueue<u8>, SegQueue<u8>,
    }
}

#[cfg(feature = "crossbeam")]
#[test]
fn crossbeam_skiplists() {
    type R = std::ops::RangeFull;

    same! { commute::crossbeam::skiplist, ::crossbeam_skiplist;
        SkipMap<u8, u8>, SkipSet<u8>, map::Entry<'static, u8, u8>, map::Iter<'static, u8, u8>,
        map::Range<'static, u8, R, u8, u8>, map::IntoIter<u8, u8>, set::Entry<'static, u8>,
        set::Iter<'static, u8>, set::Range<'static, u8, R, u8>, set::IntoIter<u8>,
    }
}

#[cfg(feature = "scc")]
#[test]
fn sccs() {
    same! { commute::scc, ::scc;
        HashMap<u8, u8>, HashSet<u8>, HashIndex<u8, u8>, HashCache<u8, u8>, TreeIndex<u8, u8>,
        Bag<u8>, Queue<u8>, Stack<u8>, Shared<u8>, AtomicShared<u8>, Guard, Tag,
        hash_map::Entry<'static, u8, u8>, hash_map::OccupiedEntry<'static, u8, u8>,
        hash_map::VacantEntry<'static, u8, u8>, hash_map::ConsumableEntry<'static, u8, u8>,
        hash_map::ReplaceResult<'static, u8, u8>, hash_map::Reserve<'static, u8, u8>,
        hash_set::OccupiedEntry<'static, u8>, hash_set::ConsumableEntry<'static, u8>,
    }
}

#[cfg(feature = "papaya")]
#[test]
fn papayas() {
    type S = std::hash::RandomState;
    type G = papaya::LocalGuard<'static>;

    same! { commute::papaya, ::papaya;
        HashMap<u8, u8>, HashSet<u8>, HashMapBuilder<u8, u8>, HashSetBuilder<u8>,
        HashMapRef<'static, u8, u8, S, G>, HashSetRef<'static, u8, S, G>,
        Iter<'static, u8, u8, G>, Keys<'static, u8, u8, G>, Values<'static, u8, u8, G>,
        Compute<'static, u8, u8, u8>, Operation<u8, u8>, OccupiedError<'static, u8>,
        ResizeMode, LocalGuard<'static>, OwnedGuard<'static>,
    }
}

#[cfg(feature = "arc-swap")]
#[test]
fn arc_swaps() {
    type A = &'static arc_swap::ArcSwap<u8>;
    type T = std::sync::Arc<u8>;

    same! { commute::arc_swap, ::arc_swap;
        ArcSwap<u8>, ArcSwapAny<T>, ArcSwapOption<u8>, IndependentArcSwap<u8>, Guard<T>,
        Cache<A, T>, cache::MapCache<A, T, u8>, DefaultStrategy, IndependentStrategy,
        access::Map<A, u8, u8>, access::Constant<u8>,
    }
}

#[cfg(feature = "arc-swap-weak")]
#[test]
fn weak_arc_swaps() {
    same! { commute::arc_swap, ::arc_swap; ArcSwapWeak<u8>, }
}
