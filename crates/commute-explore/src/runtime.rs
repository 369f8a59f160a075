//! Controlled execution of real code.
//!
//! Every thread of a [`Test`] is a coroutine, and all of them run on one thread of the
//! operating system, one at a time. A type that takes part asks [`explores`] whether
//! somebody is exploring, and if so does an operation with [`visit`]: the coroutine is
//! suspended until it is told what its model returns, and then does the same to the real
//! object. What has no result and never waits need not be waited for: [`post`].
//!
//! **Names.** An object has the number that it has in [`Knowledge`](crate::Knowledge)
//! in two words that it carries, with the number of the run. Whoever first uses it in
//! a run names it: as before, if the place was seen before, else by the place.
//!
//! **Ends.** A run that does not go on is [stopped](crate::Program::stop): whatever its
//! threads have is dropped by unwinding them, the youngest first, because a scoped thread
//! is younger than what it borrows. What destructors do meanwhile is done to the real
//! objects and to no model. A destructor that would have to wait is not waited for: what
//! the thread has left is leaked, and counted.
//!
//! **Panics.** A panic ends its coroutine and is kept with its place. While a coroutine
//! unwinds, what its destructors only tell others is told when it has ended, so that
//! nothing else runs on this thread in the middle of an unwinding. A destructor that
//! needs an answer is suspended like everybody else. Meanwhile
//! `std::thread::panicking` is true for everybody; [`panicking`] is not.
//!
//! **Unsafe code** is needed for pointers to what is on the stack of a coroutine that is
//! suspended, and so stays where it is.

mod breakpoints;
mod call;
mod callers;
mod chance;
mod current;
mod fiber;
mod foreign;
mod frames;
mod memory;
mod naming;
mod output;
mod overflow;
mod panics;
mod pointers;
mod resident;
mod runtimes;
mod site;
mod spin;
mod statics;
mod symbols;
mod test;
mod unseen;
mod watchdog;

pub use call::{Arg, Call, First, Mark, Object};
pub use current::{
    Inside, Returned, VARIABLE, choose, current_thread, ends_with, explores, is_inside, is_stopped,
    is_trying, learn_pointer, local, may_be_of_this_run, misuse, name, name_inside, note_weak,
    operations, panicking, post, remark, renew, spawn, spawn_like, spawn_numbered, stuck, surprise,
    takes_effect, unexplored, visit, yields,
};
pub use foreign::still_busy;
pub use frames::places_are_below;
pub use memory::copy_from;
pub(crate) use naming::INSIDE as PLACED;
pub use site::{Site, site};
pub use test::Test;
pub use unseen::{LIBRARIES, unwatched, used_object, watch_objects};
pub use watchdog::Guard;
