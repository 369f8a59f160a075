//! Types whose values change only through `&mut`.

/// Says that values of these types change only through `&mut`: that there is no `Cell`,
/// lock or atomic in them, and no pointer to one.
///
/// When a test is explored, whoever only looked at what a mutex protects has not changed
/// it if its type is plain, and then the order in which two look does not matter.
/// Numbers, strings, and vectors, options, tuples and maps of plain types are known to be.
///
/// ```
/// struct Settings { port: u16, hosts: Vec<String> }
///
/// commute::plain!(Settings);
/// ```
#[macro_export]
macro_rules! plain {
    ($($plain:ty),+ $(,)?) => {
        $($crate::declare_plain::<$plain>();)+
    };
}

/// What [`plain!`](crate::plain) calls.
#[doc(hidden)]
#[inline]
pub fn declare<T: ?Sized>() {
    #[cfg(commute)]
    crate::explored::plain::declare::<T>();
}
