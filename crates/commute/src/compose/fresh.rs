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
