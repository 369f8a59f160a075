//! Which locks and objects are one: names that hold in the whole program.
//!
//! A lock is named by the field that holds it (`Cache.entries`), a static, or
//! the place where it was made. Storing a pointer in a field makes the two
//! names one.

use rustc_hash::FxHashMap;

use crate::flow::path::{Hop, PathId, Root};
use crate::flow::world::World;
use crate::ir::{FieldId, FunctionId};

/// The name of a lock or an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Key {
    Field(FieldId),
    Root(Root),
    /// A parameter: the caller knows more.
    Parameter(FunctionId, u32),
}

/// Names that are one.
#[derive(Default, Debug)]
pub(crate) struct Keys {
    above: FxHashMap<Key, Key>,
}

impl Keys {
    /// The name of what is at a path, in a function.
    pub(crate) fn of(world: &World<'_>, path: PathId, function: FunctionId) -> Key {
        let paths = &world.paths;
        let mut at = path;
        let mut wrapper = None;
        loop {
            match paths.last(at) {
                // A lock around a lock: who holds it says which it is.
                Some(Hop::Field(field)) if world.is_wrapper(field) => {
                    wrapper = wrapper.or(Some(Key::Field(field)));
                }
                Some(Hop::Field(field)) => return Key::Field(field),
                Some(Hop::Element) => {}
                Some(Hop::Content) | None => break,
            }
            let Some(before) = paths.before(at) else {
                break;
            };
            at = before;
        }
        if let Some(wrapper) = wrapper {
            return wrapper;
        }
        match paths.root_of(at) {
            Root::Parameter(local) => Key::Parameter(function, local.0),
            root => Key::Root(root),
        }
    }

    pub(crate) fn find(&self, key: Key) -> Key {
        let mut at = key;
        while let Some(above) = self.above.get(&at) {
            at = *above;
        }
        at
    }

    pub(crate) fn unite(&mut self, a: Key, b: Key) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            // The smaller is above: fields come first, and name it best.
            let (above, below) = if a < b { (a, b) } else { (b, a) };
            self.above.insert(below, above);
        }
    }
}
