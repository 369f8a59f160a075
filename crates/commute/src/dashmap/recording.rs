//! What maps and sets record.

use commute_record::Kind;

pub(super) use crate::keyed::*;

pub(super) static MAP: Kind = Kind::object("dashmap", "map");
pub(super) static SET: Kind = Kind::object("dashset", "hashset");
