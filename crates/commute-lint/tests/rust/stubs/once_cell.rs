//! What the samples use of once_cell, by its names.
pub mod sync {
    pub struct Lazy<T>(std::sync::LazyLock<T>);
    impl<T> Lazy<T> {
        pub const fn new(make: fn() -> T) -> Lazy<T> {
            Lazy(std::sync::LazyLock::new(make))
        }
    }
    impl<T> std::ops::Deref for Lazy<T> {
        type Target = T;
        fn deref(&self) -> &T {
            &self.0
        }
    }
}
