//! Which objects have a declared type.

use commute_model::{Id, ObjectId};

/// A set of objects. An object is declared for ever: what happens after `drop`
/// is for the validator to judge.
#[derive(Clone, Default, Debug)]
pub(crate) struct Declared {
    objects: Vec<bool>,
}

impl Declared {
    pub(crate) fn insert(&mut self, object: ObjectId) {
        if self.objects.len() <= object.index() {
            self.objects.resize(object.index() + 1, false);
        }
        self.objects[object.index()] = true;
    }

    #[inline]
    pub(crate) fn contains(&self, object: ObjectId) -> bool {
        self.objects.get(object.index()) == Some(&true)
    }
}
