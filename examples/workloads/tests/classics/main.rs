//! Small concurrent algorithms of the kind that libraries are made of, each right and
//! with the mistake that is made most often.

mod count;
mod free_list;
mod lazy;
mod locks;
mod mailbox;
mod queue;
mod registry;
mod semaphore;
