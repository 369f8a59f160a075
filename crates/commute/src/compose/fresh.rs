//! Things of which only matters which one they are.

use std::fmt;
use std::sync::Arc;

/// One of many things that are alike: a new object, the next number. What a method
/// returns is compared up to which of them it is, so that two calls may get each other's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fresh(u64);

/// A number that was drawn, like an identifier from a counter.
///
/// ```
/// use commute::compose::fresh;
/// assert_ne!(fresh(1), fresh(2));
/// ```
pub fn fresh(number: u64) -> Fresh {
    Fresh(number)
}

/// Which object it is, whatever is in it.
///
/// ```
/// use commute::compose::same;
/// use std::sync::Arc;
///
/// let one = Arc::new(7);
/// assert_eq!(same(&one), same(&Arc::clone(&one)));
/// assert_ne!(same(&one), same(&Arc::new(7)));
/// ```
pub fn same<T: ?Sized>(object: &Arc<T>) -> Fresh {
    #[cfg(commute)]
    kept::keep(object);
    Fresh(Arc::as_ptr(object).cast::<()>().addr() as u64)
}

impl fmt::Debug for Fresh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[cfg(commute)]
        return f.write_str(&commute_compose::fresh(self.0));
        #[cfg(not(commute))]
        write!(f, "#{}", self.0)
    }
}

/// Memory of objects that were named in this run: no other object is to come to the same
/// place, and be taken for the same one.
#[cfg(commute)]
pub(super) mod kept {
    use std::cell::RefCell;
    use std::mem::ManuallyDrop;
    use std::sync::{Arc, Weak};

    use commute_explore::runtime::is_inside;

    /// A `Weak`, which keeps the memory and nothing of what is inside.
    struct Kept {
        weak: [usize; 2],
        release: unsafe fn([usize; 2]),
    }

    thread_local! {
        static KEPT: RefCell<Vec<Kept>> = const { RefCell::new(Vec::new()) };
    }

    /// Keeps the memory of an object until the next run.
    pub(super) fn keep<T: ?Sized>(object: &Arc<T>) {
        if !is_inside() || size_of::<Weak<T>>() > size_of::<[usize; 2]>() {
            return;
        }
        let weak = ManuallyDrop::new(Arc::downgrade(object));
        let mut words = [0; 2];
        // SAFETY: it has room there, and is not dropped here.
        #[expect(unsafe_code, reason = "its type has lifetimes that end before")]
        unsafe {
            let to = words.as_mut_ptr().cast::<ManuallyDrop<Weak<T>>>();
            std::ptr::copy_nonoverlapping(&raw const weak, to, 1);
        }
        let kept = Kept {
            weak: words,
            release: release::<T>,
        };
        KEPT.with_borrow_mut(|all| all.push(kept));
    }

    /// # Safety
    ///
    /// The words are of a `Weak` of this type, which nobody else drops.
    #[expect(unsafe_code, reason = "as above")]
    unsafe fn release<T: ?Sized>(mut words: [usize; 2]) {
        // SAFETY: as the caller says. That drops nothing of the object: whoever had the
        // last `Arc` has done so.
        drop(unsafe { words.as_mut_ptr().cast::<Weak<T>>().read() });
    }

    /// The run is over.
    pub(in crate::compose) fn release_all() {
        let all = KEPT.with_borrow_mut(std::mem::take);
        for kept in all {
            // SAFETY: that is what `keep` made of it.
            #[expect(unsafe_code, reason = "as above")]
            unsafe {
                (kept.release)(kept.weak);
            }
        }
    }
}
