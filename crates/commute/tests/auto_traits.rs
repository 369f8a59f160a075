//! Ours are `Send` and `Sync` for the same types inside as the originals, and `Unpin`,
//! `UnwindSafe` and `RefUnwindSafe` for these or more: else a program would compile with
//! one and not with the other.

#![cfg(commute)]

use std::cell::Cell;
use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::rc::Rc;

/// Whether a type has a trait: a method of the type itself comes before one of a
/// trait that everything has.
struct Is<T: ?Sized>(PhantomData<T>);

macro_rules! traits {
    ($($Has:ident $has:ident: $Trait:ident;)*) => {
        $(#[allow(dead_code, reason = "every type may have it")]
        trait $Has {
            fn $has(&self) -> bool {
                false
            }
        }

        impl<T: ?Sized> $Has for Is<T> {}

        impl<T: ?Sized + $Trait> Is<T> {
            fn $has(&self) -> bool {
                true
            }
        })*
    };
}

/// Those that a type has.
macro_rules! of {
    ($type:ty) => {{
        let it = Is::<$type>(PhantomData);
        let all = [
            ("Send", it.is_send()),
            ("Sync", it.is_sync()),
            ("Unpin", it.is_unpin()),
            ("UnwindSafe", it.is_unwind_safe()),
            ("RefUnwindSafe", it.is_ref_unwind_safe()),
        ];
        let has = all.into_iter().filter(|(_, has)| *has);
        has.map(|(name, _)| name).collect::<BTreeSet<_>>()
    }};
}

traits! {
    IsSend is_send: Send;
    IsSync is_sync: Sync;
    IsUnpin is_unpin: Unpin;
    IsUnwindSafe is_unwind_safe: UnwindSafe;
    IsRefUnwindSafe is_ref_unwind_safe: RefUnwindSafe;
}

/// Types of both, each with these types for `V`.
macro_rules! alike {
    ($ours:ident $original:ident; $([$($V:ty),*] $type:tt;)*) => {
        $($(alike!(@one $V; $ours $original $type);)*)*
    };
    (@one $V:ty; $ours:ident $original:ident ($($type:tt)*)) => {{
        #[allow(dead_code, reason = "not every type has a parameter")]
        type V = $V;
        let original = of!($original::$($type)*);
        let ours = of!($ours::$($type)*);
        let missing: Vec<_> = original.difference(&ours).collect();
        let name = stringify!($($type)*);
        assert!(missing.is_empty(), "{missing:?}: {name}, V = {}", stringify!($V));
        // With more, ours would be used as the original cannot be.
        for thread_safe in ["Send", "Sync"] {
            let also = original.contains(thread_safe);
            assert!(also || !ours.contains(thread_safe), "{thread_safe}: {name}");
        }
    }};
}

#[test]
fn std_sync_and_thread() {
    use commute as ours;

    alike! { ours std;
        [u8, Cell<u8>, Rc<u8>, &'static mut u8] (sync::Mutex<V>);
        [u8, Cell<u8>, Rc<u8>] (sync::MutexGuard<'static, V>);
        [u8, Cell<u8>, Rc<u8>] (sync::RwLock<V>);
        [u8, Cell<u8>, Rc<u8>] (sync::RwLockReadGuard<'static, V>);
        [u8, Cell<u8>, Rc<u8>] (sync::RwLockWriteGuard<'static, V>);
        [u8] (sync::Condvar);
        [u8] (sync::WaitTimeoutResult);
        [u8] (sync::Barrier);
        [u8] (sync::BarrierWaitResult);
        [u8] (sync::Once);
        [u8, Cell<u8>, Rc<u8>, &'static mut u8] (sync::OnceLock<V>);
        [u8, Cell<u8>, Rc<u8>] (sync::LazyLock<V>);
        [u8] (sync::atomic::AtomicBool);
        [u8] (sync::atomic::AtomicU8);
        [u8] (sync::atomic::AtomicI64);
        [u8, Rc<u8>] (sync::atomic::AtomicPtr<V>);
        [u8, Cell<u8>, Rc<u8>] (sync::mpsc::Sender<V>);
        [u8, Cell<u8>, Rc<u8>] (sync::mpsc::SyncSender<V>);
        [u8, Cell<u8>, Rc<u8>] (sync::mpsc::Receiver<V>);
        [u8, Cell<u8>] (sync::mpsc::Iter<'static, V>);
        [u8, Cell<u8>] (sync::mpsc::IntoIter<V>);
        [u8, Cell<u8>, Rc<u8>] (thread::JoinHandle<V>);
        [u8] (thread::Builder);
        [u8] (thread::Thread);
        [u8] (thread::Scope<'static, 'static>);
        [u8, Cell<u8>, Rc<u8>] (thread::ScopedJoinHandle<'static, V>);
    }
}

#[cfg(feature = "dashmap")]
#[test]
fn dashmaps() {
    use commute::dashmap as ours;

    alike! { ours dashmap;
        [u8, Cell<u8>, Rc<u8>] (DashMap<u8, V>);
        [u8, Cell<u8>, Rc<u8>] (mapref::one::Ref<'static, u8, V>);
        [u8, Cell<u8>, Rc<u8>] (mapref::one::RefMut<'static, u8, V>);
        [u8] (DashSet<V>);
    }
}

#[cfg(feature = "parking_lot")]
#[test]
fn parking_lots() {
    use commute::parking_lot as ours;

    alike! { ours parking_lot;
        [u8, Cell<u8>, Rc<u8>] (Mutex<V>);
        [u8, Cell<u8>, Rc<u8>] (MutexGuard<'static, V>);
        [u8, Cell<u8>, Rc<u8>] (RwLock<V>);
        [u8, Cell<u8>, Rc<u8>] (RwLockReadGuard<'static, V>);
        [u8, Cell<u8>, Rc<u8>] (ReentrantMutex<V>);
        [u8] (Condvar);
        [u8] (Once);
    }
}

#[cfg(feature = "crossbeam")]
#[test]
fn crossbeams() {
    use commute::crossbeam::{channel, queue, skiplist};

    alike! { channel crossbeam_channel;
        [u8, Cell<u8>, Rc<u8>] (Sender<V>);
        [u8, Cell<u8>, Rc<u8>] (Receiver<V>);
        [u8] (Select<'static>);
    }
    alike! { queue crossbeam_queue;
        [u8, Cell<u8>, Rc<u8>] (SegQueue<V>);
        [u8, Cell<u8>, Rc<u8>] (ArrayQueue<V>);
    }
    alike! { skiplist crossbeam_skiplist;
        [u8, Cell<u8>, Rc<u8>] (SkipMap<u8, V>);
        [u8, Cell<u8>, Rc<u8>] (SkipSet<V>);
    }
}

#[cfg(feature = "scc")]
#[test]
fn sccs() {
    use commute::scc as ours;

    alike! { ours scc;
        [u8, Cell<u8>, Rc<u8>] (HashMap<u8, V>);
        [u8, Rc<u8>] (HashSet<V>);
        [u8, Cell<u8>, Rc<u8>] (hash_map::OccupiedEntry<'static, u8, V>);
    }
}

#[cfg(feature = "papaya")]
#[test]
fn papayas() {
    use commute::papaya as ours;

    alike! { ours papaya;
        [u8, Cell<u8>, Rc<u8>] (HashMap<u8, V>);
        [u8, Rc<u8>] (HashSet<V>);
    }
}

#[cfg(feature = "arc-swap")]
#[test]
fn arc_swaps() {
    use commute::arc_swap as ours;

    alike! { ours arc_swap;
        [u8, Cell<u8>, Rc<u8>] (ArcSwap<V>);
        [u8, Cell<u8>, Rc<u8>] (ArcSwapOption<V>);
    }
}
