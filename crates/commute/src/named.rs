//! Names for objects.

/// What [`name`] can name: the types of this library, references to them and `Arc`s
/// of them. An object of your own has the name of its [`Identity`](crate::Identity).
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

/// Types, and where they have their tags.
macro_rules! named {
    ($([$($parameter:tt)*] $object:ty => $($field:ident $(($($no:tt)*))?).+,)*) => {
        $(impl<$($parameter)*> sealed::Named for $object {
            #[cfg(commute)]
            fn set_name(&self, name: &str) {
                self.$($field $(($($no)*))?).+.call(name);
            }

            #[cfg(not(commute))]
            #[inline(always)]
            fn set_name(&self, _: &str) {}
        })*
    };
}

#[cfg(commute)]
use crate::explored::Called as _;
use crate::sync::{self, atomic, mpsc};

impl sealed::Named for crate::Identity {
    #[cfg(commute)]
    fn set_name(&self, name: &str) {
        self.name(name);
    }

    #[cfg(not(commute))]
    #[inline(always)]
    fn set_name(&self, _: &str) {}
}

impl sealed::Named for sync::Barrier {
    #[cfg(commute)]
    fn set_name(&self, name: &str) {
        self.tag.name_with_parameter(name, self.parties());
        commute_explore::runtime::name(self.tag.mark(), name);
    }

    #[cfg(not(commute))]
    #[inline(always)]
    fn set_name(&self, _: &str) {}
}

named! {
    [T: ?Sized] sync::Mutex<T> => tag,
    [T: ?Sized] sync::RwLock<T> => tag,
    [] sync::Condvar => tag,
    [] sync::Once => seen,
    [T] sync::OnceLock<T> => seen,
    [T, F] sync::LazyLock<T, F> => seen,
    [] atomic::AtomicBool => observed.tag,
    [T] atomic::AtomicPtr<T> => observed.tag,
    [T] mpsc::Sender<T> => end.channel.tag,
    [T] mpsc::SyncSender<T> => end.channel.tag,
    [T] mpsc::Receiver<T> => channel.tag,
}

#[cfg(target_has_atomic = "8")]
named! {
    [] atomic::AtomicI8 => observed.tag,
    [] atomic::AtomicU8 => observed.tag,
}

#[cfg(target_has_atomic = "16")]
named! {
    [] atomic::AtomicI16 => observed.tag,
    [] atomic::AtomicU16 => observed.tag,
}

#[cfg(target_has_atomic = "32")]
named! {
    [] atomic::AtomicI32 => observed.tag,
    [] atomic::AtomicU32 => observed.tag,
}

#[cfg(target_has_atomic = "64")]
named! {
    [] atomic::AtomicI64 => observed.tag,
    [] atomic::AtomicU64 => observed.tag,
}

#[cfg(target_has_atomic = "ptr")]
named! {
    [] atomic::AtomicIsize => observed.tag,
    [] atomic::AtomicUsize => observed.tag,
}

#[cfg(feature = "dashmap")]
named! {
    [K, V, S] crate::dashmap::DashMap<K, V, S> => tag,
    [K, S] crate::dashmap::DashSet<K, S> => tag,
}

#[cfg(feature = "parking_lot")]
named! {
    [T: ?Sized] crate::parking_lot::Mutex<T> => raw_().tag,
    [T: ?Sized] crate::parking_lot::FairMutex<T> => raw_().tag,
    [T: ?Sized] crate::parking_lot::ReentrantMutex<T> => raw_().tag,
    [T: ?Sized] crate::parking_lot::RwLock<T> => raw_().tag,
    [] crate::parking_lot::Condvar => tag,
    [] crate::parking_lot::Once => tag,
}

#[cfg(feature = "crossbeam")]
named! {
    [T] crate::crossbeam::channel::Sender<T> => channel.tag,
    [T] crate::crossbeam::channel::Receiver<T> => named(),
    [T] crate::crossbeam::queue::ArrayQueue<T> => turns.tag,
    [T] crate::crossbeam::queue::SegQueue<T> => turns.tag,
    [K, V] crate::crossbeam::skiplist::SkipMap<K, V> => turns.tag,
    [T] crate::crossbeam::skiplist::SkipSet<T> => turns.tag,
}

#[cfg(feature = "scc")]
named! {
    [K, V, H: std::hash::BuildHasher] crate::scc::HashMap<K, V, H> => seen.tag,
    [K, H: std::hash::BuildHasher] crate::scc::HashSet<K, H> => seen.tag,
}

#[cfg(feature = "papaya")]
named! {
    [K, V, S] crate::papaya::HashMap<K, V, S> => turns.tag,
    [K, S] crate::papaya::HashSet<K, S> => turns.tag,
}

#[cfg(feature = "arc-swap")]
named! {
    [T: ::arc_swap::RefCnt, S: ::arc_swap::strategy::Strategy<T>] crate::arc_swap::ArcSwapAny<T, S> => turns.tag,
}
