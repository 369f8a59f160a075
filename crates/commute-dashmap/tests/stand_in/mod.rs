//! The client code with the stand-in.

pub(crate) use ::commute_dashmap as dashmap;

#[path = "../client/maps.rs"]
mod maps;
#[path = "../client/sets.rs"]
mod sets;
