//! Atomics.

use std::fmt::Debug;
use std::panic::{RefUnwindSafe, UnwindSafe};

use super::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
use super::sync::atomic::{
    AtomicBool, AtomicI8, AtomicI16, AtomicI32, AtomicI64, AtomicIsize, AtomicPtr, AtomicU8,
    AtomicU16, AtomicU32, AtomicU64, AtomicUsize, compiler_fence, fence,
};
use super::thread;

static COUNTER: AtomicU32 = AtomicU32::new(0);
#[expect(
    clippy::declare_interior_mutable_const,
    reason = "every use is a new one"
)]
const ZERO: AtomicU8 = AtomicU8::new(0);

/// Every operation of an integer, one after the other.
macro_rules! integers {
    ($($test:ident $atomic:ident $int:ident;)*) => {
        $(#[test]
        fn $test() {
            let a = $atomic::new(5);
            assert_eq!(a.load(Relaxed), 5);
            a.store(6, Release);
            assert_eq!(a.swap(7, AcqRel), 6);
            assert_eq!(a.compare_exchange(7, 8, SeqCst, Relaxed), Ok(7));
            assert_eq!(a.compare_exchange(7, 9, AcqRel, Acquire), Err(8));
            assert_eq!(a.compare_exchange_weak(1, 2, SeqCst, SeqCst), Err(8));
            #[expect(deprecated, reason = "still there")]
            let found = a.compare_and_swap(8, 9, AcqRel);
            assert_eq!(found, 8);
            assert_eq!(a.fetch_add(1, Relaxed), 9);
            assert_eq!(a.fetch_sub(4, Relaxed), 10);
            assert_eq!(a.fetch_and(0b0101, SeqCst), 6);
            assert_eq!(a.fetch_or(0b0011, SeqCst), 4);
            assert_eq!(a.fetch_xor(0b0110, SeqCst), 7);
            assert_eq!(a.fetch_max(40, SeqCst), 1);
            assert_eq!(a.fetch_max(30, SeqCst), 40);
            assert_eq!(a.fetch_min(20, SeqCst), 40);
            assert_eq!(a.fetch_min(30, SeqCst), 20);
            assert_eq!(a.fetch_update(SeqCst, Acquire, |n| Some(n + 1)), Ok(20));
            assert_eq!(a.fetch_update(SeqCst, Acquire, |_| None), Err(21));
            assert_eq!(a.try_update(SeqCst, Acquire, |n| Some(n + 1)), Ok(21));
            assert_eq!(a.update(SeqCst, Acquire, |n| n + 1), 22);
            assert_eq!(format!("{a:?}"), "23");
            let mut a = a;
            *a.get_mut() += 1;
            assert_eq!(a.into_inner(), 24);
            let last = $atomic::new($int::MAX);
            let wrapped = [last.fetch_add(1, SeqCst), last.fetch_sub(1, SeqCst)];
            assert_eq!(wrapped, [$int::MAX, $int::MIN]);
            let nand = $atomic::from(3);
            assert_eq!(nand.fetch_nand(1, SeqCst), 3);
            assert_eq!(nand.load(SeqCst), !1);
            assert_eq!($atomic::default().into_inner(), 0);
            fn has<T: Send + Sync + UnwindSafe + RefUnwindSafe + Debug + Default + From<$int>>() {}
            has::<$atomic>();
            let _: *mut $int = $atomic::new(1).as_ptr();
            let mut place: $int = 3;
            let there = std::ptr::from_mut(&mut place);
            // SAFETY: used by nobody else.
            #[expect(unsafe_code, reason = "as `from_ptr`")]
            let [a, b] = unsafe { [$atomic::from_ptr(there), $atomic::from_ptr(there)] };
            assert_eq!(a.fetch_add(2, SeqCst), 3);
            assert_eq!(b.swap(7, SeqCst), 5);
            assert_eq!(format!("{a:?}"), "7");
            assert_eq!((a.as_ptr(), b.as_ptr()), (there, there));
            assert_eq!(place, 7);
            // SAFETY: std says that it has the representation of an integer.
            #[expect(unsafe_code, reason = "as for integers")]
            let a: $atomic = unsafe { std::mem::zeroed() };
            assert_eq!(a.fetch_max(4, SeqCst), 0);
            assert_eq!(a.into_inner(), 4);
        })*
    };
}

integers! {
    i8s AtomicI8 i8;
    u8s AtomicU8 u8;
    i16s AtomicI16 i16;
    u16s AtomicU16 u16;
    i32s AtomicI32 i32;
    u32s AtomicU32 u32;
    i64s AtomicI64 i64;
    u64s AtomicU64 u64;
    isizes AtomicIsize isize;
    usizes AtomicUsize usize;
}

#[test]
fn booleans() {
    let flag = AtomicBool::new(false);
    assert!(!flag.swap(true, SeqCst));
    assert!(flag.fetch_and(true, SeqCst));
    assert!(flag.fetch_nand(true, SeqCst));
    assert!(!flag.fetch_nand(true, SeqCst));
    assert!(flag.fetch_xor(true, SeqCst));
    assert!(!flag.fetch_or(true, SeqCst));
    assert!(flag.fetch_not(SeqCst));
    assert_eq!(
        flag.compare_exchange(false, true, SeqCst, SeqCst),
        Ok(false)
    );
    assert_eq!(
        flag.fetch_update(SeqCst, SeqCst, |b| b.then_some(false)),
        Ok(true)
    );
    flag.store(true, SeqCst);
    assert_eq!(format!("{flag:?}"), "true");
    let mut flag = AtomicBool::from(flag.load(SeqCst));
    *flag.get_mut() = false;
    assert!(!flag.into_inner());
    assert!(!AtomicBool::default().into_inner());
    let _: *mut bool = AtomicBool::new(true).as_ptr();
    // SAFETY: std says that it has the representation of a boolean.
    #[expect(unsafe_code, reason = "as for booleans")]
    let flag: AtomicBool = unsafe { std::mem::zeroed() };
    assert!(!flag.fetch_not(SeqCst));
    let mut place = flag.into_inner();
    // SAFETY: used by nobody else.
    #[expect(unsafe_code, reason = "as `from_ptr`")]
    let flag = unsafe { AtomicBool::from_ptr(&mut place) };
    assert!(flag.swap(false, SeqCst));
    assert!(!place);
}

#[test]
fn pointers() {
    let mut values = [1u16, 2, 3];
    let first = values.as_mut_ptr();
    let second = first.wrapping_add(1);
    let pointer = AtomicPtr::new(first);
    assert_eq!(pointer.load(SeqCst), first);
    assert_eq!(pointer.swap(second, SeqCst), first);
    assert_eq!(
        pointer.compare_exchange(first, second, SeqCst, SeqCst),
        Err(second)
    );
    assert_eq!(
        pointer.compare_exchange_weak(second, first, SeqCst, SeqCst),
        Ok(second)
    );
    assert_eq!(pointer.fetch_ptr_add(2, SeqCst), first);
    assert_eq!(pointer.fetch_ptr_sub(1, SeqCst), first.wrapping_add(2));
    assert_eq!(pointer.fetch_byte_sub(2, SeqCst), second);
    assert_eq!(pointer.fetch_byte_add(2, SeqCst), first);
    assert_eq!(pointer.fetch_or(1, SeqCst), second);
    assert_eq!(pointer.fetch_and(!1, SeqCst), second.wrapping_byte_add(1));
    assert_eq!(pointer.fetch_xor(0, SeqCst), second);
    assert_eq!(
        format!("{pointer:?} {pointer:p}"),
        format!("{second:?} {second:p}")
    );
    pointer.store(first, SeqCst);
    let mut pointer = AtomicPtr::from(pointer.update(SeqCst, SeqCst, |_| second));
    *pointer.get_mut() = second;
    assert_eq!(pointer.into_inner(), second);
    assert!(AtomicPtr::<u16>::default().into_inner().is_null());
    // SAFETY: std says that it has the representation of a pointer.
    #[expect(unsafe_code, reason = "as for pointers")]
    let pointer: AtomicPtr<u16> = unsafe { std::mem::zeroed() };
    assert!(pointer.swap(first, SeqCst).is_null());
    let mut place = pointer.into_inner();
    // SAFETY: used by nobody else.
    #[expect(unsafe_code, reason = "as `from_ptr`")]
    let pointer = unsafe { AtomicPtr::from_ptr(&mut place) };
    assert_eq!(pointer.fetch_ptr_add(1, SeqCst), first);
    assert_eq!(format!("{:p}", *pointer), format!("{second:p}"));
    assert_eq!(place, second);
    fn has<T: Send + Sync + Debug + Default>() {}
    has::<AtomicPtr<std::cell::Cell<u8>>>();
}

#[test]
fn constants() {
    let list = [ZERO; 3];
    list[1].fetch_add(1, SeqCst);
    assert_eq!(list.map(AtomicU8::into_inner), [0, 1, 0]);
    #[expect(deprecated, reason = "still there")]
    static OLD: AtomicUsize = super::sync::atomic::ATOMIC_USIZE_INIT;
    OLD.store(1, SeqCst);
    fence(SeqCst);
    compiler_fence(SeqCst);
}

#[test]
fn many_threads_count() {
    let (sum, most, flag) = (
        AtomicI64::new(0),
        AtomicI64::new(-1),
        AtomicBool::new(false),
    );
    let last = AtomicU64::new(0);
    thread::scope(|scope| {
        for t in 0..4 {
            let (sum, most, flag, last) = (&sum, &most, &flag, &last);
            scope.spawn(move || {
                for i in 0..1000 {
                    COUNTER.fetch_add(1, Relaxed);
                    sum.fetch_add(i, Relaxed);
                    sum.fetch_sub(i, Relaxed);
                    most.fetch_max(i * 4 + t, SeqCst);
                    flag.fetch_not(SeqCst);
                    last.fetch_update(SeqCst, SeqCst, |n| Some(n + 1)).unwrap();
                    assert!(last.load(SeqCst) > 0);
                }
            });
        }
    });
    assert_eq!(COUNTER.load(SeqCst), 4000);
    assert_eq!(sum.load(SeqCst), 0);
    assert_eq!(most.load(SeqCst), 999 * 4 + 3);
    assert!(!flag.load(SeqCst));
    assert_eq!(last.into_inner(), 4000);
}

/// One thread writes, others see each value after the one before.
#[test]
fn messages_by_flag() {
    let (data, ready) = (AtomicI64::new(0), AtomicI64::new(0));
    thread::scope(|scope| {
        scope.spawn(|| {
            for i in 1..=200 {
                data.store(i, Relaxed);
                ready.store(i, Release);
            }
        });
        for _ in 0..2 {
            scope.spawn(|| {
                let mut seen = 0;
                while seen < 200 {
                    seen = ready.load(Acquire);
                    assert!(data.load(Relaxed) >= seen);
                }
            });
        }
    });
}

#[test]
fn a_closure_that_panics_leaves_everything_usable() {
    let atomic = AtomicI64::new(1);
    let panicked = std::panic::catch_unwind(|| {
        let _ = atomic.fetch_update(SeqCst, SeqCst, |_| panic!("on purpose"));
    });
    assert!(panicked.is_err());
    // No constant, which the compiler would look at.
    let order = [Release][usize::from(atomic.load(SeqCst) != 1)];
    let panicked = std::panic::catch_unwind(|| atomic.load(order));
    assert!(panicked.is_err(), "there is no such load");
    assert_eq!(atomic.fetch_add(1, SeqCst), 1);
    assert_eq!(atomic.load(SeqCst), 2);
}
