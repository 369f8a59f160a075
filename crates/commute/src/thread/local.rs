//! What every thread has its own of: `std::thread::LocalKey`, of which the threads of a
//! test that is explored have theirs.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::thread;

use commute_explore::runtime::{is_inside, local};

use super::AccessError;

/// As [`std::thread::LocalKey`], which is inside.
pub struct LocalKey<T: 'static> {
    real: &'static thread::LocalKey<T>,
    init: fn() -> T,
}

/// As [`std::thread_local!`](std::thread_local).
#[macro_export]
macro_rules! thread_local {
    () => {};
    (
        $(#[$attribute:meta])* $vis:vis static $name:ident: $t:ty = const $init:block
        $(; $($rest:tt)*)?
    ) => {
        $crate::thread_local!(
            @one [$(#[$attribute])* $vis] $name, $t, const { $init }, const $init
        );
        $($crate::thread_local!($($rest)*);)?
    };
    (
        $(#[$attribute:meta])* $vis:vis static $name:ident: $t:ty = $init:expr
        $(; $($rest:tt)*)?
    ) => {
        $crate::thread_local!(@one [$(#[$attribute])* $vis] $name, $t, $init, $init);
        $($crate::thread_local!($($rest)*);)?
    };
    (@one [$($before:tt)*] $name:ident, $t:ty, $made:expr, $($init:tt)*) => {
        $($before)* static $name: $crate::thread::LocalKey<$t> = {
            fn init() -> $t {
                $made
            }
            $crate::hidden::real_thread_local! {
                static REAL: $t = $($init)*;
            }
            $crate::thread::LocalKey::new(&REAL, init)
        };
    };
}

impl<T: 'static> LocalKey<T> {
    #[doc(hidden)]
    pub const fn new(real: &'static thread::LocalKey<T>, init: fn() -> T) -> LocalKey<T> {
        LocalKey { real, init }
    }

    /// As [`std::thread::LocalKey::with`].
    pub fn with<F, R>(&'static self, f: F) -> R
    where
        F: FnOnce(&T) -> R,
    {
        match self.mine() {
            Some(mine) => f(&mine),
            None => self.real.with(f),
        }
    }

    /// As [`std::thread::LocalKey::try_with`].
    ///
    /// # Errors
    /// As std's: if the value is gone.
    pub fn try_with<F, R>(&'static self, f: F) -> Result<R, AccessError>
    where
        F: FnOnce(&T) -> R,
    {
        match self.mine() {
            Some(mine) => Ok(f(&mine)),
            None => self.real.try_with(f),
        }
    }

    /// In a test that is explored.
    fn mine(&'static self) -> Option<std::rc::Rc<T>> {
        match is_inside() {
            true => local(std::ptr::from_ref(self).addr(), self.init),
            false => None,
        }
    }
}

impl<T: 'static> LocalKey<Cell<T>> {
    /// As [`std::thread::LocalKey::set`].
    pub fn set(&'static self, value: T) {
        match self.mine() {
            Some(mine) => mine.set(value),
            None => self.real.set(value),
        }
    }

    /// As [`std::thread::LocalKey::get`].
    pub fn get(&'static self) -> T
    where
        T: Copy,
    {
        self.with(Cell::get)
    }

    /// As [`std::thread::LocalKey::take`].
    pub fn take(&'static self) -> T
    where
        T: Default,
    {
        self.with(Cell::take)
    }

    /// As [`std::thread::LocalKey::replace`].
    pub fn replace(&'static self, value: T) -> T {
        self.with(|cell| cell.replace(value))
    }
}

impl<T: 'static> LocalKey<RefCell<T>> {
    /// As [`std::thread::LocalKey::with_borrow`].
    pub fn with_borrow<F, R>(&'static self, f: F) -> R
    where
        F: FnOnce(&T) -> R,
    {
        self.with(|cell| f(&cell.borrow()))
    }

    /// As [`std::thread::LocalKey::with_borrow_mut`].
    pub fn with_borrow_mut<F, R>(&'static self, f: F) -> R
    where
        F: FnOnce(&mut T) -> R,
    {
        self.with(|cell| f(&mut cell.borrow_mut()))
    }

    /// As [`std::thread::LocalKey::set`].
    pub fn set(&'static self, value: T) {
        match self.mine() {
            Some(mine) => drop(mine.replace(value)),
            None => self.real.set(value),
        }
    }

    /// As [`std::thread::LocalKey::take`].
    pub fn take(&'static self) -> T
    where
        T: Default,
    {
        self.with(RefCell::take)
    }

    /// As [`std::thread::LocalKey::replace`].
    pub fn replace(&'static self, value: T) -> T {
        self.with(|cell| cell.replace(value))
    }
}

impl<T: 'static> fmt::Debug for LocalKey<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalKey").finish_non_exhaustive()
    }
}
