//! The client code with the original.

pub(crate) use ::dashmap;

#[path = "../client/maps.rs"]
mod maps;
#[path = "../client/sets.rs"]
mod sets;
