//! Typed indices: a thread is never mistaken for a lock.

/// A dense index into one name space.
pub trait Id: Copy + Eq + Ord + std::hash::Hash + std::fmt::Debug {
    /// The id with this index. Indices are below `u32::MAX`.
    fn from_index(index: usize) -> Self;
    /// The index of this id: 0 for the first name seen, then 1, …
    fn index(self) -> usize;
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl Id for $name {
            #[inline]
            fn from_index(index: usize) -> Self {
                debug_assert!(index < u32::MAX as usize);
                $name(index as u32)
            }
            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A thread of the observed program.
    ThreadId
    /// A lock (mutex or reader–writer lock).
    LockId
    /// A memory location that is read and written.
    VariableId
    /// A condition variable.
    CondvarId
    /// A library object with a specification.
    ObjectId
    /// The name of a specification (`dictionary`).
    TypeId
    /// The name of a method (`put`).
    MethodId
    /// The name of an atomic block.
    BlockId
    /// A place in the source code of the observed program.
    LocationId
}
