//! Names: small numbers for what programs talk of.

use commute_model::Value;
use smallvec::SmallVec;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A thread: the n-th that its parent has started.
    ThreadId
);
id!(
    /// An object, the same in all runs.
    ObjectId
);
id!(
    /// An [`Operation`].
    OpId
);
id!(
    /// What an operation returned. The first is `()`, which is none.
    ResultId
);

impl ThreadId {
    /// The thread that a program begins with.
    pub const MAIN: ThreadId = ThreadId(0);
}

impl ResultId {
    /// That nothing was returned.
    pub const NONE: ResultId = ResultId(0);
}

/// What a thread is about to do: one step, for all others.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Operation {
    /// The object whose model says what happens; there may be a second one that is
    /// changed with it (a condition variable, and the mutex that is given up).
    pub objects: SmallVec<[ObjectId; 2]>,
    /// What is called.
    pub method: &'static str,
    /// The arguments. Whatever an effect depends on is here: who locks, for example.
    pub args: SmallVec<[Value; 2]>,
    /// The thread that begins to run.
    pub spawns: Option<ThreadId>,
    /// Which argument is the thread that does it.
    pub me: Option<u8>,
    /// Whether there is something in it that no other thread has: then it is like no
    /// operation of another.
    pub is_own: bool,
}

impl Operation {
    /// A call of a method of one object.
    pub fn new(
        object: ObjectId,
        method: &'static str,
        args: impl IntoIterator<Item = Value>,
    ) -> Operation {
        Operation {
            objects: SmallVec::from_slice(&[object]),
            method,
            args: args.into_iter().collect(),
            spawns: None,
            me: None,
            is_own: false,
        }
    }

    /// The same, and it is like no operation of another thread.
    #[must_use]
    pub fn own(mut self) -> Operation {
        self.is_own = true;
        self
    }

    /// The same, and this argument is the thread that does it.
    #[must_use]
    pub fn by(mut self, argument: u8) -> Operation {
        self.me = Some(argument);
        self
    }

    /// The same, on a second object too.
    #[must_use]
    pub fn and(mut self, object: ObjectId) -> Operation {
        self.objects.push(object);
        self
    }

    /// The same, and it starts a thread.
    #[must_use]
    pub fn starting(mut self, thread: ThreadId) -> Operation {
        self.spawns = Some(thread);
        self
    }
}
