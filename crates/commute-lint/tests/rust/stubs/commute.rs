//! What the samples use of commute, by its names. `atomic!` is for what the
//! attribute `#[commute::atomic]` makes of a function.
pub mod hidden {
    pub struct Block;
    pub struct Region;
    impl Block {
        pub const fn new(_name: &'static str) -> Block {
            Block
        }
    }
    impl Region {
        pub fn enter(_block: &'static Block) -> Region {
            Region
        }
    }
}
pub fn atomic<R>(_name: &'static str, f: impl FnOnce() -> R) -> R {
    f()
}
#[macro_export]
macro_rules! atomic {
    ($($head:ident)* ($($parameters:tt)*) $(-> $result:ty)? $body:block) => {
        $($head)* ($($parameters)*) $(-> $result)? {
            static __COMMUTE_BLOCK: ::commute::hidden::Block = ::commute::hidden::Block::new("");
            let __commute_region = ::commute::hidden::Region::enter(&__COMMUTE_BLOCK);
            $body
        }
    };
}
