//! Our own analysis: values are followed from region to region, through calls
//! with their contexts.

mod access;
mod call;
mod control;
mod effect;
mod keys;
mod memory;
mod path;
mod state;
mod summary;
mod value;
mod walk;
mod world;
