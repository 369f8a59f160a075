//! What the samples use of lazy_static, by its names and in its shape: the code of
//! a global comes from the macro, and its type has no name that sources show.
pub use std::ops::Deref as __Deref;

pub mod lazy {
    pub struct Lazy<T: Sync>(std::sync::OnceLock<T>);
    impl<T: Sync> Lazy<T> {
        pub const INIT: Self = Lazy(std::sync::OnceLock::new());
        pub fn get<F: FnOnce() -> T>(&'static self, make: F) -> &'static T {
            self.0.get_or_init(make)
        }
    }
}

#[macro_export]
macro_rules! lazy_static {
    ($(static ref $N:ident: $T:ty = $e:expr;)*) => { $(
        #[allow(non_camel_case_types)]
        struct $N { __private_field: () }
        static $N: $N = $N { __private_field: () };
        impl $crate::__Deref for $N {
            type Target = $T;
            fn deref(&self) -> &$T {
                fn __static_ref_initialize() -> $T { $e }
                fn __stability() -> &'static $T {
                    static LAZY: $crate::lazy::Lazy<$T> = $crate::lazy::Lazy::INIT;
                    LAZY.get(__static_ref_initialize)
                }
                __stability()
            }
        }
    )* };
}
