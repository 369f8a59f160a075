//! The types that a reused name had: a trace may give the name of an object to
//! another one, of another type, once the first has gone.
//!
//! An analysis that explains an event after the event must ask for the type that the
//! object had then. Memory: an entry for each time that a name changes its type.

use std::sync::Arc;

use commute_model::{Id, ObjectId, TypeId};
use commute_spec::CompiledSpecification;
use rustc_hash::FxHashMap;

use super::Objects;

/// The types of earlier lifetimes.
#[derive(Clone, Debug, Default)]
pub(super) struct Lifetimes {
    ended: FxHashMap<ObjectId, Vec<Ended>>,
}

/// Lifetimes of one type, one after another.
#[derive(Clone, Copy, Debug)]
struct Ended {
    type_id: TypeId,
    /// The index of the `new` with which the name got another type.
    until: u64,
}

impl Lifetimes {
    /// The event `index` gives the name of an object of this type to one of another.
    #[cold]
    pub(super) fn end(&mut self, object: ObjectId, type_id: TypeId, index: u64) {
        let until = index;
        { self.ended.entry(object).or_default() }.push(Ended { type_id, until });
    }

    /// The type of an object at an event, if it is not the last type of its name.
    #[inline]
    fn at(&self, object: ObjectId, index: u64) -> Option<TypeId> {
        if self.ended.is_empty() {
            return None;
        }
        let ended = self.ended.get(&object)?;
        let place = ended.partition_point(|ended| ended.until <= index);
        Some(ended.get(place)?.type_id)
    }
}

/// The objects of a trace, with the types that they had at one event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ObjectsAt<'a> {
    objects: &'a Objects,
    index: u64,
}

impl Objects {
    /// The objects at the event with this index, or at one since.
    #[inline]
    pub(crate) fn at(&self, index: u64) -> ObjectsAt<'_> {
        ObjectsAt {
            objects: self,
            index,
        }
    }
}

impl<'a> ObjectsAt<'a> {
    /// The type of an object, if it was declared.
    #[inline]
    pub(crate) fn compiled(self, object: ObjectId) -> Option<&'a Arc<CompiledSpecification>> {
        match self.objects.lifetimes.at(object, self.index) {
            Some(type_id) => Some(&self.objects.types[type_id.index()].as_ref()?.compiled),
            None => Some(&self.objects.get(object)?.compiled),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use commute_model::Names;
    use commute_spec::Library;

    #[test]
    fn every_lifetime_has_its_type() {
        let mut names = Names::default();
        let (o, p) = (names.objects.intern("o"), names.objects.intern("p"));
        let mut objects = Objects::new(Arc::new(Library::shipped()));
        for (object, name, index) in [
            (o, "map", 0),
            (p, "set", 2),
            (o, "map", 3),
            (o, "queue", 5),
            (o, "map", 8),
        ] {
            let type_id = names.types.intern(name);
            assert!(objects.declare(object, type_id, index, &names).is_ok());
        }
        let name = |object, index| {
            let compiled = objects.at(index).compiled(object);
            compiled.map(|compiled| compiled.specification.name.clone())
        };
        let of_o = (0..10).filter_map(|index| name(o, index));
        assert_eq!(of_o.collect::<Vec<_>>().join(" "), {
            "map map map map map queue queue queue map map"
        });
        assert_eq!(name(p, 9).as_deref(), Some("set"));
        assert_eq!(name(ObjectId(7), 1), None);
    }
}
